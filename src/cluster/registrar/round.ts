/**
 * One round of the member's loop, which confirms and releases reservations. A review comes before the storing, so that
 * none of it can happen there. Idempotent: each replica may run it at any moment.
 *
 *   1. list the reservations of the hub
 *   2. read the own ids and memberships: after step 1, so that a join whose reservation is old there is stored by now,
 *      or never
 *   3. confirm the reservation that fits; make it where nobody holds it
 *   4. release the member's others that are old enough
 *
 * Each write has the uid and the resourceVersion of step 1 as its condition: a join at the same moment renews its
 * reservation, and so keeps it.
 */
import { dialects } from '../../api/dialects.ts';
import type { Deadline } from '../../engine/cluster-state.ts';
import { identitiesOf } from '../../rules/claim/identities.ts';
import type { ClusterIdentity, ClusterView } from '../../rules/rule.ts';
import type { Hub } from './hub.ts';
import { confirmedLease, newReservation, type Reservation, renewedLease, reservationName } from './reservation.ts';
import type { ReservingMember } from './reserve.ts';

/** A membership in force whose id another cluster holds at the hub. */
export interface RegistrarConflict {
  readonly identity: ClusterIdentity;
  readonly reservation: Reservation;
}

/** What one round did. */
export interface RoundResult {
  /** Reservations that were missing, and that this member has now. */
  readonly made: readonly ClusterIdentity[];
  readonly confirmed: readonly ClusterIdentity[];
  /** Reservations that were given back. */
  readonly released: readonly Reservation[];
  /** Reservations of this member without a stored membership that are too young to be given back. */
  readonly waiting: readonly Reservation[];
  readonly conflicts: readonly RegistrarConflict[];
  /** How many reservations of this member are not known to have a stored membership; undefined: not read. */
  readonly unconfirmed: number | undefined;
  /** What could not be read or written, one line each with its fix: the next round tries again. */
  readonly problems: readonly string[];
}

/**
 * The seconds after which a reservation without a stored membership is given back: an API server ends a request within
 * 60 s, and the clocks of a member's replicas may differ by 30 s.
 */
export const RELEASE_SECONDS = 120;
/** By so much the clocks of replicas may differ: a time further in the future is none. */
const SKEW_MS = 30_000;

interface RoundOptions {
  readonly hub: Hub;
  /** Reads this member. Each object is read after the list of the hub. */
  readonly newView: (deadline: Deadline) => ClusterView;
  readonly member: ReservingMember;
}

/** Confirms, makes and releases reservations once. Never throws for what the hub or the cluster answers. */
export async function runRound(options: RoundOptions, deadline: Deadline): Promise<RoundResult> {
  const { hub, newView, member } = options;
  const round = new Round(hub, member, deadline);
  const listed = await hub.list(deadline);
  if (listed.kind === 'unreachable') return { ...round, problems: [listed.reason] };
  round.unconfirmed = listed.reservations.filter(
    ({ holder, confirmed }) => holder === member.holder && !confirmed,
  ).length;
  const view = newView(deadline);
  const claims = dialects.filter(({ claim }) => claim !== undefined);
  const answers = await Promise.all(claims.map((dialect) => identitiesOf(dialect, view)));
  const known = answers.flatMap((answer) => (answer.known ? answer.value : []));
  const unread = answers.flatMap((answer) => (answer.known ? [] : [answer.reason]));
  round.problems.push(...unread);
  const held = new Map(listed.reservations.map((reservation) => [reservation.name, reservation]));
  for (const identity of known) await round.confirm(identity, held.get(reservationName(identity)));
  // What is not known may be in force.
  if (unread.length > 0) return { ...round };
  const inForce = new Set(known.map(reservationName));
  for (const reservation of listed.reservations)
    if (reservation.holder === member.holder && !inForce.has(reservation.name)) await round.release(reservation);
  return { ...round };
}

class Round implements RoundResult {
  readonly made: ClusterIdentity[] = [];
  readonly confirmed: ClusterIdentity[] = [];
  readonly released: Reservation[] = [];
  readonly waiting: Reservation[] = [];
  readonly conflicts: RegistrarConflict[] = [];
  unconfirmed: number | undefined;
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
    const reservation = listed ?? (await this.#make(identity));
    if (reservation === undefined) return;
    if (reservation.holder !== this.#member.holder) this.conflicts.push({ identity, reservation });
    else if (!reservation.confirmed) {
      const result = await this.#hub.update(confirmedLease(reservation), this.#deadline);
      if (result.kind === 'written') {
        this.confirmed.push(identity);
        this.#settled();
      } else if (result.kind === 'unreachable') this.problems.push(result.reason);
    }
  }

  /** Makes a reservation that is missing. Returns that of another which was faster. */
  async #make(identity: ClusterIdentity): Promise<Reservation | undefined> {
    const { holder, now } = this.#member;
    const lease = newReservation(identity, { holder, now: now(), confirmed: true });
    const created = await this.#hub.create(lease, this.#deadline);
    if (created.kind === 'written') this.made.push(identity);
    if (created.kind === 'unreachable') this.problems.push(created.reason);
    if (created.kind !== 'conflict') return undefined;
    const found = await this.#hub.get(reservationName(identity), this.#deadline);
    if (found.kind === 'unreachable') this.problems.push(found.reason);
    return found.kind === 'found' ? found.reservation : undefined;
  }

  async release(reservation: Reservation): Promise<void> {
    const now = this.#member.now();
    const { renewed } = reservation;
    // Without a time that can be relied on it counts from now.
    const isUsable = renewed !== undefined && renewed <= now + SKEW_MS;
    if (isUsable && now - renewed <= RELEASE_SECONDS * 1000) return void this.waiting.push(reservation);
    const result = isUsable
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
