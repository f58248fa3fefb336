/**
 * One round of the member's loop, which confirms and releases reservations. A review can't do that, since it comes
 * before the write is stored. A round is idempotent: each replica may run one at any time.
 *
 *   1. list the reservations of the member at the hub
 *   2. read the member's ids and memberships. Since this is after step 1, the join of an old reservation in the list is
 *      stored by now, or never will be. If the uid has changed meanwhile, they are those of another cluster
 *   3. confirm the reservations of the memberships; make those that are missing
 *   4. release the member's other reservations that are old enough
 *
 * Each release is under the uid and the resourceVersion of step 1. A join at the same moment renews its reservation, so
 * the release fails.
 */
import { claimDialects } from '../../api/dialects.ts';
import type { Deadline } from '../../engine/cluster-state.ts';
import { identitiesOf } from '../../rules/claim/identities.ts';
import type { ClusterIdentity, ClusterView } from '../../rules/rule.ts';
import type { Hub, Unreachable } from './hub.ts';
import { confirmedLease, newReservation, type Reservation, renewedLease, reservationName } from './reservation.ts';
import { CHANGING, type ReservingMember } from './reserve.ts';

/** A membership whose id is reserved by another cluster. */
export interface RegistrarConflict {
  readonly identity: ClusterIdentity;
  readonly reservation: Reservation;
}

/** The results of one round. */
export interface RoundResult {
  /** Reservations that were missing, and were made. */
  readonly made: readonly ClusterIdentity[];
  readonly confirmed: readonly ClusterIdentity[];
  /** Reservations that were released. */
  readonly released: readonly Reservation[];
  /** Reservations without a stored membership that are too young to be released. */
  readonly waiting: readonly Reservation[];
  readonly conflicts: readonly RegistrarConflict[];
  /** The number of reservations of this member that are not confirmed; undefined if they could not be read. */
  readonly unconfirmed: number | undefined;
  /** The same for those without the label of the holder, which only a round finds that lists all reservations. */
  readonly unlabeled: number | undefined;
  /** One line for each failed call, with its fix. The next round tries again. */
  readonly problems: readonly string[];
}

/**
 * The seconds after which a reservation without a stored membership is released: an API server ends a request within
 * 60 s, and the clocks of a member's API servers, which its replicas use, may differ by 30 s.
 */
export const RELEASE_SECONDS = 120;
/** How far these clocks may differ. A time further in the future is ignored. */
const SKEW_MS = 30_000;

export interface RoundOptions {
  readonly hub: Hub;
  /** Creates a view of this member's cluster. It is called after the hub was listed. */
  readonly newView: () => ClusterView;
  readonly member: ReservingMember;
  /** Reads the uid of this member's cluster again. */
  readonly holderNow: (deadline: Deadline) => Promise<string | Unreachable>;
  /** Whether to list the reservations of all holders, which finds those of the member without its label, too. */
  readonly listsAll: boolean;
}

/** Confirms, makes and releases reservations once. Never throws for what the hub or the cluster answers. */
export async function runRound(options: RoundOptions, deadline: Deadline): Promise<RoundResult> {
  const { hub, newView, member, holderNow, listsAll } = options;
  const round = new Round(hub, member, deadline);
  const listed = await hub.listOf(member.holder, !listsAll, deadline);
  if (listed.kind === 'unreachable') return { ...round, problems: [listed.reason] };
  const own = listed.reservations;
  round.unconfirmed = own.filter(({ confirmed }) => !confirmed).length;
  round.unlabeled = own.filter(({ labeled }) => !labeled).length;
  const view = newView();
  const answers = await Promise.all(claimDialects.map((dialect) => identitiesOf(dialect, view)));
  const known = answers.flatMap((answer) => (answer.known ? answer.value : []));
  const unread = answers.flatMap((answer) => (answer.known ? [] : [answer.reason]));
  round.problems.push(...unread);
  const holder = await holderNow(deadline);
  if (holder !== member.holder) {
    const reason = typeof holder === 'string' ? 'another cluster has come to its address' : holder.reason;
    return { ...round, problems: [...round.problems, `the round ends without a change: ${reason}`] };
  }
  const held = new Map(own.map((reservation) => [reservation.name, reservation]));
  for (const identity of known) await round.confirm(identity, held.get(reservationName(identity)));
  // If a claim could not be read, any reservation may have a membership, so none is released.
  if (unread.length > 0) return { ...round };
  const inForce = new Set(known.map(reservationName));
  for (const reservation of own) if (!inForce.has(reservation.name)) await round.release(reservation);
  return { ...round };
}

