/** An API server in memory, as far as the live view sees one: claims and Leases, with uids and resourceVersions. */

import { type Dialect, dialects, lockLeaseName } from '../../src/api/dialects.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { ApiClient, ApiRequest, ApiResponse } from '../../src/cluster/live/client.ts';
import { ClusterError, statusError } from '../../src/cluster/live/errors.ts';

export interface MemoryCluster {
  readonly client: ApiClient;
  /** `METHOD path` of every call, in order; a dry run has its query. */
  readonly calls: string[];
  /** Milliseconds since the epoch, as in its answers. */
  now: number;
  get(dialect: Dialect, name: string): Stored | undefined;
  /** Stores an object under a new resourceVersion, and under a new uid where there was none or another is given. */
  put(dialect: Dialect, name: string, value: string, uid?: string): Stored;
  remove(dialect: Dialect, name: string): void;
  lease(dialect: Dialect): JsonObject;
  setLease(dialect: Dialect, lease: JsonObject | undefined): void;
  /** Comes before each call; may wait, or throw in its place. */
  before: (call: string, request: ApiRequest) => Promise<void> | void;
  /** Comes after each call, before its answer is known; may wait, or throw in its place. */
  after: (call: string, request: ApiRequest) => Promise<void> | void;
}

interface Stored {
  readonly object: JsonObject;
  readonly uid: string;
  readonly resourceVersion: string;
}

export const NAMESPACE = 'muster-system';
const claims: readonly Dialect[] = dialects.filter(({ claim }) => claim !== undefined);

/**
 * With a free Lease for each claim dialect, and no claims. `served`: claim dialects whose CRD is there; default: all.
 */
export function createMemoryCluster(served: readonly Dialect[] = claims): MemoryCluster {
  const objects = new Map<string, Stored>();
  const leases = new Map<string, JsonObject>();
  let revision = 100;
  const next = () => String(++revision);
  const cluster: MemoryCluster = {
    calls: [],
    now: Date.parse('2026-01-01T00:00:00Z'),
    get: (dialect, name) => objects.get(`${dialect.name}/${name}`),
    put(dialect, name, value, uid) {
      const key = `${dialect.name}/${name}`;
      const stored = storedOf(dialect, name, value, uid ?? objects.get(key)?.uid ?? `uid-${next()}`, next());
      objects.set(key, stored);
      return stored;
    },
    remove(dialect, name) {
      next();
      objects.delete(`${dialect.name}/${name}`);
    },
    lease: (dialect) => leases.get(lockLeaseName(dialect)) ?? {},
    setLease(dialect, lease) {
      const name = lockLeaseName(dialect);
      if (lease === undefined) leases.delete(name);
      else
        leases.set(name, {
          ...lease,
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: { ...(lease['metadata'] as JsonObject), name, resourceVersion: next() },
        });
    },
    before: () => {},
    after: () => {},
    client: {
      server: 'https://memory',
      namespace: NAMESPACE,
      close: () => {},
      async call(request) {
        const call = `${request.method} ${request.path}`;
        cluster.calls.push(call);
        await cluster.before(call, request);
        const answer = perform(request);
        await cluster.after(call, request);
        if (answer.status > 299) throw statusError(answer.status, answer.body, request);
        return answer;
      },
    },
  };
  const perform = (request: ApiRequest): ApiResponse => {
    const body = request.path.includes('/leases/') ? onLease(request) : onClaim(request.path);
    return {
      status: typeof body['code'] === 'number' ? body['code'] : 200,
      body,
      date: Math.floor(cluster.now / 1000) * 1000,
    };
  };
  const onClaim = (path: string): JsonObject => {
    const [, , group, version, plural, name = ''] = path.split('/');
    if (plural === undefined) return discovery(group, version);
    const dialect = served.find((one) => one.group === group && one.plural === plural);
    if (dialect === undefined || !dialect.versions.includes(version ?? '')) return missing('');
    return cluster.get(dialect, decodeURIComponent(name))?.object ?? missing(name);
  };
  const discovery = (group: string | undefined, version: string | undefined): JsonObject => {
    const found = dialects.filter((one) => one.group === group && (one.claim === undefined || served.includes(one)));
    if (found.length === 0) return missing('');
    if (version === undefined)
      return { versions: found.flatMap((one) => one.versions.map((name) => ({ version: name }))) };
    return { resources: found.filter((one) => one.versions.includes(version)).map(({ plural }) => ({ name: plural })) };
  };
  const onLease = ({ method, path, body }: ApiRequest): JsonObject => {
    const [address = '', query] = path.split('?');
    const name = address.split('/').at(-1) ?? '';
    const found = leases.get(name);
    if (found === undefined) return missing(name);
    if (method === 'GET') return found;
    const { metadata, ...sent } = structuredClone(body) as JsonObject & { metadata: JsonObject };
    if (metadata['resourceVersion'] !== (found['metadata'] as JsonObject)['resourceVersion'])
      return { kind: 'Status', code: 409, message: 'the object has been modified' };
    if (query === 'dryRun=All') return found;
    const stored = { ...sent, metadata: { ...metadata, resourceVersion: next() } };
    leases.set(name, stored);
    return stored;
  };
  for (const dialect of claims) cluster.setLease(dialect, { metadata: {} });
  return cluster;
}

function missing(name: string): JsonObject {
  return { kind: 'Status', code: 404, message: `"${name}" not found`, details: name === '' ? {} : { name } };
}

function storedOf(dialect: Dialect, name: string, value: string, uid: string, resourceVersion: string): Stored {
  const apiVersion = `${dialect.group}/${dialect.versions.at(-1)}`;
  const object = { apiVersion, kind: dialect.kind, metadata: { name, uid, resourceVersion }, spec: { value } };
  return { object, uid, resourceVersion };
}

/** A call that fails with this code, for `before` and `after`. */
export function failing(code: ClusterError['code'], when: (call: string) => boolean): MemoryCluster['before'] {
  return (call) => {
    if (when(call))
      throw new ClusterError(code, `${call}: as the test has it`, code === 'forbidden' ? { status: 403 } : {});
  };
}
