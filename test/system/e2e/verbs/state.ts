/** What the cluster stores when a write is tried: put there by `admin`, whom the configuration exempts. */
import { dialects } from '../../../../src/api/dialects.ts';
import { type Api, type ControlPlane, DIALECTS, type Json, patchLease } from '../harness/index.ts';

/** Every collection that muster guards, as the tests use it. */
const COLLECTIONS = dialects.map(({ group, versions, scope, plural }) => {
  const namespace = scope === 'Namespaced' ? '/namespaces/default' : '';
  return `/apis/${group}/${versions.at(-1)}${namespace}/${plural}`;
});

export interface State {
  /** Removes everything, then stores these objects with their status. */
  reset(objects: readonly Json[]): Promise<void>;
  /** Returns an object as stored; undefined if there is none. */
  read(object: Json): Promise<Json | undefined>;
}

export function stateOf(controlPlane: ControlPlane): State {
  const api = controlPlane.api('admin');
  return {
    async reset(objects) {
      await Promise.all(COLLECTIONS.map((path) => empty(api, path)));
      // Deletions by an exempt user release no lock, so one of the last attempt may still be held.
      await Promise.all(DIALECTS.map((dialect) => patchLease(controlPlane, dialect, { spec: null })));
      for (const object of objects) await store(controlPlane, object);
    },
    async read(object) {
      const { status, body } = await api.call('GET', await controlPlane.pathOf(object));
      return status === 404 ? undefined : body;
    },
  };
}

async function empty(api: Api, path: string): Promise<void> {
  const { status, body } = await api.call('GET', path);
  if (status !== 200) throw new Error(`${path}: ${status} ${body.message ?? body}`);
  for (const { metadata } of body.items) {
    if (metadata.finalizers) await api.call('PATCH', `${path}/${metadata.name}`, { metadata: { finalizers: null } });
    await api.call('DELETE', `${path}/${metadata.name}`);
  }
}

/** Stores one object with its status. `terminating: true` deletes it at once; a finalizer must hold it. */
export async function store(controlPlane: ControlPlane, { terminating, ...object }: Json): Promise<void> {
  const api = controlPlane.api('admin');
  const path = await controlPlane.pathOf(object);
  await controlPlane.apply(object);
  if (object.status !== undefined && !path.includes('/clusterclaims') && !path.includes('/clusterproperties')) {
    const { status, body } = await api.call('PATCH', `${path}/status`, { status: object.status });
    if (status !== 200) throw new Error(`${path}: ${body.message}`);
  }
  if (terminating) await api.call('DELETE', path);
}
