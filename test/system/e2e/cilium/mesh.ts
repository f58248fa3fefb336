/**
 * Two API servers in one ClusterSet, joined by Cilium's operator and clustermesh-apiserver. There are no nodes and no
 * pods: of Multi-Cluster Services this is all but the traffic, conditions and imports included.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { memberOf, newerProperty } from '../../../support/objects.ts';
import { type Etcd, startEtcd } from '../harness/etcd.ts';
import {
  type Cilium,
  type ControlPlane,
  definitionsOf,
  ensureAssets,
  ensureCilium,
  freePort,
  type Json,
  startControlPlane,
  startDaemon,
  until,
  waitFor,
} from '../harness/index.ts';
import { writeContexts } from '../harness/users.ts';
import { serviceDefinitions } from '../upstream/index.ts';

/** The clusters of the mesh, by the names and ids that Cilium and their claims have for them. */
export const MEMBERS = ['east', 'west'] as const;
export type Member = (typeof MEMBERS)[number];

/** Who Cilium's controllers are for the API servers. */
export const CILIUM = 'system:serviceaccount:kube-system:cilium-operator';

export interface Mesh {
  readonly clusters: Readonly<Record<Member, ControlPlane>>;
  /** A kubeconfig with a context for each cluster, called by its name. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** Both clusters know what the other one exports, and write the imports of it. */
export async function startMesh(): Promise<Mesh> {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (let last = undo.pop(); last !== undefined; last = undo.pop()) await last();
  };
  try {
    return { ...(await start(undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the id of a cluster, and its membership. */
export function claimsOf(member: Member): object[] {
  return memberOf('harbor', member, newerProperty);
}

type Undo = (() => Promise<unknown>)[];

interface Started {
  readonly name: Member;
  /** From 1; Cilium's number of the cluster. */
  readonly id: number;
  readonly controlPlane: ControlPlane;
  /** What clustermesh-apiserver writes for the other cluster. */
  readonly shared: Etcd;
}

async function start(undo: Undo): Promise<Omit<Mesh, 'stop'>> {
  const [programs, { etcd }] = await Promise.all([ensureCilium(), ensureAssets()]);
  const started = await Promise.all(MEMBERS.map((name, index) => startCluster(name, index + 1, etcd, undo)));
  const [east, west] = started as [Started, Started];
  await Promise.all([startControllers(programs, east, west, undo), startControllers(programs, west, east, undo)]);
  const clusters = { east: east.controlPlane, west: west.controlPlane };
  await Promise.all([exportsReach(clusters.east, clusters.west), exportsReach(clusters.west, clusters.east)]);
  const kubeconfig = writeContexts(join(clusters.east.folder, 'mesh.kubeconfig'), 'admin', clusters);
  return { clusters, kubeconfig };
}

/** An API server of two families of addresses, with upstream's CRDs and the claims of its membership. */
async function startCluster(name: Member, id: number, etcd: string, undo: Undo): Promise<Started> {
  const controlPlane = await startControlPlane({
    crds: 'none',
    apiServerFlags: [`--service-cluster-ip-range=10.${id}.0.0/16,fd00:${id}::/108`],
    users: { cilium: { name: CILIUM, groups: ['system:masters'] } },
  });
  undo.push(() => controlPlane.stop());
  const upstream = serviceDefinitions() as Json[];
  const theirs = new Set(upstream.map(({ metadata }) => metadata.name));
  const others = (definitionsOf('published') as Json[]).filter(({ metadata }) => !theirs.has(metadata.name));
  await controlPlane.apply(...upstream, ...others);
  await controlPlane.apply(...claimsOf(name));
  const folder = join(controlPlane.folder, 'shared');
  mkdirSync(folder);
  const shared = await startEtcd(etcd, folder);
  undo.push(() => shared.stop('SIGKILL'));
  return { name, id, controlPlane, shared };
}

/** The operator first: it installs the CRDs that clustermesh-apiserver reads. */
async function startControllers(programs: Cilium, own: Started, other: Started, undo: Undo): Promise<void> {
  const { folder } = own.controlPlane;
  const common = [
    `--k8s-kubeconfig-path=${own.controlPlane.kubeconfig('cilium')}`,
    `--cluster-name=${own.name}`,
    `--cluster-id=${own.id}`,
    '--clustermesh-enable-mcs-api',
    // Without these, each is at one place of the machine.
    '--shell-sock-path=',
    '--enable-gops=false',
  ];
  const mesh = join(folder, 'mesh');
  mkdirSync(mesh);
  writeEndpoint(join(mesh, other.name), other.shared);
  const run = (program: string, args: readonly string[]) => {
    const logFile = join(folder, `${program.split('/').at(-1)}.log`);
    const env = { ...process.env, CILIUM_K8S_NAMESPACE: 'kube-system' };
    const daemon = startDaemon(program, [...args, ...common], { logFile, env, cwd: folder });
    undo.push(() => daemon.stop('SIGKILL'));
    return daemon;
  };
  const operator = run(programs['cilium-operator'], [
    `--clustermesh-config=${mesh}`,
    // Upstream's are there.
    '--clustermesh-mcs-api-install-crds=false',
    '--ipam=kubernetes',
    '--identity-allocation-mode=crd',
    '--k8s-namespace=kube-system',
    `--operator-api-serve-addr=127.0.0.1:${await freePort()}`,
    `--operator-prometheus-serve-addr=127.0.0.1:${await freePort()}`,
  ]);
  await waitFor("Cilium's CRDs", operator, () => serves(own.controlPlane, 'cilium.io/v2', 'ciliumidentities'));
  const endpoint = writeEndpoint(join(folder, 'shared.yaml'), own.shared);
  const port = await freePort();
  const server = run(programs['clustermesh-apiserver'], [
    'clustermesh',
    '--kvstore=etcd',
    `--kvstore-opt=etcd.config=${endpoint}`,
    `--health-port=${port}`,
    '--prometheus-serve-addr=',
  ]);
  await waitFor('clustermesh-apiserver', server, async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
}

function writeEndpoint(file: string, { url }: Etcd): string {
  writeFileSync(file, `endpoints:\n- ${url}\n`);
  return file;
}

async function serves(controlPlane: ControlPlane, version: string, plural: string): Promise<boolean> {
  const { body } = await controlPlane.api('admin').call('GET', `/apis/${version}`);
  return (body.resources ?? []).some(({ name }: Json) => name === plural);
}

/** Waits until an export of one cluster is imported by the other, and its end too. */
async function exportsReach(from: ControlPlane, to: ControlPlane): Promise<void> {
  const metadata = { name: `probe-${from.url.split(':').at(-1)}`, namespace: 'default' };
  const serviceExport = { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ServiceExport', metadata };
  const service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80 }] } };
  await from.apply(service, serviceExport);
  const path = await to.pathOf({ ...serviceExport, kind: 'ServiceImport' });
  const status = async () => (await to.api('admin').call('GET', path)).status;
  await until('an export to reach the other cluster', async () => (await status()) === 200);
  for (const object of [serviceExport, service]) await from.api('admin').call('DELETE', await from.pathOf(object));
  await until('the end of an export to reach the other cluster', async () => (await status()) === 404);
}
