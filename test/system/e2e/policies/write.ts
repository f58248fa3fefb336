/** One write, as in a rule's example: sent to the API server, and evaluated by the engine on the same input. */
import { createEngine, type JsonObject, type Verdict, viewOf } from '../../../../src/index.ts';
import { NOW, subjectOf } from '../../../support/examples.ts';
import type { Write } from '../../../support/writes.ts';
import type { ApiAnswer, ControlPlane, Json } from '../harness/index.ts';

/**
 * Stores an object unchecked, as the administrator. One with a deletionTimestamp is deleted, and kept by its
 * finalizers.
 */
export async function store(controlPlane: ControlPlane, object: Json): Promise<Json> {
  const api = controlPlane.api('admin');
  const path = await controlPlane.pathOf(object);
  const { deletionTimestamp, ...metadata } = object.metadata;
  let stored = must(await api.call('POST', collectionOf(path, object), { ...object, metadata }));
  if (object.status !== undefined && stored.status === undefined) {
    const { resourceVersion } = stored.metadata;
    stored = must(await api.call('PUT', `${path}/status`, { ...object, metadata: { ...metadata, resourceVersion } }));
  }
  if (deletionTimestamp === undefined || deletionTimestamp === null) return stored;
  must(await api.call('DELETE', path));
  return must(await api.call('GET', path));
}

/** Removes objects with or without finalizers. */
export async function remove(controlPlane: ControlPlane, objects: readonly JsonObject[]): Promise<void> {
  const api = controlPlane.api('admin');
  for (const object of objects) {
    const path = await controlPlane.pathOf(object);
    await api.call('PATCH', path, { metadata: { finalizers: null } });
    const { status } = await api.call('DELETE', path);
    if (status !== 200 && status !== 404) throw new Error(`${path} is still there: ${status}`);
  }
}

/** Sends the write as its user. `stored` is the object as stored. */
export async function send(
  controlPlane: ControlPlane,
  { operation, subresource, user, old, object = old }: Write,
  stored: Json | undefined,
  { dryRun = true } = {},
): Promise<ApiAnswer> {
  const target = object as Json;
  const path = await controlPlane.pathOf(target);
  const query = dryRun ? '?dryRun=All' : '';
  const { username = 'jane', groups = [] } = user ?? {};
  const headers = { 'Impersonate-User': username, 'Impersonate-Group': [...groups, 'e2e:editors'] } as Json;
  const api = controlPlane.api('admin');
  if (operation === 'DELETE') return api.call('DELETE', `${path}${query}`, undefined, { headers });
  if (operation === 'CREATE') return api.call('POST', `${collectionOf(path, target)}${query}`, target, { headers });
  const { resourceVersion } = stored.metadata;
  const body = { ...target, metadata: { ...target.metadata, resourceVersion } };
  return api.call('PUT', `${path}${subresource ? '/status' : ''}${query}`, body, { headers });
}

/** The path of an object without its name. */
function collectionOf(path: string, { metadata }: Json): string {
  return metadata.name === undefined ? path : path.slice(0, path.lastIndexOf('/'));
}

/** Evaluates the write as the API server shows it: status and the rest of the object are written separately. */
export async function evaluate(write: Write): Promise<Verdict> {
  const now = Date.parse(write.now ?? NOW);
  const engine = createEngine({ point: 'webhook', clock: () => now });
  return engine.evaluate(subjectOf({ ...write, object: shown(write) }), viewOf(write.state ?? []));
}

function shown({ operation, subresource, object = {}, old = {} }: Write): JsonObject {
  if (operation === 'DELETE') return old;
  const { status, ...rest } = object;
  const part = (value: unknown) => (value === undefined ? {} : { status: value as JsonObject });
  const { status: before, ...stored } = old;
  if (subresource === 'status') return { ...stored, ...part(status) };
  const hasSubresource = !String(object['kind']).match(/^Cluster(Claim|Property)$/);
  if (!hasSubresource) return object;
  return { ...rest, ...part(operation === 'UPDATE' ? before : undefined) };
}

function must({ status, body }: ApiAnswer): Json {
  if (status > 299) throw new Error(`not stored: ${status} ${body.message ?? body}`);
  return body;
}

export interface Parts {
  readonly spec?: Json | undefined;
  readonly status?: Json | undefined;
  readonly labels?: Json | undefined;
}

/** Returns an object of the kind and namespace of `base` with another name and other parts. */
export function objectLike(base: JsonObject, name: string, { spec, status, labels }: Parts): JsonObject {
  const { namespace } = base['metadata'] as { namespace?: string };
  const { apiVersion, kind } = base as { apiVersion: string; kind: string };
  return JSON.parse(JSON.stringify({ apiVersion, kind, metadata: { name, namespace, labels }, spec, status }));
}
