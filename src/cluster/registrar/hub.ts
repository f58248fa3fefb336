/**
 * The hub: the Leases of one namespace of an API server that all members of a ClusterSet share. Each id is the name of
 * a Lease, and two objects of one name can't exist, so the storage of the hub decides who has an id.
 */
import { type JsonObject, textAt } from '../../base/json.ts';
import { type Deadline, noLaterThan } from '../../engine/cluster-state.ts';
import { leasesPath } from '../live/api-paths.ts';
import { type ApiClient, expectObject } from '../live/client.ts';
import { boundTo, withDeadline } from '../live/client-wrappers.ts';
import { ClusterError, lacksRight, onlyClusterErrors } from '../live/errors.ts';
import { collectAll } from '../live/list.ts';
import { type Reservation, reservationIn, selectorOf } from './reservation.ts';

/** There is no reliable answer of the hub: none in time, 401, 403, 404 for the namespace, 429, or 5xx. */
export interface Unreachable {
  readonly kind: 'unreachable';
  /** One line, with the fix where there is one. */
  readonly reason: string;
}

type Found = { readonly kind: 'found'; readonly reservation: Reservation };
type Listed = { readonly kind: 'listed'; readonly reservations: readonly Reservation[] };
type Written = { readonly kind: 'written'; readonly reservation: Reservation };
type Deleted = { readonly kind: 'deleted' };
type Absent = { readonly kind: 'absent' };
/** The Lease was changed meanwhile; or, for a creation, it exists. */
type LeaseConflict = { readonly kind: 'conflict' };

/** Calls of the hub. None throws; each but the lists takes at most HUB_CALL_MS. */
export interface Hub {
  /** The address of the API server and the namespace, for messages. */
  readonly name: string;
  get(name: string, deadline: Deadline): Promise<Found | Absent | Unreachable>;
  /** Returns all reservations. Unlike other calls, it may take until the deadline. */
  list(deadline: Deadline): Promise<Listed | Unreachable>;
  /**
   * The same for one holder. Nothing is kept of the Leases of others: any member can write many and large ones, which
   * must not fill the memory of the other members' servers.
   * @param byLabel whether to list only those whose label names the holder
   */
  listOf(holder: string, byLabel: boolean, deadline: Deadline): Promise<Listed | Unreachable>;
  create(lease: JsonObject, deadline: Deadline): Promise<Written | LeaseConflict | Unreachable>;
  /** Replaces the Lease, if the stored one has the same uid and resourceVersion. */
  update(lease: JsonObject, deadline: Deadline): Promise<Written | LeaseConflict | Absent | Unreachable>;
  /** Deletes the Lease, if it is unchanged since it was read. */
  delete(reservation: Reservation, deadline: Deadline): Promise<Deleted | LeaseConflict | Absent | Unreachable>;
}

/** The most milliseconds of one call, so that a hub that hangs does not use up the time of a join. */
export const HUB_CALL_MS = 3000;
/** The most characters of the reservations of one holder, as JSON: each has about a thousand. */
const MOST_OF_HOLDER = 8 * 2 ** 20;

