/**
 * Calls to one API server: JSON in and out over kept-alive connections, with a time limit on each and an error that says
 * what to mend. Authentication is much of it client-node's; its own client opens a connection for each call, so the calls are ours.
 */
import type { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import { plain, shorten } from '../../engine/text.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { type Access, type AccessFlags, loadAccess } from './access.ts';
import { credentialsOf } from './credentials.ts';
import { ClusterError } from './errors.ts';
import { exchange, warningsOf } from './exchange.ts';
import { failureOf } from './failure.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query, such as `/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/x`. */
  readonly path: string;
  readonly body?: unknown;
  /** Default: `application/json`. */
  readonly contentType?: string;
  /** Ends the call early, as a `timeout`. */
  readonly signal?: AbortSignal;
  /** Milliseconds for all of it. Default: 10 s. */
  readonly timeoutMs?: number;
  /** Bytes of the answer, at most. Default: 256 MiB. */
  readonly mostBytes?: number;
  /** How an answer of 2xx is read; undefined: it can't be. Default: as JSON, all of it. */
  readonly read?: (bytes: Buffer) => JsonObject | undefined;
}

export interface ApiResponse {
  readonly status: number;
  readonly body: JsonObject;
  /** The API server's clock, in milliseconds since the epoch (whole seconds). */
  readonly date: number | undefined;
  /** Texts of its `Warning` headers, such as those of webhooks; absent where there are none. */
  readonly warnings?: readonly string[];
}

export interface ApiClient {
  /** Where the API server is, for people: scheme, host and port. */
  readonly server: string;
  /** `--namespace`, else that of the pod or the context, else `default`. */
  readonly namespace: string;
  /** One call. @throws ClusterError for whatever is not a 2xx with a JSON object in it */
  call(request: ApiRequest): Promise<ApiResponse>;
  /** Connections, against the most there may be; of calls that wait for one there are as many as reviews in flight need. */
  readonly connections?: () => { readonly held: number; readonly limit: number };
  /** Closes idle connections. */
  close(): void;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** Bytes of an answer: a page of 500 large objects fits. */
const MOST_BYTES = 256 * 1024 * 1024;
/** More calls at a time wait for a connection. */
const MOST_CONNECTIONS = 64;

/** @throws ClusterError `no-access` */
export function openCluster(flags: AccessFlags): ApiClient {
  let access = loadAccess(flags);
  const server = serverOf(access);
  const agent = agentFor(server);
  return {
    server: server.origin,
    namespace: flags.namespace || access.namespace || 'default',
    close: () => agent.destroy(),
    connections: () => ({
      held: [agent.sockets, agent.freeSockets].flatMap(Object.values).flat().length,
      limit: MOST_CONNECTIONS,
    }),
    async call(request) {
      try {
        return await callOnce(access, agent, request);
      } catch (error) {
        const again = error instanceof ClusterError && (error.code === 'unauthorized' || isStaleConnection(error));
        if (!again || request.signal?.aborted) throw error;
        // A token that was rotated is cached for a minute; a connection may have been closed while it was idle.
        if (error.code === 'unauthorized') access = loadAccess(flags);
        return callOnce(access, agent, request);
      }
    },
  };
}

function serverOf(access: Access): URL {
  const { server } = access.cluster;
  try {
    const url = new URL(server);
    if (url.protocol === 'https:' || url.protocol === 'http:') return url;
  } catch {
    // Said below.
  }
  // Before an "@" there may stand a password.
  const shown = server.includes('@') ? '' : ` "${plain(shorten(server, 128))}"`;
  throw new ClusterError('no-access', `the cluster's server${shown} is no address; it reads https://HOST:PORT`);
}

function agentFor({ protocol }: URL): HttpAgent | HttpsAgent {
  const options = { keepAlive: true, maxSockets: MOST_CONNECTIONS, scheduling: 'lifo' } as const;
  // An import would fetch all that the module keeps for later: 22 ms of a start (src/server/admission/incoming.ts).
  return protocol === 'http:' ? new (process.getBuiltinModule('node:http').Agent)(options) : new HttpsAgent(options);
}

async function callOnce(access: Access, agent: HttpAgent | HttpsAgent, request: ApiRequest): Promise<ApiResponse> {
  const { origin, pathname } = serverOf(access);
  const target = `${origin}${pathname.replace(/\/$/, '')}${request.path}`;
  const options = await authenticated(access, agent, request);
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const { message, bytes } = await exchange(target, options, body, request.mostBytes ?? MOST_BYTES);
  const status = message.statusCode ?? 0;
  if (status < 200 || status > 299) throw failureOf(status, asJson(bytes), request);
  const answer = (request.read ?? asJson)(bytes);
  if (answer === undefined)
    throw new ClusterError('unreadable', `the API server at ${origin} answered without a JSON object`);
  const date = Date.parse(message.headers.date ?? '');
  const warnings = warningsOf(message.rawHeaders);
  return {
    status,
    body: answer,
    date: Number.isNaN(date) ? undefined : date,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

async function authenticated(
  access: Access,
  agent: HttpAgent | HttpsAgent,
  { method, body, contentType, signal: gone, timeoutMs }: ApiRequest,
): Promise<RequestOptions> {
  const limit = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs ?? DEFAULT_TIMEOUT_MS)));
  const signal = gone === undefined ? limit : AbortSignal.any([gone, limit]);
  const theirs = await credentialsOf(access, signal);
  return {
    ...theirs,
    // Through a proxy the way is client-node's; else ours, which keeps connections alive.
    agent: access.cluster.proxyUrl ? theirs.agent : agent,
    method,
    signal,
    headers: {
      ...theirs.headers,
      accept: 'application/json',
      'user-agent': 'muster',
      ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
    },
  };
}

function isStaleConnection(error: ClusterError): boolean {
  return error.code === 'unreachable' && (error.cause as { reused?: boolean } | undefined)?.reused === true;
}

/** Undefined where it is none, or no object. */
export function asJson(bytes: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
