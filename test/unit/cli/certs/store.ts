/**
 * An API server's store for the tests of `muster certs --secret`: objects by path, resourceVersions, a clock. The real
 * one is in test/system/e2e.
 */

import type { JsonObject } from '../../../../src/base/json.ts';
import type { SecretReference } from '../../../../src/cli/certs/cluster-secret.ts';
import type { ApiClient, ApiRequest, ApiResponse } from '../../../../src/cluster/live/client.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';

export const SECRET: SecretReference = { namespace: 'muster-system', name: 'muster-tls' };
export const SECRET_PATH = '/api/v1/namespaces/muster-system/secrets/muster-tls';
const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
export const VALIDATING = `${ADMISSION}/validatingwebhookconfigurations/muster`;
export const MUTATING = `${ADMISSION}/mutatingwebhookconfigurations/muster`;

/** Before a call is done; may reject instead of it. After it: what it answers may get lost. */
export interface Hooks {
  readonly before?: (request: ApiRequest) => void | Promise<void>;
  readonly after?: (request: ApiRequest) => void | Promise<void>;
}

export class Store {
  /** Milliseconds since the epoch. */
  now: number;
  readonly objects = new Map<string, JsonObject>();
  /** The writes that were done: method and path. */
  readonly writes: string[] = [];
  #version = 0;

  constructor(now: number) {
    this.now = now;
  }

  /** Anybody's write, whatever was there. */
  put(path: string, object: JsonObject): void {
    this.#version += 1;
    const metadata = { ...(object['metadata'] as JsonObject), resourceVersion: String(this.#version) };
    this.objects.set(path, { ...object, metadata });
  }

  client({ before, after }: Hooks = {}): ApiClient {
    return {
      server: 'https://store',
      namespace: 'default',
      close() {},
      call: async (request) => {
        await before?.(request);
        const answer = this.#answer(request);
        await after?.(request);
        return answer;
      },
    };
  }

  #answer({ method, path, body }: ApiRequest): ApiResponse {
    // As the API server's: whole seconds, rounded down.
    const date = Math.floor(this.now / 1000) * 1000;
    if (path === '/version') return { status: 200, body: {}, date };
    const object = body as JsonObject | undefined;
    const at = method === 'POST' ? `${path}/${(object?.['metadata'] as JsonObject | undefined)?.['name']}` : path;
    const stored = this.objects.get(at);
    if (method === 'POST' && stored) throw new ClusterError('conflict', `${at} already exists`, { status: 409 });
    if (method !== 'POST' && !stored) throw new ClusterError('not-found', `${at} not found`, { status: 404 });
    if (method === 'GET') return { status: 200, body: structuredClone(stored ?? {}), date };
    if (method === 'PUT' && versionOf(stored) !== versionOf(object)) {
      throw new ClusterError('conflict', `${at} has been modified`, { status: 409 });
    }
    this.put(at, structuredClone(object ?? {}));
    this.writes.push(`${method} ${path.slice(path.lastIndexOf('/') + 1)}`);
    return { status: 200, body: this.objects.get(at) ?? {}, date };
  }

  /** A value of the Secret; empty where there is none. */
  value(key: string): string {
    const data = this.objects.get(SECRET_PATH)?.['data'] as Record<string, string> | undefined;
    return Buffer.from(data?.[key] ?? '', 'base64').toString();
  }

  /** Every caBundle, as PEM. */
  bundles(): string[] {
    return [VALIDATING, MUTATING].flatMap((path) => {
      const webhooks = (this.objects.get(path)?.['webhooks'] ?? []) as { clientConfig: { caBundle?: string } }[];
      return webhooks.map(({ clientConfig }) => Buffer.from(clientConfig.caBundle ?? '', 'base64').toString());
    });
  }
}

/** A cluster as the manifests leave it: an empty Secret, two configurations with two webhooks and one. */
export function newStore(now: number): Store {
  const store = new Store(now);
  store.put(SECRET_PATH, { kind: 'Secret', type: 'Opaque', metadata: { name: SECRET.name, labels: { a: 'b' } } });
  register(store);
  return store;
}

export function register(store: Store, bundle = ''): void {
  const clientConfig = {
    service: { name: 'muster', namespace: 'muster-system' },
    ...(bundle === '' ? {} : { caBundle: encode(bundle) }),
  };
  const webhook = { name: 'a.b.c', clientConfig };
  const metadata = { name: 'muster' };
  store.put(VALIDATING, { kind: 'ValidatingWebhookConfiguration', metadata, webhooks: [webhook, webhook] });
  store.put(MUTATING, { kind: 'MutatingWebhookConfiguration', metadata, webhooks: [webhook] });
}

/** Overwrites the Secret's data. */
export function fill(store: Store, data: Readonly<Record<string, string>>, annotations: JsonObject = {}): void {
  const encoded = Object.fromEntries(Object.entries(data).map(([key, text]) => [key, encode(text)]));
  const metadata = { name: SECRET.name, annotations };
  store.put(SECRET_PATH, { kind: 'Secret', type: 'Opaque', metadata, data: encoded });
}

export function encode(text: string): string {
  return Buffer.from(text).toString('base64');
}

function versionOf(object: JsonObject | undefined): unknown {
  return (object?.['metadata'] as JsonObject | undefined)?.['resourceVersion'];
}