/** Creates the calls of a hub. The reservations are in the namespace of its client. */
export function createHub(client: ApiClient): Hub {
  const { namespace } = client;
  const path = leasesPath(namespace);
  const pathOf = (name: string) => `${path}/${encodeURIComponent(name)}`;
  const bounded = (deadline: Deadline) => noLaterThan(Date.now() + HUB_CALL_MS, deadline);
  /** Makes a call, and returns its result, or what its failure means. */
  const attempt = async <Result, Failed = never>(
    call: () => Promise<Result>,
    failed: (error: ClusterError) => Failed | undefined = () => undefined,
  ): Promise<Result | Failed | Unreachable> => {
    try {
      return await call();
    } catch (thrown) {
      const error = onlyClusterErrors(thrown);
      return failed(error) ?? { kind: 'unreachable', reason: describeHubError(error, namespace) };
    }
  };
  const answered = (body: JsonObject, name: string): Reservation => {
    const reservation = reservationIn(expectObject(body, ['coordination.k8s.io', 'Lease', name]));
    if (reservation === undefined) throw new ClusterError('unreadable', `the hub answered with another Lease`);
    return reservation;
  };
  const write = async (method: 'POST' | 'PUT', lease: JsonObject, deadline: Deadline): Promise<Written> => {
    const name = nameIn(lease);
    const request = { method, path: method === 'POST' ? path : pathOf(name), body: lease } as const;
    const { body } = await client.call(withDeadline(request, bounded(deadline)));
    const reservation = answered(body, name);
    // A proxy may answer with an older state of the Lease.
    if (reservation.holder === textAt(lease, ['spec', 'holderIdentity'])) return { kind: 'written', reservation };
    throw new ClusterError('unreadable', 'the hub answered a write with another Lease than the written one');
  };
  const collect = (
    deadline: Deadline,
    keep: (lease: JsonObject) => Reservation | readonly Reservation[],
    selector?: string,
  ): Promise<Listed | Unreachable> => {
    const options = { path, signal: deadline.signal, end: deadline.at, ...(selector !== undefined && { selector }) };
    return attempt(async () => {
      const reservations = await collectAll(boundTo(client, deadline), options, keep);
      return { kind: 'listed', reservations } as const;
    });
  };
  return {
    name: `${client.server}, namespace ${namespace}`,
    get(name, deadline) {
      const call = async () => {
        const { body } = await client.call(withDeadline({ method: 'GET', path: pathOf(name) }, bounded(deadline)));
        return { kind: 'found', reservation: answered(body, name) } as const;
      };
      return attempt(call, absentIn);
    },
    list: (deadline) => collect(deadline, (lease) => reservationIn(lease) ?? []),
    listOf(holder, byLabel, deadline) {
      let size = 0;
      const keep = (lease: JsonObject) => {
        const reservation = reservationIn(lease);
        // A label may be wrong or missing: who holds a reservation is in its spec.
        if (reservation?.holder !== holder) return [];
        size += JSON.stringify(lease).length;
        if (size <= MOST_OF_HOLDER) return reservation;
        const why = `the Leases of this cluster have more than ${MOST_OF_HOLDER} characters`;
        throw new ClusterError('unreadable', `${why}; delete those that muster did not make`);
      };
      return collect(deadline, keep, byLabel ? selectorOf(holder) : undefined);
    },
    create: (lease, deadline) => attempt(() => write('POST', lease, deadline), conflictIn),
    update: (lease, deadline) =>
      attempt(
        () => write('PUT', lease, deadline),
        (error) => conflictIn(error) ?? absentIn(error),
      ),
    delete({ name, lease }, deadline) {
      const preconditions = {
        uid: textAt(lease, ['metadata', 'uid']),
        resourceVersion: textAt(lease, ['metadata', 'resourceVersion']),
      };
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions };
      const call = async () => {
        await client.call(withDeadline({ method: 'DELETE', path: pathOf(name), body }, bounded(deadline)));
        return { kind: 'deleted' } as const;
      };
      return attempt(call, (error) => conflictIn(error) ?? absentIn(error));
    },
  };
}

/** Returns why there is no reliable answer, and the fix. */
function describeHubError(error: ClusterError, namespace: string): string {
  const { code, status, message } = error;
  if (lacksRight(error))
    return `the hub refuses muster's credentials: apply its Role in ${namespace} (muster manifests --registrar)`;
  if (code === 'unauthorized') return 'the hub does not know the credentials of registrar.kubeconfig: renew them';
  if (code === 'not-found')
    return `the hub has no namespace ${namespace}: apply its manifests (muster manifests --registrar)`;
  if (status === 429) return 'the hub has too many requests (429)';
  return `the hub can't be relied on: ${message}`;
}

function nameIn(lease: JsonObject): string {
  return textAt(lease, ['metadata', 'name']) ?? '';
}

function conflictIn({ code }: ClusterError): LeaseConflict | undefined {
  return code === 'conflict' ? { kind: 'conflict' } : undefined;
}

function absentIn({ absent }: ClusterError): Absent | undefined {
  return absent === 'object' ? { kind: 'absent' } : undefined;
}
