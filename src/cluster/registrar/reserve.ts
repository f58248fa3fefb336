/** Operations on one reservation: reserve and look up, for joins of a member; release and takeover, for commands. */
import type { Deadline } from '../../engine/cluster-state.ts';
import type { ClusterIdentity } from '../../rules/rule.ts';
import type { Hub, Unreachable } from './hub.ts';
import { newReservation, type Reservation, renewedLease, reservationName, takenLease } from './reservation.ts';

/** The member that reserves, and its clock. */
export interface ReservingMember {
  /** The uid of its `kube-system` namespace. */
  readonly holder: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The result of reserving an id for a join. */
export type ReserveResult = { readonly kind: 'made' | 'renewed' } | NotOurs;

/** What looking an id up for a dry run finds: whether it could be reserved. */
export type LookUpResult = { readonly kind: 'free' | 'ours' } | NotOurs;

type NotOurs = { readonly kind: 'held'; readonly reservation: Reservation } | Unreachable;

/** A further attempt is needed only after a race with our own loop, or with a holder that releases the reservation. */
const ATTEMPTS = 3;

export const CHANGING = 'the reservation changes all the time; try again';

/**
 * Reserves an id for a join of this member: creates the Lease, or renews it if the member holds it already, so that the
 * loop does not release it during the join. Never takes a reservation from another member.
 */
export async function reserve(
  hub: Hub,
  identity: ClusterIdentity,
  { holder, now }: ReservingMember,
  deadline: Deadline,
): Promise<ReserveResult> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const created = await hub.create(newReservation(identity, { holder, now: now() }), deadline);
    if (created.kind === 'unreachable') return created;
    if (created.kind === 'written') return { kind: 'made' };
    const found = await hub.get(reservationName(identity), deadline);
    if (found.kind === 'unreachable') return found;
    if (found.kind === 'absent') continue;
    if (found.reservation.holder !== holder) return { kind: 'held', reservation: found.reservation };
    const renewed = await hub.update(renewedLease(found.reservation, now()), deadline);
    if (renewed.kind === 'unreachable') return renewed;
    if (renewed.kind === 'written') return { kind: 'renewed' };
  }
  return { kind: 'unreachable', reason: CHANGING };
}

/** Returns the result that `reserve` would have, and writes nothing. */
export async function lookUp(
  hub: Hub,
  identity: ClusterIdentity,
  { holder }: Pick<ReservingMember, 'holder'>,
  deadline: Deadline,
): Promise<LookUpResult> {
  const found = await hub.get(reservationName(identity), deadline);
  if (found.kind === 'unreachable') return found;
  if (found.kind === 'absent') return { kind: 'free' };
  if (found.reservation.holder === holder) return { kind: 'ours' };
  return { kind: 'held', reservation: found.reservation };
}

/** The result of a command. `changed`: the Lease was written at the same moment. */
export type CommandResult =
  | { readonly kind: 'done' | 'absent' | 'changed' }
  | { readonly kind: 'other-holder'; readonly reservation: Reservation }
  | Unreachable;

/** Deletes a reservation, if it belongs to this holder. */
export async function release(
  hub: Hub,
  identity: ClusterIdentity,
  holder: string,
  deadline: Deadline,
): Promise<CommandResult> {
  return replace(hub, identity, holder, deadline, (reservation) => hub.delete(reservation, deadline));
}

/** Makes this member the holder in place of another, if that one is. The member then has 120 s to join. */
export async function takeover(
  hub: Hub,
  identity: ClusterIdentity,
  { from, to }: { readonly from: string; readonly to: ReservingMember },
  deadline: Deadline,
): Promise<CommandResult> {
  return replace(hub, identity, from, deadline, (reservation) =>
    hub.update(takenLease(reservation, to.holder, to.now()), deadline),
  );
}

async function replace(
  hub: Hub,
  identity: ClusterIdentity,
  holder: string,
  deadline: Deadline,
  act: (reservation: Reservation) => ReturnType<Hub['delete'] | Hub['update']>,
): Promise<CommandResult> {
  const found = await hub.get(reservationName(identity), deadline);
  if (found.kind !== 'found') return found;
  const { reservation } = found;
  if (reservation.holder !== holder) return { kind: 'other-holder', reservation };
  const result = await act(reservation);
  if (result.kind === 'unreachable') return result;
  if (result.kind === 'conflict') return { kind: 'changed' };
  return { kind: result.kind === 'absent' ? 'absent' : 'done' };
}
