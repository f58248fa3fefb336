/** An API server in memory: objects by path, with uids and resourceVersions; conflicts are as etcd decides on them. */
import { type JsonObject, textAt } from '../../src/base/json.ts';
import type { ApiClient, ApiRequest, ApiResponse } from '../../src/cluster/live/client.ts';
import { ClusterError, statusError } from '../../src/cluster/live/errors.ts';

/** What comes in between; `call` is `METHOD path`, with the query. */
export interface Hooks {
  /** Comes before each call; may wait, or throw in its place. */
  before: (call: string, request: ApiRequest) => Promise<void> | void;
  /** Comes after each call, before its answer is known; may wait, or throw in its place. */
  after: (call: string, request: ApiRequest) => Promise<void> | void;
}

export interface MemoryApi extends Hooks {
  readonly client: ApiClient;
  /** Another client, with hooks of its own. */
  clientWith(hooks: Partial<Hooks>): ApiClient;
  /** `METHOD path` of every call of a client, in order. */
  readonly calls: string[];
  /** By path; the documents of discovery too. */
  readonly objects: Map<string, JsonObject>;
  /** Milliseconds since the epoch, as in its answers. */
  now: number;
  /**
   * Stores an object, whatever is there, under a new resourceVersion. Its uid is its own, else that of the stored one,
   * else a new one.
   */
  set(path: string, object: JsonObject): JsonObject;
  /** Answers a request, by a status other than 2xx where an API server does. */
  answer(request: ApiRequest): ApiResponse & { readonly status: number };
}

interface Options {
  /** Default: `default`. */
  readonly namespace?: string;
  /** Whether the kind of a path is there; default: all are. */
  readonly serves?: (path: string) => boolean;
}

export function createMemoryApi({ namespace = 'default', serves = () => true }: Options = {}): MemoryApi {
  const objects = new Map<string, JsonObject>();
  const calls: string[] = [];
  let revision = 100;
  const next = () => String(++revision);
  const set = (path: string, object: JsonObject): JsonObject => {
    const [uid = `uid-${next()}`] = [object, objects.get(path)].flatMap(
      (one) => textAt(one, ['metadata', 'uid']) ?? [],
    );
    const metadata = { ...(object['metadata'] as JsonObject), uid, resourceVersion: next() };
    objects.set(path, { ...object, metadata });
    return { ...object, metadata };
  };
  const perform = ({ method, path: address, body }: ApiRequest): JsonObject => {
    const [path = '', query] = address.split('?');
    const sent = structuredClone((body ?? {}) as JsonObject);
    const name = method === 'POST' ? textAt(sent, ['metadata', 'name']) : path.split('/').at(-1);
    const own = method === 'POST' ? `${path}/${name}` : path;
    const found = objects.get(own);
    if (path === '/version') return {};
    if (!serves(path)) return status(404);
    if (method === 'GET' && isCollection(path)) return listOf(path, new URLSearchParams(query).get('labelSelector'));
    if (method === 'POST') return found === undefined ? set(own, sent) : status(409, name);
    if (found === undefined) return status(404, name);
    if (method === 'GET') return found;
    const known = method === 'DELETE' ? sent['preconditions'] : sent['metadata'];
    const isSame = ['uid', 'resourceVersion'].every((key) => textAt(known, [key]) === textAt(found, ['metadata', key]));
    if (!isSame && method !== 'PATCH') return status(409, name);
    if (query === 'dryRun=All') return found;
    if (method !== 'DELETE') return set(own, method === 'PATCH' ? { ...found, ...sent } : sent);
    objects.delete(own);
    return { kind: 'Status', status: 'Success' };
  };
  const listOf = (path: string, selector: string | null): JsonObject => {
    const [label = '', value] = selector?.split('=') ?? [];
    const items = [...objects].flatMap(([key, object]) => (key.startsWith(`${path}/`) ? [object] : []));
    const isSelected = (object: JsonObject) => !selector || textAt(object, ['metadata', 'labels', label]) === value;
    return { kind: 'List', metadata: {}, items: items.filter(isSelected) };
  };
  const answer = (request: ApiRequest) => {
    const body = perform(request);
    const { code } = body;
    return { status: typeof code === 'number' ? code : 200, body, date: Math.floor(api.now / 1000) * 1000 };
  };
  const clientWith = (hooks: Partial<Hooks>): ApiClient => ({
    server: 'https://memory',
    namespace,
    close: () => {},
    async call(request) {
      const call = `${request.method} ${request.path}`;
      calls.push(call);
      await hooks.before?.(call, request);
      const answered = answer(request);
      await hooks.after?.(call, request);
      if (answered.status > 299) throw statusError(answered.status, answered.body, request);
      return answered;
    },
  });
  const hooks: Hooks = { before: () => {}, after: () => {} };
  const api: MemoryApi = Object.assign(hooks, {
    client: clientWith(hooks),
    clientWith,
    calls,
    objects,
    now: Date.parse('2026-01-01T00:00:00Z'),
    set,
    answer,
  });
  return api;
}

/** A status that names the object, or nothing where the kind is not there. */
function status(code: 404 | 409, name?: string): JsonObject {
  const message = code === 404 ? `"${name}" not found` : `"${name}" exists already, or has been modified`;
  return { kind: 'Status', code, message, details: name === undefined ? {} : { name } };
}

/** As in `/apis/GROUP/VERSION/PLURAL` and `/api/v1/namespaces/NAMESPACE/PLURAL`. */
function isCollection(path: string): boolean {
  const [, root, ...rest] = path.split('/');
  return rest.slice(root === 'api' ? 1 : 2).length % 2 === 1;
}

/** A call that fails with this code, for `before` and `after`. */
export function failing(code: ClusterError['code'], when: (call: string) => boolean): Hooks['before'] {
  return (call) => {
    if (when(call))
      throw new ClusterError(code, `${call}: as the test has it`, code === 'forbidden' ? { status: 403 } : {});
  };
}
