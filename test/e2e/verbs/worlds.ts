/** What is stored when a verb is tried: put there by `admin`, whom the configuration exempts. */
import { LEASES, NAMESPACE } from '../../../src/manifests/names.ts';
import type { Api, ControlPlane, Json } from '../harness/index.ts';

/** Every collection muster judges, as the tests use it. */
const COLLECTIONS = [
  '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims',
  '/apis/cluster.open-cluster-management.io/v1alpha1/clusterclaims',
  '/apis/about.k8s.io/v1beta1/clusterproperties',
  '/apis/multicluster.x-k8s.io/v1alpha1/inventoryclusters',
  '/apis/multicluster.x-k8s.io/v1alpha2/namespaces/default/clusterprofiles',
  '/apis/features.x-k8s.io/v1alpha1/namespaces/default/features',
];

export interface World {
  /** Removes everything, then stores these, with their status. */
  reset(objects: readonly Json[]): Promise<void>;
  /** As stored; undefined where there is none. */
  read(object: Json): Promise<Json | undefined>;
}

export function worldOf(controlPlane: ControlPlane): World {
  const api = controlPlane.api('admin');
  return {
    async reset(objects) {
      await Promise.all(COLLECTIONS.map((path) => empty(api, path)));
      // An exempt user's deletions settle no intent, so one of the last attempt may still stand.
      await Promise.all(LEASES.map((name) => letGo(api, name)));
      for (const object of objects) await store(controlPlane, api, object);
    },
    async read(object) {
      const { status, body } = await api.call('GET', await controlPlane.pathOf(object));
      return status === 404 ? undefined : body;
    },
  };
}

async function empty(api: Api, path: string): Promise<void> {
  const { body } = await api.call('GET', path);
  for (const { metadata } of body.items) {
    if (metadata.finalizers) await api.call('PATCH', `${path}/${metadata.name}`, { metadata: { finalizers: null } });
    await api.call('DELETE', `${path}/${metadata.name}`);
  }
}

async function letGo(api: Api, lease: string): Promise<void> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/${lease}`;
  const { status } = await api.call('PATCH', path, { spec: null });
  if (status !== 200) throw new Error(`${path}: ${status}`);
}

/** `terminating: true` deletes it at once; a finalizer must hold it. */
export async function store(controlPlane: ControlPlane, api: Api, { terminating, ...object }: Json): Promise<void> {
  const path = await controlPlane.pathOf(object);
  await controlPlane.apply(object);
  if (object.status !== undefined && !path.includes('/clusterclaims') && !path.includes('/clusterproperties')) {
    const { status, body } = await api.call('PATCH', `${path}/status`, { status: object.status });
    if (status !== 200) throw new Error(`${path}: ${body.message}`);
  }
  if (terminating) await api.call('DELETE', path);
}
