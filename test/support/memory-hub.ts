/** The hub of a registrar in memory: Leases of one namespace with uids and resourceVersions, as etcd decides on them. */
import { type JsonObject, textAt } from '../../src/base/json.ts';
import type { ApiClient, ApiRequest } from '../../src/cluster/live/client.ts';
import { statusError } from '../../src/cluster/live/errors.ts';
import { createHub, type Hub } from '../../src/cluster/registrar/hub.ts';
import {
  newReservation,
  type Reservation,
  reservationIn,
  reservationName,
} from '../../src/cluster/registrar/reservation.ts';
import type { ClusterIdentity } from '../../src/rules/rule.ts';

export interface MemoryHub {
  readonly hub: Hub;
  /** `METHOD` of every call, in order. */
  readonly calls: string[];
  readonly leases: Map<string, JsonObject>;
  /** Comes before each call; may wait, or throw in its place. */
  before: (request: ApiRequest) => Promise<void> | void;
  find(identity: ClusterIdentity): Reservation | undefined;
  /** Stores a reservation; `change` is made to its Lease. */
  put(identity: ClusterIdentity, holder: string, now: number, change?: (lease: JsonObject) => JsonObject): void;
}

export function createMemoryHub(): MemoryHub {
  const leases = new Map<string, JsonObject>();
  let revision = 0;
  const stored = (lease: JsonObject, uid: string): JsonObject => {
    const metadata = { ...(lease['metadata'] as JsonObject), uid, resourceVersion: String(++revision) };
    return { ...lease, metadata };
  };
  const status = (code: number, name: string) => ({ kind: 'Status', code, message: `${code}`, details: { name } });
  const perform = ({ method, path, body }: ApiRequest): JsonObject => {
    const [address = ''] = path.split('?');
    const isAll = address.endsWith('/leases');
    const sent = structuredClone((body ?? {}) as JsonObject);
    const name = isAll ? (textAt(sent, ['metadata', 'name']) ?? '') : (address.split('/').at(-1) ?? '');
    const found = leases.get(name);
    if (isAll && method === 'GET') return { kind: 'LeaseList', metadata: {}, items: [...leases.values()] };
    if (method === 'POST') {
      if (found !== undefined) return status(409, name);
      leases.set(name, stored(sent, `uid-${++revision}`));
      return leases.get(name) ?? {};
    }
    if (found === undefined) return status(404, name);
    if (method === 'GET') return found;
    const named = method === 'DELETE' ? sent['preconditions'] : sent['metadata'];
    const isSame = ['uid', 'resourceVersion'].every((key) => textAt(named, [key]) === textAt(found, ['metadata', key]));
    if (!isSame) return status(409, name);
    if (method === 'DELETE') leases.delete(name);
    else leases.set(name, stored(sent, textAt(found, ['metadata', 'uid']) ?? ''));
    return leases.get(name) ?? { kind: 'Status', status: 'Success' };
  };
  const client: ApiClient = {
    server: 'https://hub',
    namespace: 'ids',
    close: () => {},
    async call(request) {
      memory.calls.push(request.method);
      await memory.before(request);
      const body = perform(request);
      const { code } = body;
      if (typeof code === 'number') throw statusError(code, body, request);
      return { status: 200, body, date: undefined };
    },
  };
  const memory: MemoryHub = {
    hub: createHub(client, 'ids'),
    calls: [],
    leases,
    before: () => {},
    find(identity) {
      const lease = leases.get(reservationName(identity));
      return lease && reservationIn(lease);
    },
    put(identity, holder, now, change = (lease) => lease) {
      leases.set(
        reservationName(identity),
        stored(change(newReservation(identity, { holder, now })), `uid-${++revision}`),
      );
    },
  };
  return memory;
}
