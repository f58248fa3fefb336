/** The registrar of one member: reserves ids at the hub for reviews, and runs rounds for the loop. */
import { textAt } from '../../base/json.ts';
import type { Deadline } from '../../engine/cluster-state.ts';
import type { ClusterIdentity, ReservationAnswer } from '../../rules/rule.ts';
import { type ApiClient, expectObject } from '../live/client.ts';
import { boundTo, withDeadline, withRetries } from '../live/client-wrappers.ts';
import { ClusterError, lacksRight, onlyClusterErrors } from '../live/errors.ts';
import { createClusterReader } from '../live/reader.ts';
import type { Hub, Unreachable } from './hub.ts';
import { heldAnswer } from './reservation.ts';
import { type LookUpResult, lookUp, type ReserveResult, reserve } from './reserve.ts';
import { type RoundOptions, type RoundResult, runRound } from './round.ts';

/** The outcomes of reservations, for metrics. */
type RegistrarOutcome = 'made' | 'renewed' | 'denied' | 'unreachable' | 'confirmed' | 'released';

interface RegistrarObserver {
  reservation(outcome: RegistrarOutcome): void;
}

/** Reserves ids at the hub for reviews. */
export interface Registrar {
  /** Reserves an id for a join of this cluster. Never throws. */
  reserve(identity: ClusterIdentity, deadline: Deadline): Promise<ReservationAnswer>;
  /**
   * Returns the answer that `reserve` would give, and writes nothing: for a dry run. A read does not show whether the
   * hub has the namespace, and grants the right to create Leases.
   */
  lookUp(identity: ClusterIdentity, deadline: Deadline): Promise<ReservationAnswer>;
  /** Announces a join that was allowed, so that it is confirmed soon. */
  joined(): void;
}

/** A cluster that reserves ids. */
interface Member {
  /** Returns the uid of its `kube-system` namespace, under which it reserves. @throws ClusterError */
  readonly holder: (deadline: Deadline) => Promise<string>;
  /** The clock of its API server, in milliseconds since the epoch. */
  readonly clock: () => number;
}

interface RegistrarOptions extends Member {
  readonly hub: Hub;
  readonly observer?: RegistrarObserver;
  readonly onJoin?: () => void;
}

/** Creates the registrar of a member. It makes no call yet. */
export function createRegistrar(options: RegistrarOptions): Registrar {
  const { hub, holder, observer, clock, onJoin = () => {} } = options;
  const ask = async (
    deadline: Deadline,
    act: (own: string) => Promise<ReserveResult | LookUpResult>,
  ): Promise<ReservationAnswer> => {
    const own = await ownUid(holder, deadline);
    const answer = typeof own === 'string' ? await act(own) : own;
    if (answer.kind === 'unreachable') {
      observer?.reservation('unreachable');
      return answer;
    }
    if (answer.kind === 'held') {
      observer?.reservation('denied');
      return heldAnswer(answer.reservation);
    }
    if (answer.kind === 'made' || answer.kind === 'renewed') observer?.reservation(answer.kind);
    return { kind: 'ours' };
  };
  return {
    reserve: (identity, deadline) =>
      ask(deadline, (own) => reserve(hub, identity, { holder: own, now: clock }, deadline)),
    lookUp: (identity, deadline) => ask(deadline, (own) => lookUp(hub, identity, { holder: own }, deadline)),
    joined: onJoin,
  };
}

/** Returns the uid under which this cluster reserves ids, or why it can't be read. */
async function ownUid(holder: Member['holder'], deadline: Deadline): Promise<string | Unreachable> {
  try {
    return await holder(deadline);
  } catch (error) {
    const failure = onlyClusterErrors(error);
    const fix = 'muster may not get the namespace kube-system: apply its RBAC anew (muster manifests --config FILE)';
    const reason = lacksRight(failure) ? fix : `the uid of kube-system can't be read: ${failure.message}`;
    return { kind: 'unreachable', reason };
  }
}

/**
 * Returns the member of a client. Its clock is as the last read of the holder has found it: that of this machine may be
 * wrong, and then a reservation would be released too early. The holder is read each time: the server may run outside
 * of its cluster, and another cluster with the same address must not change the reservations of the first.
 */
export function identifyMember(client: Pick<ApiClient, 'call'>): Member {
  let ahead = 0;
  return {
    async holder(deadline) {
      const path = '/api/v1/namespaces/kube-system';
      const { body, date } = await withRetries(client).call(withDeadline({ method: 'GET', path }, deadline));
      const uid = textAt(expectObject(body, ['', 'Namespace', 'kube-system']), ['metadata', 'uid']);
      if (!uid) throw new ClusterError('unreadable', `GET ${path}: the answer has no uid; is a proxy in between?`);
      if (date !== undefined) ahead = date - Date.now();
      return uid;
    },
    clock: () => Date.now() + ahead,
  };
}

interface SyncOptions extends Member, Pick<RoundOptions, 'listsAll'> {
  readonly hub: Hub;
  /** The client of this member's API server. */
  readonly client: ApiClient;
  readonly observer?: RegistrarObserver;
}

const NOTHING = { made: [], confirmed: [], released: [], waiting: [], conflicts: [] };
const NOTHING_DONE = { ...NOTHING, unconfirmed: undefined, unlabeled: undefined };

/** Runs one round of a member, for its loop and `muster registrar sync`. Never throws because of an answer. */
export async function syncOnce(options: SyncOptions, deadline: Deadline): Promise<RoundResult> {
  const { hub, client, holder, observer, clock, listsAll } = options;
  const own = await ownUid(holder, deadline);
  if (typeof own !== 'string') return { ...NOTHING_DONE, problems: [own.reason] };
  const newView = () => createClusterReader(boundTo(client, deadline));
  const holderNow = (until: Deadline) => ownUid(holder, until);
  const member = { holder: own, now: clock };
  const result = await runRound({ hub, newView, member, holderNow, listsAll }, deadline);
  for (const _ of result.made) observer?.reservation('made');
  for (const _ of [...result.made, ...result.confirmed]) observer?.reservation('confirmed');
  for (const _ of result.released) observer?.reservation('released');
  return result;
}
