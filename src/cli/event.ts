/** Writes Events about objects, which `kubectl describe` shows: of denied writes, and of the findings of a scan. */
import { createHash } from 'node:crypto';
import { addressPath } from '../cluster/live/api-paths.ts';
import type { ApiClient } from '../cluster/live/client.ts';
import { ClusterError, type ClusterErrorCode } from '../cluster/live/errors.ts';

/** The most characters of a message, which is the API's own limit. */
export const LONGEST_MESSAGE = 1024;
/** The namespace of Events about cluster-scoped objects; others have that of their object. */
export const DEFAULT_NAMESPACE = 'default';

/** The parts of an Event that its updates do not change. */
export interface ObjectEvent {
  readonly component: string;
  readonly reason: string;
  readonly involvedObject: Readonly<Record<string, string | undefined>>;
  /** Identifies the Event: one of the same component with an equal identity is updated. */
  readonly identity: unknown;
  /** Further fields of the Event. */
  readonly fixed: Readonly<Record<string, unknown>>;
}

/** Returns the name of an Event. */
export function eventName({ component, identity }: ObjectEvent): string {
  return `${component}.${createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16)}`;
}

/**
 * Creates an Event, or updates it. If the one to update is gone (the API server keeps Events for an hour), or the one
 * to create exists (from before a restart, by another replica, or by a call whose answer was lost), it does the other.
 * @param latest the fields that an update changes
 * @param isNew whether it was probably never written
 * @throws ClusterError
 */
export async function writeEvent(
  client: Pick<ApiClient, 'call'>,
  event: ObjectEvent,
  latest: Readonly<Record<string, unknown>>,
  isNew: boolean,
): Promise<void> {
  const { component, reason, involvedObject, fixed } = event;
  const name = eventName(event);
  const namespace = involvedObject['namespace'] ?? DEFAULT_NAMESPACE;
  const path = addressPath({ apiVersion: 'v1', plural: 'events', namespace });
  const create = () => {
    const kind = { apiVersion: 'v1', kind: 'Event', metadata: { name, namespace } };
    const by = { source: { component }, reportingComponent: component };
    const body = { ...kind, type: 'Warning', reason, ...by, involvedObject, ...fixed, ...latest };
    return client.call({ method: 'POST', path, body });
  };
  const contentType = 'application/merge-patch+json';
  const update = () => client.call({ method: 'PATCH', path: `${path}/${name}`, body: latest, contentType });
  const createOrUpdate = () => withFallback('conflict', create, update);
  await (isNew ? createOrUpdate() : withFallback('not-found', update, createOrUpdate));
}

/** Makes a write, or the fallback if it fails with the code. @throws ClusterError */
async function withFallback(
  code: ClusterErrorCode,
  write: () => Promise<unknown>,
  fallback: () => Promise<unknown>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof ClusterError) || error.code !== code) throw error;
    await fallback();
  }
}

/** Returns whether the namespace is deleted, or being deleted: then nothing has to be written there. */
export function isNamespaceGone({ code, absent, message }: ClusterError): boolean {
  if (code === 'not-found') return absent === undefined;
  return code === 'forbidden' && message.includes('because it is being terminated');
}

/** Returns whether the right to write Events is missing. */
export function isForbidden(error: unknown): boolean {
  return error instanceof ClusterError && error.code === 'forbidden' && !isNamespaceGone(error);
}
