/** A stub that is both the hub of a registrar and a member: Leases, claims, Events and the uid of the cluster, by path. */
import type { JsonObject } from '../../src/base/json.ts';
import { newReservation } from '../../src/cluster/registrar/reservation.ts';
import type { ClusterIdentity } from '../../src/rules/rule.ts';
import { type ApiStub, json, startApiStub } from './api-stub.ts';

/** The uid of the member's `kube-system`, and that of another cluster. */
export const OWN = '0aaaaaaa-0000-4000-8000-000000000000';
export const OTHER = '1bbbbbbb-0000-4000-8000-000000000000';
export const EAST = { apiGroup: 'about.k8s.io', clusterSet: 'fleet', id: 'east' };
export const OLD = Date.parse('2026-01-02T03:04:05Z');
export const LEASES = '/apis/coordination.k8s.io/v1/namespaces/cluster-ids/leases';
const PROPERTIES = '/apis/about.k8s.io/v1beta1/clusterproperties';

export interface RegistrarStub extends ApiStub {
  readonly objects: Map<string, JsonObject>;
  /** Has the hub store a reservation of long ago; returns its path. */
  reserve(identity: ClusterIdentity, holder: string, change?: (lease: JsonObject) => JsonObject): string;
  /** Makes the cluster a member of the ClusterSet with the id. */
  join(identity: Pick<ClusterIdentity, 'clusterSet' | 'id'>): void;
  /** Has the hub answer with a status: 403 for a missing right, unless it has another message. */
  fail(status: number, message?: string): void;
  /** A cluster without claims, and a hub without reservations. */
  reset(): void;
}

export async function startRegistrarStub(folder: string): Promise<RegistrarStub> {
  const api = await startApiStub(folder);
  const objects = new Map<string, JsonObject>();
  let failure: { readonly status: number; readonly message: string } | undefined;
  api.answer = ({ method = '', url = '' }, response) => {
    const [path = ''] = url.split('?');
    if (failure !== undefined && path.startsWith(LEASES)) {
      const { status, message } = failure;
      return json(response, status, { kind: 'Status', message });
    }
    const found = path === LEASES && method === 'GET' ? listOfLeases() : objects.get(path);
    if (method === 'GET' && found !== undefined) return json(response, 200, found);
    if (method !== 'POST' && found === undefined)
      return json(response, 404, { kind: 'Status', details: { name: path.split('/').at(-1) } });
    return json(response, 200, written(method, path));
  };
  const listOfLeases = (): JsonObject => {
    const items = [...objects].flatMap(([path, object]) => (path.startsWith(`${LEASES}/`) ? [object] : []));
    return { kind: 'LeaseList', metadata: { resourceVersion: '1' }, items };
  };
  const written = (method: string, path: string): JsonObject => {
    const sent = JSON.parse(api.requests.at(-1)?.body ?? '') as JsonObject & { metadata: { name: string } };
    const address = method === 'POST' ? `${path}/${sent.metadata.name}` : path;
    const previous = objects.get(address) ?? {};
    objects.delete(address);
    if (method === 'DELETE') return previous;
    const stored = { ...sent, metadata: { uid: 'u', ...sent.metadata, resourceVersion: '2' } };
    objects.set(address, stored);
    return stored;
  };
  const stub: RegistrarStub = {
    ...api,
    objects,
    reserve(identity, holder, change = (lease) => lease) {
      const lease = change(newReservation(identity, { holder, now: OLD }));
      const metadata = { ...(lease['metadata'] as { name: string }), uid: 'u', resourceVersion: '1' };
      objects.set(`${LEASES}/${metadata.name}`, { ...lease, metadata });
      return `${LEASES}/${metadata.name}`;
    },
    join({ clusterSet, id }) {
      const values = { 'cluster.clusterset.k8s.io': id, 'clusterset.k8s.io': clusterSet };
      for (const [name, value] of Object.entries(values)) {
        const metadata = { name, uid: `uid-of-${name}`, resourceVersion: '1' };
        const kind = { apiVersion: 'about.k8s.io/v1beta1', kind: 'ClusterProperty' };
        objects.set(`${PROPERTIES}/${name}`, { ...kind, metadata, spec: { value } });
      }
    },
    fail(status, message = 'leases.coordination.k8s.io is forbidden: User "east" cannot list resource "leases"') {
      failure = { status, message };
    },
    reset() {
      failure = undefined;
      objects.clear();
      const uid = { metadata: { name: 'kube-system', uid: OWN, resourceVersion: '1' } };
      objects.set('/api/v1/namespaces/kube-system', { apiVersion: 'v1', kind: 'Namespace', ...uid });
      objects.set('/apis/about.k8s.io', { versions: [{ version: 'v1beta1' }] });
      objects.set('/apis/about.k8s.io/v1beta1', { resources: [{ name: 'clusterproperties' }] });
    },
  };
  stub.reset();
  return stub;
}
