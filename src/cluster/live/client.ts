/**
 * Calls to one API server: plain JSON over kept-alive connections, with a time limit on each. `client-wrappers.ts` adds
 * deadlines and repeats.
 */
import type { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isObject, type JsonObject, textAt } from '../../base/json.ts';
import { safeText } from '../../base/text.ts';
import type { AccessFlags } from './access-source.ts';
import type { Access } from './credentials.ts';
import { ClusterError, statusError } from './errors.ts';
import { http, isOtherCertificate, isStaleConnection, send, timedOut, warningsOf } from './http.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query, such as `/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/x`. */
  readonly path: string;
  readonly body?: unknown;
  /** Default: `application/json`. */
  readonly contentType?: string;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the call early, as a `timeout`. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the whole call. Default: 10 s, beside those of an exec plugin. */
  readonly timeoutMs?: number;
  /** The most bytes of the answer. Default: 256 MiB. */
  readonly mostBytes?: number;
}

export interface ApiResponse {
  readonly body: JsonObject;
  /** The length of the body, as it was sent. */
  readonly bytes?: number;
  /** The API server's clock, in milliseconds since the epoch (whole seconds). */
  readonly date: number | undefined;
  /** Texts of its `Warning` headers, such as those of webhooks. */
  readonly warnings?: readonly string[];
}

