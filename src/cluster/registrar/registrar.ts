/** The registrar of one member: reserves ids at the hub for reviews, and runs rounds for the loop. */

import { textAt } from '../../base/json.ts';
import type { Deadline } from '../../engine/cluster-state.ts';
import type { ClusterIdentity, ClusterView, ReservationAnswer } from '../../rules/rule.ts';
import type { ApiClient } from '../live/client.ts';
import { expectObject } from '../live/client.ts';
import { ClusterError, lacksRight, onlyClusterErrors } from '../live/errors.ts';
import { boundTo, withDeadline } from '../live/live-view.ts';
import { createClusterReader } from '../live/reader.ts';
import type { Hub } from './hub.ts';
import { answerFor, type Reservation } from './reservation.ts';
import { lookUp, reserve } from './reserve.ts';
import { type RoundResult, runRound } from './round.ts';

/** The outcomes of reservations, for metrics. */
type RegistrarOutcome = 'made' | 'renewed' | 'denied' | 'unreachable' | 'confirmed' | 'released';

interface RegistrarObserver {
  reservation(outcome: RegistrarOutcome): void;
}

/** Reserves ids at the hub for reviews. */
export interface Registrar {
  /** Reserves an id for a join of this cluster. Never throws. */
  reserve(identity: ClusterIdentity, deadline: Deadline): Promise<ReservationAnswer>;
  /** Returns the answer that `reserve` would give, and writes nothing: for a dry run. */
  lookUp(identity: ClusterIdentity, deadline: Deadline): Promise<ReservationAnswer>;
  /** Announces a join that was allowed, so that it is confirmed soon. */
  joined(): void;
}

interface RegistrarOptions {
  readonly hub: Hub;
  /** Returns the uid of this cluster's `kube-system` namespace. @throws ClusterError */
  readonly holder: (deadline: Deadline) => Promise<string>;
  readonly observer?: RegistrarObserver;
  /** Milliseconds since the epoch; default: the system's clock. */
  readonly clock?: () => number;
  readonly onJoin?: () => void;
}

export function createRegistrar(options: RegistrarOptions): Registrar {
  const { hub, holder, observer, clock = Date.now, onJoin = () => {} } = options;
  const ask = async (deadline: Deadline, act: (own: string) => Promise<Answered>): Promise<ReservationAnswer> => {
    const own = await ownUid(holder, deadline);
    const answer: Answered = 'problem' in own ? { kind: 'unreachable', reason: own.problem } : await act(own.uid);
    if (answer.kind === 'unreachable') {
      observer?.reservation('unreachable');
      return { kind: 'unreachable', reason: answer.reason };
    }
    if (answer.kind !== 'held') {
      if (answer.kind === 'made' || answer.kind === 'renewed') observer?.reservation(answer.kind);
      return { kind: 'ours' };
    }
    observer?.reservation('denied');
    return answerFor(answer.reservation, '');
  };
  return {
    reserve: (identity, deadline) =>
      ask(deadline, (own) => reserve(hub, identity, { holder: own, now: clock }, deadline)),
    lookUp: (identity, deadline) => ask(deadline, (own) => lookUp(hub, identity, { holder: own }, deadline)),
    joined: onJoin,
  };
}

type Answered =
  | { readonly kind: 'made' | 'renewed' | 'free' | 'ours' }
  | { readonly kind: 'held'; readonly reservation: Reservation }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** Returns the uid under which this cluster reserves ids, or in one line why it can't be read. */
async function ownUid(
  holder: RegistrarOptions['holder'],
  deadline: Deadline,
): Promise<{ readonly uid: string } | { readonly problem: string }> {
  try {
    return { uid: await holder(deadline) };
  } catch (error) {
    const failure = onlyClusterErrors(error);
    const fix = 'muster may not get the namespace kube-system: apply its RBAC anew (muster manifests --config FILE)';
    return { problem: lacksRight(failure) ? fix : `the uid of kube-system can't be read: ${failure.message}` };
  }
}

/** Returns a function that reads the uid of the cluster's `kube-system` namespace, once. */
export function readHolderOnce(client: ApiClient): (deadline: Deadline) => Promise<string> {
  let known: string | undefined;
  return async (deadline) => {
    if (known !== undefined) return known;
    const path = '/api/v1/namespaces/kube-system';
    const { body } = await client.call(withDeadline({ method: 'GET', path }, deadline));
    const uid = textAt(expectObject(body, ['v1', 'Namespace', 'kube-system']), ['metadata', 'uid']);
    if (!uid) throw new ClusterError('unreadable', `GET ${path}: the answer has no uid; is a proxy in between?`);
    known = uid;
    return uid;
  };
}

interface SyncOptions {
  readonly hub: Hub;
  /** The client of this member's API server. */
  readonly client: ApiClient;
  readonly holder: (deadline: Deadline) => Promise<string>;
  readonly observer?: RegistrarObserver;
  readonly clock?: () => number;
}

/** Runs one round of a member, for its loop and `muster registrar sync`. Never throws because of an answer. */
export async function syncOnce(options: SyncOptions, deadline: Deadline): Promise<RoundResult> {
  const { hub, client, holder, observer, clock = Date.now } = options;
  const own = await ownUid(holder, deadline);
  if ('problem' in own)
    return {
      made: [],
      confirmed: [],
      released: [],
      waiting: [],
      conflicts: [],
      unconfirmed: undefined,
      problems: [own.problem],
    };
  const newView = (): ClusterView => createClusterReader(boundTo(client, deadline));
  const result = await runRound({ hub, newView, member: { holder: own.uid, now: clock } }, deadline);
  for (const _ of result.made) observer?.reservation('made');
  for (const _ of [...result.made, ...result.confirmed]) observer?.reservation('confirmed');
  for (const _ of result.released) observer?.reservation('released');
  return result;
}
