/**
 * The namespace `shop` of both clusters of a mesh: what is exported there, and what Cilium's controllers write of it.
 */
import { newNamespace } from '../../../support/objects.ts';
import type { ControlPlane, Json } from '../harness/index.ts';
import { until } from '../harness/index.ts';
import { MEMBERS, type Member, type Mesh } from './mesh.ts';
import type { Half, Pair } from './pairs.ts';

export const NAMESPACE = 'shop';
const API = 'multicluster.x-k8s.io/v1beta1';
const PATH = `/apis/${API}/namespaces/${NAMESPACE}`;

/** Returns the manifests of one half of a pair. */
export function manifestsOf(name: string, { service, exported }: Half): Json[] {
  const metadata = { name, namespace: NAMESPACE };
  const serviceExport = { apiVersion: API, kind: 'ServiceExport', metadata, ...(exported && { spec: exported }) };
  return service === undefined
    ? [serviceExport]
    : [{ apiVersion: 'v1', kind: 'Service', metadata, spec: service }, serviceExport];
}

/** Creates the namespace in both clusters. */
export async function createNamespace({ clusters }: Mesh): Promise<void> {
  const namespace = newNamespace(NAMESPACE);
  for (const member of MEMBERS) await clusters[member].apply(namespace);
}

/**
 * Exports every pair, in `east` before `west`, and waits until Cilium's controllers of both clusters know all of it.
 */
export async function exportAll(mesh: Mesh, pairs: readonly Pair[]): Promise<void> {
  const { east, west } = mesh.clusters;
  for (const { name, older } of pairs) await east.apply(...manifestsOf(name, older));
  const valid = (member: Member) => pairs.filter(({ invalid }) => invalid?.cluster !== member).map(({ name }) => name);
  for (const name of valid('east')) await imported(mesh, 'west', name, ['east']);
  await nextSecond(east);
  for (const { name, newer } of pairs) await west.apply(...manifestsOf(name, newer));
  for (const pair of pairs) await settled(mesh, pair);
}

/** Takes the export of a cluster away, and waits until the imports of both are of the other one alone. */
export async function withdraw(mesh: Mesh, member: Member, name: string): Promise<void> {
  const path = `${PATH}/serviceexports/${name}`;
  await mesh.clusters[member].api('admin').call('DELETE', path);
  const left = MEMBERS.filter((other) => other !== member);
  for (const other of MEMBERS) await imported(mesh, other, name, left);
}

/** What Cilium writes for one service in one cluster. */
export interface Written {
  /** By their types. */
  readonly conditions: Readonly<Record<string, { readonly status: string; readonly reason: string }>>;
  /** As `TYPE NAME:PROTOCOL/PORT …`; undefined where there is none. */
  readonly imported: string | undefined;
}

export async function writtenIn({ clusters }: Mesh, member: Member, name: string): Promise<Written> {
  const [serviceExport, serviceImport] = await Promise.all(
    ['serviceexports', 'serviceimports'].map((plural) => read(clusters[member], plural, name)),
  );
  const conditions = (serviceExport?.status?.conditions ?? []) as Json[];
  const entries = conditions.map(({ type, status, reason }) => [type, { status, reason }]);
  return { conditions: Object.fromEntries(entries), imported: serviceImport && textOf(serviceImport.spec) };
}

/** Ports in the order of their names: their order in an import means nothing. */
function textOf({ type, ports }: Json): string {
  const texts = ports.map(({ name, protocol, port }: Json) => `${name}:${protocol}/${port}`);
  return [type, ...texts.sort()].join(' ');
}

/** Waits until an import names exactly these clusters: Cilium writes that last, after the conditions of the export. */
async function imported({ clusters }: Mesh, member: Member, name: string, from: readonly Member[]): Promise<void> {
  await until(`the import of ${name} in ${member} to be from ${from.join(' and ')}`, async () => {
    const found = (await read(clusters[member], 'serviceimports', name))?.status?.clusters ?? [];
    return String(found.map(({ cluster }: Json) => cluster)) === String(from);
  });
}

async function settled(mesh: Mesh, { name, invalid }: Pair): Promise<void> {
  const from = MEMBERS.filter((member) => member !== invalid?.cluster);
  for (const member of from) await imported(mesh, member, name, from);
  if (invalid !== undefined)
    await until(`the export of ${name} in ${invalid.cluster} to be invalid`, async () => {
      const { conditions } = await writtenIn(mesh, invalid.cluster, name);
      return conditions['Valid']?.status === 'False';
    });
}

async function read(cluster: ControlPlane, plural: string, name: string): Promise<Json | undefined> {
  const { status, body } = await cluster.api('admin').call('GET', `${PATH}/${plural}/${name}`);
  return status === 200 ? body : undefined;
}

/** Waits until the API server dates objects a second later: creation times have no fractions. */
async function nextSecond(cluster: ControlPlane): Promise<void> {
  const now = async () => {
    const path = '/api/v1/namespaces/default/configmaps?dryRun=All';
    const { body } = await cluster.api('admin').call('POST', path, { metadata: { name: 'clock' } });
    return body.metadata.creationTimestamp as string;
  };
  const before = await now();
  await until('the next second', async () => (await now()) > before);
}
