/**
 * The hub: the Leases of one namespace of one API server, which all members of a ClusterSet share. Two objects of one
 * name can't exist, so that its storage decides who has an id.
 */
import { type JsonObject, textAt } from '../../base/json.ts';
import { type Deadline, noLaterThan } from '../../engine/cluster-state.ts';
import { leasesPath } from '../live/api-paths.ts';
import { type ApiClient, expectObject } from '../live/client.ts';
import { ClusterError, type ClusterErrorCode, lacksRight, onlyClusterErrors } from '../live/errors.ts';
import { listAll } from '../live/list.ts';
import { withDeadline } from '../live/live-view.ts';
import { type Reservation, reservationIn } from './reservation.ts';

/** The hub gives no answer that could be relied on: none in time, 401, 403, 404 of the namespace, 429, 5xx. */
export interface Unreachable {
  readonly kind: 'unreachable';
  readonly code: ClusterErrorCode;
  /** One line, with the fix where there is one. */
  readonly reason: string;
}

type Found = { readonly kind: 'found'; readonly reservation: Reservation };
type Listed = { readonly kind: 'listed'; readonly reservations: readonly Reservation[] };
type Written = { readonly kind: 'written'; readonly reservation: Reservation };
type Deleted = { readonly kind: 'deleted' };
type Absent = { readonly kind: 'absent' };
/** The Lease is another one by now; or, for a creation, it exists. */
type LeaseConflict = { readonly kind: 'conflict' };

/** Every call ends soon, and none throws. */
export interface Hub {
  /** The address of the API server and the namespace, for messages. */
  readonly name: string;
  get(name: string, deadline: Deadline): Promise<Found | Absent | Unreachable>;
  /** Returns all reservations; unlike the others, it may take all the time that there is. */
  list(deadline: Deadline): Promise<Listed | Unreachable>;
  create(lease: JsonObject, deadline: Deadline): Promise<Written | LeaseConflict | Unreachable>;
  /** Writes the Lease, if it still has the uid and the resourceVersion in it. */
  update(lease: JsonObject, deadline: Deadline): Promise<Written | LeaseConflict | Absent | Unreachable>;
  /** Deletes the Lease, if it is as it was read. */
  delete(reservation: Reservation, deadline: Deadline): Promise<Deleted | LeaseConflict | Absent | Unreachable>;
}

/** The most that one call may take, in milliseconds: a hub that hangs must not use up the time of a join. */
export const HUB_CALL_MS = 3000;

/** @param namespace of the hub, with the reservations */
export function createHub(client: ApiClient, namespace: string): Hub {
  const path = leasesPath(namespace);
  const pathOf = (name: string) => `${path}/${encodeURIComponent(name)}`;
  const bounded = (deadline: Deadline) => noLaterThan(Date.now() + HUB_CALL_MS, deadline);
  const unreachable = (error: ClusterError): Unreachable => ({
    kind: 'unreachable',
    code: error.code,
    reason: describeHubError(error, namespace),
  });
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
    // A proxy may answer with the Lease as it was.
    if (reservation.holder === textAt(lease, ['spec', 'holderIdentity'])) return { kind: 'written', reservation };
    throw new ClusterError('unreadable', 'the hub answered a write with another Lease than the written one');
  };
  return {
    name: `${client.server}, namespace ${namespace}`,
    async get(name, deadline) {
      try {
        const { body } = await client.call(withDeadline({ method: 'GET', path: pathOf(name) }, bounded(deadline)));
        return { kind: 'found', reservation: answered(body, name) };
      } catch (error) {
        const failure = onlyClusterErrors(error);
        return failure.absent === 'object' ? { kind: 'absent' } : unreachable(failure);
      }
    },
    async list(deadline) {
      const reservations: Reservation[] = [];
      const call: ApiClient['call'] = (request) => client.call({ ...request, timeoutMs: deadline.at - Date.now() });
      try {
        await listAll(
          { ...client, call },
          { path, signal: deadline.signal },
          {
            begin: () => void reservations.splice(0),
            take: ({ items }) => {
              for (const object of items) {
                const reservation = reservationIn(object);
                if (reservation !== undefined) reservations.push(reservation);
              }
            },
          },
        );
        return { kind: 'listed', reservations };
      } catch (error) {
        return unreachable(onlyClusterErrors(error));
      }
    },
    async create(lease, deadline) {
      try {
        return await write('POST', lease, deadline);
      } catch (error) {
        const failure = onlyClusterErrors(error);
        return failure.code === 'conflict' ? { kind: 'conflict' } : unreachable(failure);
      }
    },
    async update(lease, deadline) {
      try {
        return await write('PUT', lease, deadline);
      } catch (error) {
        return conflictOrAbsent(onlyClusterErrors(error)) ?? unreachable(onlyClusterErrors(error));
      }
    },
    async delete({ name, lease }, deadline) {
      const preconditions = {
        uid: textAt(lease, ['metadata', 'uid']),
        resourceVersion: textAt(lease, ['metadata', 'resourceVersion']),
      };
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions };
      try {
        await client.call(withDeadline({ method: 'DELETE', path: pathOf(name), body }, bounded(deadline)));
        return { kind: 'deleted' };
      } catch (error) {
        return conflictOrAbsent(onlyClusterErrors(error)) ?? unreachable(onlyClusterErrors(error));
      }
    },
  };
}

/** Returns why the hub can't be relied on, and the fix. */
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

/** What a failure says of the Lease: it is another one by now, or there is none. */
function conflictOrAbsent({ code, absent }: ClusterError): LeaseConflict | Absent | undefined {
  if (code === 'conflict') return { kind: 'conflict' };
  return absent === 'object' ? { kind: 'absent' } : undefined;
}
