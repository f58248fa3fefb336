/**
 * A stub that is both the hub of a registrar and a member: Leases, claims, Events and the uid of the cluster, by path.
 */
import { asObject, type JsonObject } from '../../src/base/json.ts';
import type { ClusterIdentity } from '../../src/rules/rule.ts';
import { type ApiStub, answerFrom, json, startApiStub } from './api-stub.ts';
import { createMemoryHub } from './memory-hub.ts';
import { memberOf } from './objects.ts';

/** The uid of the member's `kube-system`, and that of another cluster. */
export const OWN = '0aaaaaaa-0000-4000-8000-000000000000';
export const OTHER = '1bbbbbbb-0000-4000-8000-000000000000';
export const EAST = { apiGroup: 'about.k8s.io', clusterSet: 'fleet', id: 'east' };
export const OLD = Date.parse('2026-01-02T03:04:05Z');
export const LEASES = '/apis/coordination.k8s.io/v1/namespaces/cluster-ids/leases';
export const PROPERTIES = '/apis/about.k8s.io/v1beta1/clusterproperties';

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

/** Takes away the label by which the rounds of its holder list a Lease. */
export function withoutLabels(lease: JsonObject): JsonObject {
  return { ...lease, metadata: { ...asObject(lease['metadata']), labels: {} } };
}

export async function startRegistrarStub(folder: string): Promise<RegistrarStub> {
  const api = await startApiStub(folder);
  const memory = createMemoryHub('cluster-ids');
  const { objects } = memory;
  let failure: { readonly status: number; readonly message: string } | undefined;
  const answer = answerFrom(memory, api);
  api.answer = (request, response) => {
    const { url: path = '' } = request;
    if (failure !== undefined && path.startsWith(LEASES)) {
      const { status, message } = failure;
      return json(response, status, { kind: 'Status', message });
    }
    answer(request, response);
  };
  const stub: RegistrarStub = {
    ...api,
    objects,
    reserve: (identity, holder, change) => memory.put(identity, holder, OLD, change),
    join({ clusterSet, id }) {
      for (const { metadata, ...claim } of memberOf(clusterSet, id)) {
        const uid = `uid-of-${metadata.name}`;
        memory.set(`${PROPERTIES}/${metadata.name}`, { ...claim, metadata: { ...metadata, uid } });
      }
    },
    fail(status, message = 'leases.coordination.k8s.io is forbidden: User "east" cannot list resource "leases"') {
      failure = { status, message };
    },
    reset() {
      failure = undefined;
      objects.clear();
      const metadata = { name: 'kube-system', uid: OWN };
      memory.set('/api/v1/namespaces/kube-system', { apiVersion: 'v1', kind: 'Namespace', metadata });
      objects.set('/apis/about.k8s.io', { versions: [{ version: 'v1beta1' }] });
      objects.set('/apis/about.k8s.io/v1beta1', { resources: [{ name: 'clusterproperties' }] });
    },
  };
  stub.reset();
  return stub;
}