export interface ApiClient {
  /** The address of the API server, for messages: scheme, host and port. */
  readonly server: string;
  /** See `clusterAddress` in credentials.ts. */
  readonly address?: string | undefined;
  /** The context of a kubeconfig that led to it. */
  readonly context?: string | undefined;
  /** Equal for two contexts with the same address and user. */
  readonly accessKey?: string | undefined;
  /** The files that the access is read from. */
  readonly files?: readonly string[] | undefined;
  /** `--namespace`, else that of the pod or the context, else `default`. */
  readonly namespace: string;
  /** Makes one call. @throws ClusterError unless the answer is a 2xx with a JSON object */
  call(request: ApiRequest): Promise<ApiResponse>;
  /** Returns the number of connections and its limit. Further calls wait for a free connection. */
  readonly connections?: () => { readonly held: number; readonly limit: number };
  /** Closes the connections, and ends an exec plugin that runs. A later call opens them anew. */
  close(): void;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** Longer than an exec plugin may take, which may ask the user to log in. */
const CREDENTIALS_MS = 65_000;
/** Enough for a page of 500 large objects. */
const MOST_BYTES = 256 * 1024 * 1024;
const MOST_CONNECTIONS = 64;
/** Milliseconds between two loads because of another certificate: while that stays, each may run an exec plugin. */
const RELOAD_MS = 1000;

/** Opens a client of the cluster that the flags name. Makes no call yet. @throws ClusterError `no-access` */
export async function openCluster(flags: AccessFlags): Promise<ApiClient> {
  const { loadAccess } = await import('./credentials.ts');
  return openAccess(() => loadAccess(flags), flags.namespace);
}

/**
 * Opens a client of one cluster. Makes no call yet.
 * @param load returns the access; called again when the credentials are refused and, once a second at most, when the
 *   server has another CA
 * @throws what `load` throws
 */
export function openAccess(load: () => Access, namespace?: string): ApiClient {
  let access = load();
  let reloadedAt = -RELOAD_MS;
  const options = { keepAlive: true, maxSockets: MOST_CONNECTIONS, scheduling: 'lifo' } as const;
  const newAgent = () => (access.server.protocol === 'http:' ? new http.Agent(options) : new HttpsAgent(options));
  let agent = newAgent();
  return {
    server: access.server.origin,
    address: access.address,
    context: access.context,
    accessKey: access.accessKey,
    files: access.files,
    namespace: namespace || access.namespace || 'default',
    close() {
      agent.destroy();
      // An agent without connections still keeps the last TLS session, 64 KiB.
      agent = newAgent();
      access.close();
    },
    connections: () => ({
      held: [agent.sockets, agent.freeSockets].flatMap(Object.values).flat().length,
      limit: MOST_CONNECTIONS,
    }),
    async call(request) {
      const used = access;
      try {
        return await callOnce(used, agent, request);
      } catch (error) {
        if (!(error instanceof ClusterError) || request.signal?.aborted) throw error;
        const { code } = error;
        // The token or the CA was rotated, or its file was just being written.
        const hasOtherCa = isOtherCertificate(error) && performance.now() - reloadedAt >= RELOAD_MS;
        if ((hasOtherCa || ['unauthorized', 'no-access'].includes(code)) && access === used) {
          reloadedAt = performance.now();
          access = load();
        }
        if (code !== 'unauthorized' && !isStaleConnection(error)) throw error;
        return callOnce(access, agent, request);
      }
    },
  };
}

/** Parses bytes as a JSON object; undefined if they are not one. */
function asJson(bytes: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the answer if it is the object that was asked for. A proxy or a bug may answer 200 with another content,
 * which must not let a write pass.
 * @param asked the group (empty for the core group), kind and name of the object
 * @throws ClusterError `unreadable`
 */
export function expectObject(answer: JsonObject, asked: readonly [string, string, string]): JsonObject {
  const [group = '', version] = textAt(answer, ['apiVersion'])?.split('/') ?? [];
  const found = [version === undefined ? '' : group, answer['kind'], textAt(answer, ['metadata', 'name'])];
  const isStored = (textAt(answer, ['metadata', 'resourceVersion']) ?? '') !== '';
  if (isStored && asked.every((part, index) => part === found[index])) return answer;
  const shown = safeText(JSON.stringify(found), 256);
  const message = `the API server answered with ${shown} for ${JSON.stringify(asked)}; is a proxy in between?`;
  throw new ClusterError('unreadable', message);
}

/** Returns the objects of a list that was asked for. @throws ClusterError `unreadable` if the answer is no list */
export function expectList(answer: JsonObject, path: string): readonly JsonObject[] {
  const items = answer['items'];
  // Go encodes an empty list as null.
  if (items === null) return [];
  if (Array.isArray(items) && items.every(isObject)) return items;
  throw new ClusterError('unreadable', `GET ${path}: the answer is not a list of objects; is a proxy in between?`);
}

/** Returns the answer to a read; undefined if there is no such object. @throws ClusterError */
export async function readIfThere(
  client: Pick<ApiClient, 'call'>,
  request: ApiRequest,
): Promise<JsonObject | undefined> {
  try {
    return (await client.call(request)).body;
  } catch (error) {
    if (error instanceof ClusterError && error.code === 'not-found') return undefined;
    throw error;
  }
}

function closeIdle({ freeSockets }: HttpAgent | HttpsAgent): void {
  for (const idle of Object.values(freeSockets).flat()) idle?.destroy();
}

async function callOnce(access: Access, agent: HttpAgent | HttpsAgent, request: ApiRequest): Promise<ApiResponse> {
  const { method, contentType = 'application/json', timeoutMs } = request;
  const { origin, pathname } = access.server;
  if (timeoutMs !== undefined && timeoutMs <= 0) throw timedOut(origin);
  const body = JSON.stringify(request.body) as string | undefined;
  const within = (ms: number) => {
    const limit = AbortSignal.timeout(Math.ceil(ms));
    return request.signal ? AbortSignal.any([request.signal, limit]) : limit;
  };
  let signal = within(timeoutMs ?? CREDENTIALS_MS);
  const credentials = await access.credentials(signal);
  if (timeoutMs === undefined) signal = within(DEFAULT_TIMEOUT_MS);
  const headers = {
    accept: 'application/json',
    ...request.headers,
    ...credentials.headers,
    'user-agent': 'muster',
    // Without the length, which Node does not send for a DELETE, the API server would ignore the preconditions.
    ...(body !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
  };
  const options = { ...credentials, ...(!access.proxied && { agent }), method, signal, headers };
  const url = `${origin}${pathname.replace(/\/$/, '')}${request.path}`;
  const { message, bytes } = await send(url, options, body, request.mostBytes ?? MOST_BYTES).catch((error) => {
    // One of several API servers behind the address may hang: idle connections may lead to it too.
    if (error instanceof ClusterError && error.code === 'timeout' && !request.signal?.aborted) closeIdle(agent);
    throw error;
  });
  const status = message.statusCode ?? 0;
  if (status < 200 || status > 299) throw statusError(status, asJson(bytes), request);
  const answer = asJson(bytes);
  if (answer === undefined)
    throw new ClusterError('unreadable', `the API server at ${origin} answered without a JSON object`);
  const date = Date.parse(message.headers.date ?? '') || undefined;
  return { body: answer, bytes: bytes.length, date, warnings: warningsOf(message) };
}
