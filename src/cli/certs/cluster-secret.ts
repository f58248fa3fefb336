/** The Secret that the servers mount, read and written under its resourceVersion. */

import { asObject, type JsonObject, textAt } from '../../base/json.ts';
import { metadataOf } from '../../base/object.ts';
import { KEYS, type SecretText } from '../../certificates/keyring.ts';
import { addressPath } from '../../cluster/live/api-paths.ts';
import { type ApiClient, readIfThere } from '../../cluster/live/client.ts';

export interface SecretReference {
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

const SECRETS = { apiVersion: 'v1', plural: 'secrets' } as const;
const OWN: readonly string[] = Object.values(KEYS);
/** The annotation with the time at which the last step of a rotation was found done. */
const SINCE = 'certs.muster/since';

/** Reads the Secret. @throws ClusterError, but not if it is missing */
export async function readSecret(api: ApiClient, { namespace, name }: SecretReference): Promise<StoredSecret> {
  const object = await readIfThere(api, { method: 'GET', path: addressPath({ ...SECRETS, namespace, name }) });
  return { text: secretText(object), object, isManaged: hasAnnotation(object, 'cert-manager.io/') };
}

/** Returns muster's own keys of a Secret, decoded. Keys of other programs may hold bytes that are not text. */
export function secretText(object: JsonObject | undefined): SecretText {
  const data = OWN.flatMap((key) => {
    const value = textAt(object, ['data', key]);
    return value === undefined ? [] : [[key, Buffer.from(value, 'base64').toString()] as const];
  });
  return { data: Object.fromEntries(data), since: textAt(object, ['metadata', 'annotations', SINCE]) };
}

/**
 * Writes the text into the Secret. Keys, labels and annotations of others stay.
 * @throws ClusterError; `conflict` if the Secret was changed since it was read
 */
export async function writeSecret(
  api: ApiClient,
  { namespace, name }: SecretReference,
  { object }: StoredSecret,
  { data, since }: SecretText,
): Promise<void> {
  const named = { name, namespace, labels: { 'app.kubernetes.io/name': 'muster' } };
  const stored: JsonObject = object ?? { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: named };
  const metadata = metadataOf(stored);
  const { [SINCE]: _, ...annotations } = asObject(metadata?.['annotations']) ?? {};
  const others = Object.entries(asObject(stored['data']) ?? {}).filter(([key]) => !OWN.includes(key));
  const own = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')] as const);
  const body = {
    ...stored,
    metadata: { ...metadata, annotations: { ...annotations, ...(since && { [SINCE]: since }) } },
    data: Object.fromEntries([...others, ...own]),
  };
  if (object) await api.call({ method: 'PUT', path: addressPath({ ...SECRETS, namespace, name }), body });
  else await api.call({ method: 'POST', path: addressPath({ ...SECRETS, namespace }), body });
}

/** Returns whether the object has an annotation whose key begins with the prefix. */
export function hasAnnotation(object: JsonObject | undefined, prefix: string): boolean {
  const annotations = asObject(metadataOf(object)?.['annotations']) ?? {};
  return Object.keys(annotations).some((key) => key.startsWith(prefix));
}