class Round implements RoundResult {
  readonly made: ClusterIdentity[] = [];
  readonly confirmed: ClusterIdentity[] = [];
  readonly released: Reservation[] = [];
  readonly waiting: Reservation[] = [];
  readonly conflicts: RegistrarConflict[] = [];
  unconfirmed: number | undefined;
  unlabeled: number | undefined;
  readonly problems: string[] = [];
  readonly #hub: Hub;
  readonly #member: ReservingMember;
  readonly #deadline: Deadline;

  constructor(hub: Hub, member: ReservingMember, deadline: Deadline) {
    this.#hub = hub;
    this.#member = member;
    this.#deadline = deadline;
  }

  async confirm(identity: ClusterIdentity, listed: Reservation | undefined): Promise<void> {
    const reservation = listed ?? (await this.#findOrMake(identity));
    if (reservation === undefined) return;
    if (reservation.holder !== this.#member.holder) return void this.conflicts.push({ identity, reservation });
    // An own one that was not listed has no label yet, or is of a join since then.
    if (reservation.confirmed && reservation.labeled && listed !== undefined) return;
    const result = await this.#hub.update(confirmedLease(reservation), this.#deadline);
    if (result.kind === 'unreachable') this.problems.push(result.reason);
    if (result.kind !== 'written') return;
    this.confirmed.push(identity);
    if (listed?.confirmed === false) this.#settled();
  }

  /** Returns the reservation of an id, whoever holds it. If nobody does, makes it. */
  async #findOrMake(identity: ClusterIdentity): Promise<Reservation | undefined> {
    const find = () => this.#hub.get(reservationName(identity), this.#deadline);
    let found = await find();
    if (found.kind === 'absent') {
      const { holder, now } = this.#member;
      const lease = newReservation(identity, { holder, now: now(), confirmed: true });
      const created = await this.#hub.create(lease, this.#deadline);
      if (created.kind === 'written') return void this.made.push(identity);
      // Another replica, or another cluster, has made it meanwhile.
      found = created.kind === 'conflict' ? await find() : created;
    }
    if (found.kind === 'found') return found.reservation;
    return void this.problems.push(found.kind === 'unreachable' ? found.reason : CHANGING);
  }

  async release(reservation: Reservation): Promise<void> {
    const now = this.#member.now();
    const { renewed, labeled } = reservation;
    const isUsable = renewed !== undefined && renewed <= now + SKEW_MS;
    const isOld = isUsable && now - renewed > RELEASE_SECONDS * 1000;
    if (isUsable && !isOld && labeled) return void this.waiting.push(reservation);
    // Without a usable time, or while it lacks the label, the reservation is renewed, and counts as made now.
    const result = isOld
      ? await this.#hub.delete(reservation, this.#deadline)
      : await this.#hub.update(renewedLease(reservation, now), this.#deadline);
    if (result.kind === 'deleted') {
      this.released.push(reservation);
      if (!reservation.confirmed) this.#settled();
    }
    if (result.kind === 'written') this.waiting.push(reservation);
    if (result.kind === 'unreachable') this.problems.push(result.reason);
  }

  #settled(): void {
    this.unconfirmed = (this.unconfirmed ?? 1) - 1;
  }
}
