/**
 * One identity write at a time in each dialect. A write may be allowed only once its intent stands in the dialect's Lease:
 *
 *   look at the Lease -> is whoever stands there settled? -> judge, with reads made since -> put ours there, under the
 *   resourceVersion that was looked at
 *
 * That the Lease is replaced proves that nobody else was allowed anything since the look, so what was read still holds. A
 * denial needs no intent: it is certain as it is.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect } from '../../api/dialects.ts';
import { type Deadline, isPast } from '../../engine/cluster-state.ts';
import type { Engine, Guard, Subject, Verdict } from '../../engine/index.ts';
import type { ClusterView } from '../../rules/rule.ts';
import { ClusterError, onlyClusterErrors } from '../live/errors.ts';
import type { LiveObserver } from '../live/observer.ts';
import { isWellKnown } from '../live/paths.ts';
import { whyNoIntent } from '../live/remedy.ts';
import { alreadyThere, withheld } from './answers.ts';
import { type GiveBack, type Leases, NotSure, type Seen } from './leases.ts';
import { settleJoin, type ViewWithin } from './leave.ts';
import type { Intent } from './lock.ts';
import { createLapseWatch, type LapseWatch, settlementOf } from './lock-state.ts';
import type { IdentityWrite } from './writes.ts';

export interface IntentsOptions {
  readonly leases: Leases;
  readonly observer: LiveObserver;
  readonly lapses?: LapseWatch;
  /** Waits so many milliseconds. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/** One write to decide, and what to decide it with. */
export interface Case {
  readonly subject: Subject;
  readonly write: IdentityWrite;
  readonly guard: Guard;
  readonly engine: Engine;
  readonly patience: Deadline;
  /** A new view for each look: what was read before a look proves nothing after it. */
  readonly newView: () => ClusterView;
}

export interface Intents {
  /** The verdict on an identity write; where it allows, the write's intent stands. */
  decide(one: Case): Promise<Verdict>;
  /** The membership of this uid is about to be deleted: its join is settled, if it is there. Never rejects. */
  left(subject: Subject, uid: string | undefined, patience: Deadline, viewWithin: ViewWithin): Promise<void>;
}

/** A commit follows its admission within milliseconds: looking again for a moment spares most rivals the 503. */
const LOOKS = 5;
const FIRST_PAUSE_MS = 10;
/** For giving back after the request has ended. */
const GIVE_BACK_MS = 2000;

type Means = Required<Omit<IntentsOptions, 'pause'>>;

type Standing =
  | { readonly kind: 'open' }
  /** Of the same owner, not settled. */
  | { readonly kind: 'own'; readonly intent: Intent }
  | { readonly kind: 'held'; readonly intent: Intent };

export function createIntents(options: IntentsOptions): Intents {
  const { leases, observer, lapses = createLapseWatch(), pause = sleep } = options;
  return {
    async decide(one) {
      for (let look = 1; ; look++) {
        const decided = await decideOnce({ leases, observer, lapses }, one, look === LOOKS);
        if (!('blocked' in decided)) return decided;
        if (look === LOOKS || isPast(one.patience)) {
          observer.intent('held');
          return withheld(decided.verdict, one, decided.blocked);
        }
        await pause(FIRST_PAUSE_MS * 2 ** (look - 1) * (0.5 + Math.random()));
      }
    },
    left: (subject, uid, patience, viewWithin) => settleJoin({ leases, observer, viewWithin }, subject, uid, patience),
  };
}

interface Blocked {
  readonly verdict: Verdict;
  /** By whom, in words. */
  readonly blocked: string;
}

/** @param last no look comes after this one */
async function decideOnce(all: Means, one: Case, last: boolean): Promise<Verdict | Blocked> {
  const { leases, observer, lapses } = all;
  const { subject, write, engine, patience } = one;
  const seen = await leases.look(subject.dialect, patience).catch(onlyClusterErrors);
  const view = one.newView();
  const own = write.operation === 'CREATE' ? view.get({ dialect: write.dialect, name: write.name }) : undefined;
  // Awaited further down: until then nobody else may hear of its failure, and that would end the process.
  if (own instanceof Promise) own.catch(() => {});
  const standing = seen instanceof ClusterError ? undefined : await standingOf(seen, write, view, lapses);
  const verdict = await engine.evaluate(subject, view);
  if (verdict.outcome !== 'allowed') return verdict;
  const stored = await own;
  if (stored?.known && stored.value !== undefined) return alreadyThere(verdict, one);
  if (seen instanceof ClusterError || standing === undefined) {
    observer.intent('failed');
    return withheld(verdict, one, whyNoIntent(leases.nameOf(subject.dialect), 'get', seen as ClusterError));
  }
  if (standing.kind === 'held' || (!last && isTwin(standing, write))) {
    return { verdict, blocked: inWords(standing.intent, write.dialect) };
  }
  return take(all, one, seen, standing, verdict);
}

/**
 * The same user creates the same once more, under another uid. Mostly the first is committed in a moment, and what is there
 * can be answered for what it is; only a first that never comes is worth an intent that nothing but time can settle.
 */
function isTwin(
  standing: Standing,
  { operation, uid }: IdentityWrite,
): standing is Exclude<Standing, { kind: 'open' }> {
  return standing.kind === 'own' && operation === 'CREATE' && standing.intent.uid !== uid;
}

async function take(
  { leases, observer }: Means,
  one: Case,
  seen: Seen,
  standing: Standing,
  verdict: Verdict,
): Promise<Verdict | Blocked> {
  const { write, patience } = one;
  const own = standing.kind === 'own' ? standing.intent : undefined;
  const taken = await leases.take(seen, write, own, patience).catch(onlyClusterErrors);
  if (!(taken instanceof ClusterError)) {
    observer.intent('taken');
    if (!isPast(patience)) return verdict;
    await giveBack(observer, taken);
    return withheld(verdict, one, 'the request ended before it was decided');
  }
  if (taken.code === 'conflict') return { verdict, blocked: 'another write got ahead of it' };
  observer.intent('failed');
  if (taken instanceof NotSure) await giveBack(observer, taken.giveBack);
  return withheld(verdict, one, whyNoIntent(leases.nameOf(write.dialect), 'update', taken));
}

async function standingOf(seen: Seen, write: IdentityWrite, view: ClusterView, lapses: LapseWatch): Promise<Standing> {
  const { dialect, intent, now } = seen;
  if (intent === undefined || lapses.hasLapsed(dialect.name, intent, now)) return { kind: 'open' };
  const settlement = await settlementOf(intent, dialect, view);
  if (settlement === 'settled') return { kind: 'open' };
  const own = settlement === 'pending' && intent.owner === write.owner;
  return { kind: own ? 'own' : 'held', intent };
}

/** With time of its own: the request's has ended. */
async function giveBack(observer: LiveObserver, back: GiveBack): Promise<void> {
  const patience = { at: Date.now() + GIVE_BACK_MS, signal: new AbortController().signal };
  try {
    await back(patience);
    observer.intent('given-back');
  } catch (error) {
    // Somebody took it since: then it is not ours to give.
    if (onlyClusterErrors(error).code !== 'conflict') observer.intent('stuck');
  }
}

/** A Lease may hold anything: only a well-known name is repeated. */
function inWords({ operation, object }: Intent, dialect: Dialect): string {
  const told = operation !== undefined && object !== undefined && isWellKnown(dialect, object);
  const which = told ? ` (${operation} of ${object})` : '';
  return `another write of this cluster's identity${which} is under way; try again (it counts as over after 60 s at most)`;
}
