/** The cluster of the tests of `muster certs --secret`. The real one is in test/system/e2e. */
import type { JsonObject } from '../../../../src/base/json.ts';
import type { SecretReference } from '../../../../src/cli/certs/cluster-secret.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/memory-api.ts';

export const SECRET: SecretReference = { namespace: 'muster-system', name: 'muster-tls' };
export const SECRET_PATH = '/api/v1/namespaces/muster-system/secrets/muster-tls';
const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
export const VALIDATING = `${ADMISSION}/validatingwebhookconfigurations/muster`;
export const MUTATING = `${ADMISSION}/mutatingwebhookconfigurations/muster`;

export interface Store extends MemoryApi {
  /** A value of the Secret; empty where there is none. */
  value(key: string): string;
  /** Every caBundle, as PEM. */
  bundles(): string[];
}

/** A cluster as the manifests leave it: an empty Secret, two configurations with two webhooks and one. */
export function newStore(now: number): Store {
  const api = createMemoryApi();
  api.now = now;
  api.objects.set('/version', {});
  api.set(SECRET_PATH, { kind: 'Secret', type: 'Opaque', metadata: { name: SECRET.name, labels: { a: 'b' } } });
  register(api);
  return Object.assign(api, {
    value(key: string): string {
      const data = api.objects.get(SECRET_PATH)?.['data'] as Record<string, string> | undefined;
      return Buffer.from(data?.[key] ?? '', 'base64').toString();
    },
    bundles(): string[] {
      return [VALIDATING, MUTATING].flatMap((path) => {
        const webhooks = (api.objects.get(path)?.['webhooks'] ?? []) as { clientConfig: { caBundle?: string } }[];
        return webhooks.map(({ clientConfig }) => Buffer.from(clientConfig.caBundle ?? '', 'base64').toString());
      });
    },
  });
}

export function register(store: MemoryApi, bundle = ''): void {
  const clientConfig = {
    service: { name: 'muster', namespace: 'muster-system' },
    ...(bundle === '' ? {} : { caBundle: encode(bundle) }),
  };
  const webhook = { name: 'a.b.c', clientConfig };
  const metadata = { name: 'muster' };
  store.set(VALIDATING, { kind: 'ValidatingWebhookConfiguration', metadata, webhooks: [webhook, webhook] });
  store.set(MUTATING, { kind: 'MutatingWebhookConfiguration', metadata, webhooks: [webhook] });
}

/** Overwrites the Secret's data. */
export function fill(store: Store, data: Readonly<Record<string, string>>, annotations: JsonObject = {}): void {
  const encoded = Object.fromEntries(Object.entries(data).map(([key, text]) => [key, encode(text)]));
  const metadata = { name: SECRET.name, annotations };
  store.set(SECRET_PATH, { kind: 'Secret', type: 'Opaque', metadata, data: encoded });
}

export function encode(text: string): string {
  return Buffer.from(text).toString('base64');
}
