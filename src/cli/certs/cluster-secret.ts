/** The Secret that the servers mount, read and written under its resourceVersion. */
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { isObject, textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import type { SecretText } from '../../tls/keyring.ts';
import type { Reference } from './reference.ts';

export interface StoredSecret {
  readonly text: SecretText;
  /** The API server's clock when it was read, in milliseconds; undefined where it told none. */
  readonly date: number | undefined;
  /** As the API server has it; undefined where there is none. */
  readonly object: JsonObject | undefined;
  /** Whether cert-manager keeps it. */
  readonly kept: boolean;
}

/** When the last step of a rotation was found done. */
export const SINCE = 'certs.muster/since';

/** @throws ClusterError, but not when there is none */
export async function readSecret(api: ApiClient, { namespace, name }: Reference): Promise<StoredSecret> {
  try {
    const { body, date } = await api.call({ method: 'GET', path: `${secretsOf(namespace)}/${name}` });
    const annotations = objectAt(objectAt(body, 'metadata'), 'annotations');
    const since = textAt(annotations, [SINCE]);
    const kept = Object.keys(annotations).some((key) => key.startsWith('cert-manager.io/'));
    return { text: { data: decoded(objectAt(body, 'data')), since }, date, object: body, kept };
  } catch (error) {
    if (!(error instanceof ClusterError) || error.code !== 'not-found') throw error;
    return { text: { data: {}, since: undefined }, date: undefined, object: undefined, kept: false };
  }
}

/**
 * Makes the Secret what `text` says; other people's keys, labels and annotations stay.
 * @throws ClusterError; `conflict` when it is not what was read any more
 */
export async function writeSecret(
  api: ApiClient,
  { namespace, name }: Reference,
  { object, text: before }: StoredSecret,
  text: SecretText,
): Promise<void> {
  const path = secretsOf(namespace);
  if (object === undefined) {
    const metadata = { name, namespace, labels: { 'app.kubernetes.io/name': 'muster' } };
    const made = { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata };
    await api.call({ method: 'POST', path, body: { ...made, data: encoded({}, {}, text.data) } });
    return;
  }
  const metadata = objectAt(object, 'metadata');
  const { [SINCE]: _, ...annotations } = objectAt(metadata, 'annotations');
  const marked = text.since === undefined ? annotations : { ...annotations, [SINCE]: text.since };
  const body = {
    ...object,
    metadata: { ...metadata, annotations: marked },
    data: encoded(objectAt(object, 'data'), before.data, text.data),
  };
  await api.call({ method: 'PUT', path: `${path}/${name}`, body });
}

function secretsOf(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/secrets`;
}

function objectAt(value: JsonObject, key: string): JsonObject {
  const found = value[key];
  return isObject(found) ? found : {};
}

function decoded(data: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(String(value), 'base64').toString('utf8')]),
  );
}

/** Only what was changed is encoded anew: another's key may hold bytes that are no text. */
function encoded(
  stored: JsonObject,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(after).map(([key, text]) => [
      key,
      before[key] === text ? (stored[key] ?? '') : Buffer.from(text, 'utf8').toString('base64'),
    ]),
  );
}
