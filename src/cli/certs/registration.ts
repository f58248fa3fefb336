/** The webhook configurations of one name, validating and mutating, and the CAs by which API servers know the servers. */
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { at, isObject, listAt, textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';

export interface StoredConfiguration {
  readonly kind: Kind;
  readonly path: string;
  readonly object: JsonObject;
  /** The caBundle of each of its webhooks, as PEM; empty where it has none. */
  readonly bundles: readonly string[];
  /** The API server's clock when it was read, in milliseconds; undefined where it told none. */
  readonly date: number | undefined;
  /** Whether cert-manager writes its caBundle. */
  readonly injected: boolean;
}

export type Kind = (typeof KINDS)[number];
export const KINDS = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'] as const;

/** Those that exist. @throws ClusterError */
export async function readRegistration(api: ApiClient, name: string): Promise<readonly StoredConfiguration[]> {
  const found = await Promise.all(KINDS.map((kind) => readConfiguration(api, kind, name)));
  return found.filter((configuration) => configuration !== undefined);
}

/** Gives each of its webhooks this caBundle, PEM. @throws ClusterError; `conflict` when it was changed meanwhile */
export async function writeBundle(api: ApiClient, { path, object }: StoredConfiguration, ca: string): Promise<void> {
  const caBundle = Buffer.from(ca, 'utf8').toString('base64');
  const webhooks = listAt(object, ['webhooks']).map((webhook) => {
    if (!isObject(webhook)) return webhook;
    const config = at(webhook, ['clientConfig']);
    return { ...webhook, clientConfig: { ...(isObject(config) ? config : {}), caBundle } };
  });
  await api.call({ method: 'PUT', path, body: { ...object, webhooks } });
}

async function readConfiguration(api: ApiClient, kind: Kind, name: string): Promise<StoredConfiguration | undefined> {
  const path = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s/${name}`;
  try {
    const { body, date } = await api.call({ method: 'GET', path });
    const bundles = listAt(body, ['webhooks']).map(bundleAt);
    const annotations = at(body, ['metadata', 'annotations']);
    const injected = isObject(annotations) && Object.keys(annotations).some((key) => key.startsWith(INJECTED));
    return { kind, path, object: body, bundles, date, injected };
  } catch (error) {
    if (error instanceof ClusterError && error.code === 'not-found') return undefined;
    throw error;
  }
}

const INJECTED = 'cert-manager.io/inject-';

function bundleAt(webhook: Parameters<typeof textAt>[0]): string {
  return Buffer.from(textAt(webhook, ['clientConfig', 'caBundle']) ?? '', 'base64').toString('utf8');
}
