/** The Secret that the servers mount, read and written under its resourceVersion. */
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { isObject, textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { KEYS, type SecretText } from '../../tls/keyring.ts';

export interface Reference {
  readonly namespace: string;
  readonly name: string;
}

export interface StoredSecret {
  readonly text: SecretText;
  /** As the API server has it; undefined if there is none. */
  readonly object: JsonObject | undefined;
  /** Whether cert-manager writes it. */
  readonly isManaged: boolean;
}

const OWN: readonly string[] = Object.values(KEYS);
/** The annotation with the time at which the last step of a rotation was found done. */
export const SINCE = 'certs.muster/since';

/** @throws ClusterError, but not when there is none */
export async function readSecret(api: ApiClient, { namespace, name }: Reference): Promise<StoredSecret> {
  const body = await readIfThere(api, `${secretsOf(namespace)}/${name}`);
  if (body === undefined) return { text: { data: {}, since: undefined }, object: undefined, isManaged: false };
  const annotations = objectAt(objectAt(body, 'metadata'), 'annotations');
  const isManaged = Object.keys(annotations).some((key) => key.startsWith('cert-manager.io/'));
  return {
    text: { data: ownData(objectAt(body, 'data')), since: textAt(annotations, [SINCE]) },
    object: body,
    isManaged,
  };
}

/** Returns an object; undefined if there is none. @throws ClusterError */
export async function readIfThere(api: ApiClient, path: string): Promise<JsonObject | undefined> {
  try {
    return (await api.call({ method: 'GET', path })).body;
  } catch (error) {
    if (error instanceof ClusterError && error.code === 'not-found') return undefined;
    throw error;
  }
}

/**
 * Makes the Secret what `text` says; other people's keys, labels and annotations stay.
 * @throws ClusterError; `conflict` when it is not what was read any more
 */
export async function writeSecret(
  api: ApiClient,
  { namespace, name }: Reference,
  { object }: StoredSecret,
  text: SecretText,
): Promise<void> {
  const path = secretsOf(namespace);
  const metadata = { name, namespace, labels: { 'app.kubernetes.io/name': 'muster' } };
  const stored = object ?? { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata };
  const storedMetadata = objectAt(stored, 'metadata');
  const { [SINCE]: _, ...annotations } = objectAt(storedMetadata, 'annotations');
  const others = Object.entries(objectAt(stored, 'data')).filter(([key]) => !OWN.includes(key));
  const body = {
    ...stored,
    metadata: { ...storedMetadata, annotations: { ...annotations, ...(text.since && { [SINCE]: text.since }) } },
    data: { ...Object.fromEntries(others), ...mapValues(text.data, (value) => Buffer.from(value).toString('base64')) },
  };
  await api.call(object ? { method: 'PUT', path: `${path}/${name}`, body } : { method: 'POST', path, body });
}

function secretsOf(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/secrets`;
}

export function objectAt(value: JsonObject, key: string): JsonObject {
  const found = value[key];
  return isObject(found) ? found : {};
}

/** Returns what muster keeps in the Secret. A key of somebody else may hold bytes that are no text. */
function ownData(data: JsonObject): Record<string, string> {
  const own = Object.fromEntries(Object.entries(data).filter(([key]) => OWN.includes(key)));
  return mapValues(own, (value) => Buffer.from(value, 'base64').toString());
}

function mapValues(data: JsonObject, change: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, change(String(value))]));
}
