/** The webhook configurations of one name, validating and mutating, and their CAs. */

import { asObject, isObject, type Json, type JsonObject, listAt, textAt } from '../../base/json.ts';
import { certificatesIn } from '../../certificates/keyring.ts';
import { addressPath } from '../../cluster/live/api-paths.ts';
import { type ApiClient, readIfThere } from '../../cluster/live/client.ts';
import { REGISTRATION_KINDS } from '../../manifests/names.ts';
import { hasAnnotation } from './cluster-secret.ts';

export interface StoredConfiguration {
  readonly kind: (typeof REGISTRATION_KINDS)[number];
  readonly path: string;
  readonly object: JsonObject;
  /** Whether cert-manager writes its caBundle. */
  readonly isManaged: boolean;
}

/** Reads the webhook configurations that exist. @throws ClusterError */
export async function readRegistration(api: ApiClient, name: string): Promise<readonly StoredConfiguration[]> {
  const found = REGISTRATION_KINDS.map(async (kind) => {
    const plural = `${kind.toLowerCase()}s`;
    const path = addressPath({ apiVersion: 'admissionregistration.k8s.io/v1', plural, name });
    const object = await readIfThere(api, { method: 'GET', path });
    return object ? [{ kind, path, object, isManaged: hasAnnotation(object, 'cert-manager.io/inject-') }] : [];
  });
  return (await Promise.all(found)).flat();
}

/**
 * Returns the caBundle, as PEM, of each webhook whose CA is the one of the Secret; empty if it has none. A webhook with
 * a URL belongs to a server elsewhere, with a CA of its own, unless it holds one of `cas` (PEM) already.
 */
export function bundlesIn({ object }: StoredConfiguration, cas: string): readonly string[] {
  return listAt(object, ['webhooks'])
    .filter((webhook) => isOurs(webhook, cas))
    .map(bundleAt);
}

/**
 * Writes the caBundle, as PEM, into each of these webhooks.
 * @throws ClusterError `conflict` if the configuration was changed meanwhile
 */
export async function writeBundle(
  api: ApiClient,
  { path, object }: StoredConfiguration,
  cas: string,
  bundle: string,
): Promise<void> {
  const caBundle = Buffer.from(bundle, 'utf8').toString('base64');
  const webhooks = listAt(object, ['webhooks']).map((webhook) => {
    if (!isObject(webhook) || !isOurs(webhook, cas)) return webhook;
    return { ...webhook, clientConfig: { ...asObject(webhook['clientConfig']), caBundle } };
  });
  await api.call({ method: 'PUT', path, body: { ...object, webhooks } });
}

function isOurs(webhook: Json, cas: string): boolean {
  if (textAt(webhook, ['clientConfig', 'url']) === undefined) return true;
  const known = new Set(certificatesIn(cas).map(({ fingerprint256 }) => fingerprint256));
  return certificatesIn(bundleAt(webhook)).some(({ fingerprint256 }) => known.has(fingerprint256));
}

/** Returns the caBundle of a webhook, as PEM; empty if it has none. */
export function bundleAt(webhook: Json): string {
  return Buffer.from(textAt(webhook, ['clientConfig', 'caBundle']) ?? '', 'base64').toString('utf8');
}
