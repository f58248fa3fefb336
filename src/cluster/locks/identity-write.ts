/**
 * Evaluates one identity write under the lock of its dialect. Two such writes can each be valid, but not both together,
 * so one is allowed only while it holds the lock:
 *
 *   1. evaluate the object alone    a denial needs no lock
 *   2. read the lock                `leases.read`
 *   3. decide whether it is free    `lockStateFor`: released, expired, completed, or held by the same writer
 *   4. evaluate                     with reads made since step 2; a CREATE of what exists is 409 (`alreadyExists`),
 *                                   a server-side apply of it 503; one with a resourceVersion is 422 (`notNew`)
 *   5. reserve                      a join, where a registrar is configured: the id of step 4 at the hub
 *   6. acquire                      `leases.acquire`, under the resourceVersion of step 2: success proves that no other
 *                                   write was allowed since, so the reads are still valid; it comes after the hub, so
 *                                   that no other write waits for the hub
 *   7. answer                       allowed. A write that finds the lock held in step 3, or another write ahead of it
 *                                   in step 6, repeats steps 2 to 6, five times in all; then it gets 503 (`tryAgain`).
 *                                   If step 4 finds the other write stored, it may be denied
 *   8. release                      on delete (release-on-delete.ts); else the next writer finds it completed in step 3
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { listAt, textAt } from '../../base/json.ts';
import { fieldOf } from '../../base/text.ts';
import { type Deadline, isPast, noLaterThan } from '../../engine/cluster-state.ts';
import { nothingKnown } from '../../engine/evaluate.ts';
import type { Engine, Finding, Guard, Verdict } from '../../engine/index.ts';
import type { ClusterView, Subject } from '../../rules/rule.ts';
import { isWellKnown } from '../live/api-paths.ts';
import { ClusterError, describeServerLockError, onlyClusterErrors } from '../live/errors.ts';
import type { IdentityWrite } from './find-identity-write.ts';
import { type LeaseState, type Leases, type ReleaseLock, UncertainLock } from './leases.ts';
import { LOCK_SECONDS, type Lock } from './lock.ts';
import { type Expiry, lockStateFor } from './lock-state.ts';

/** The outcomes of a lock; docs/live.md explains each. */
export const lockOutcomes = ['acquired', 'held', 'failed', 'released-early', 'released', 'leaked'] as const;

export interface LockObserver {
  lock(outcome: (typeof lockOutcomes)[number]): void;
}

export interface Locks {
  readonly leases: Leases;
  readonly observer: LockObserver;
  readonly expiry: Expiry;
  /** Waits. Default: by the clock. For tests. */
  readonly pause?: ((milliseconds: number) => Promise<unknown>) | undefined;
}

interface LockedWrite {
  readonly subject: Subject;
  readonly write: IdentityWrite;
  /** The rule because of which the lock is needed. */
  readonly guard: Guard;
  readonly engine: Engine;
  readonly deadline: Deadline;
  /** Creates a view for one attempt, whose reads have to be made after the lock was read. */
  readonly newView: (deadline: Deadline) => ClusterView;
  /** Adds the hub to a view, for a join that reserves its id. */
  readonly withHub?: ((view: ClusterView) => ClusterView) | undefined;
}

/** Most writes are stored within milliseconds of their admission, so a few attempts avoid most 503 for rivals. */
export const ATTEMPTS = 5;
export const FIRST_PAUSE_MS = 10;
/** The time for reads that can only add findings to a denial. */
const MORE_FINDINGS_MS = 500;
/** The time for a release after the request has ended. */
const EARLY_RELEASE_MS = 2000;

/** Returns the verdict on an identity write; where it is allowed, the write holds the lock. */
export async function evaluateIdentityWrite(locks: Locks, locked: LockedWrite): Promise<Verdict> {
  const { subject, engine, deadline, newView } = locked;
  const alone = await engine.evaluate(subject, nothingKnown);
  if (alone.skipped !== undefined) return alone;
  // The denial is certain without other objects. Findings that depend on them are added if they can be read soon.
  if (alone.outcome === 'denied')
    return engine.evaluate(subject, newView(noLaterThan(Date.now() + MORE_FINDINGS_MS, deadline)));
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === ATTEMPTS;
    const result = await attemptOnce(locks, locked, isLast);
    if (!('rival' in result)) return result;
    if (isLast || isPast(deadline)) {
      locks.observer.lock('held');
      return tryAgain(result.verdict, locked, result.rival);
    }
    await (locks.pause ?? sleep)(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
  }
}

const FREE = { kind: 'free' } as const;

/** Another write, the rival, has the lock. The verdict is the one without the rival. */
type Blocked = { readonly verdict: Verdict; readonly rival: string };

async function attemptOnce(locks: Locks, locked: LockedWrite, isLast: boolean): Promise<Verdict | Blocked> {
  const { leases, observer, expiry } = locks;
  const { subject, write, engine, deadline } = locked;
  const state = await leases.read(write.dialect, deadline).catch(onlyClusterErrors);
  const view = locked.newView(deadline);
  const [lockState, existing] = await Promise.all([
    // If the Lease can't be read, this is not used: unless the write is refused anyway, the answer is `tryAgain` below.
    state instanceof ClusterError ? FREE : lockStateFor(write, state, view, expiry),
    write.operation === 'CREATE' ? view.get({ dialect: write.dialect, name: write.name }) : undefined,
  ]);
  const verdict = await engine.evaluate(subject, view);
  if (verdict.outcome !== 'allowed') return verdict;
  if (existing?.known && existing.value !== undefined) return alreadyExists(verdict, locked);
  if (hasStoredVersion(subject)) return notNew(verdict, locked);
  if (state instanceof ClusterError) {
    observer.lock('failed');
    return tryAgain(verdict, locked, describeServerLockError('get', leases.nameOf(write.dialect), state));
  }
  const held = lockState.kind === 'free' ? undefined : lockState.lock;
  if (held !== undefined && (lockState.kind === 'held' || (!isLast && isDuplicate(held, write))))
    return { verdict, rival: rivalOf(held, write) };
  // The view has read all objects already, so only the hub is called in addition.
  const reserved = locked.withHub ? await engine.evaluate(subject, locked.withHub(view)) : verdict;
  if (reserved.outcome !== 'allowed') return reserved;
  return acquire(locks, locked, { state, verdict: reserved, held });
}

/**
 * Whether the same user creates the same object again, under another uid. Usually the first one is stored within a
 * moment, so a further attempt finds a certain answer. If the first is never stored, the lock is ambiguous until it
 * expires.
 */
function isDuplicate(held: Lock, { operation, uid }: IdentityWrite): boolean {
  return operation === 'CREATE' && held.uid !== uid;
}

async function acquire(
  { leases, observer }: Locks,
  locked: LockedWrite,
  { state, verdict, held }: { state: LeaseState; verdict: Verdict; held: Lock | undefined },
): Promise<Verdict | Blocked> {
  const { write, deadline } = locked;
  const acquired = await leases.acquire(state, write, held, deadline).catch(onlyClusterErrors);
  if (!(acquired instanceof ClusterError)) {
    observer.lock('acquired');
    if (!isPast(deadline)) return verdict;
    await releaseEarly(observer, acquired);
    return tryAgain(verdict, locked, 'the request ended before it was decided');
  }
  if (acquired.code === 'conflict') return { verdict, rival: 'another write got ahead of it' };
  observer.lock('failed');
  if (acquired instanceof UncertainLock) await releaseEarly(observer, acquired.release);
  return tryAgain(verdict, locked, describeServerLockError('update', leases.nameOf(write.dialect), acquired));
}

/** Releases the lock of a request that has ended, with a deadline of its own. */
async function releaseEarly(observer: LockObserver, release: ReleaseLock): Promise<void> {
  try {
    await release({ at: Date.now() + EARLY_RELEASE_MS, signal: new AbortController().signal });
    observer.lock('released-early');
  } catch (error) {
    // A conflict means that another write has acquired the lock meanwhile.
    if (onlyClusterErrors(error).code !== 'conflict') observer.lock('leaked');
  }
}

/**
 * Returns the verdict on a write that lost a race or could not get the lock: indeterminate, since a repetition may
 * succeed. `statusOf` in respond.ts answers it with 503 and `retryAfterSeconds`.
 */
function tryAgain(verdict: Verdict, { subject, guard }: LockedWrite, reason: string): Verdict {
  const field = fieldOf(subject.operation === 'DELETE' ? ['metadata', 'name'] : ['spec', 'value']);
  const message = `cannot be decided now: ${reason}`;
  return { ...verdict, outcome: 'indeterminate', indeterminate: [{ ...guard, field, message }] };
}

/**
 * Returns the denial, with 409, of a CREATE whose object exists, as the API server itself would answer. If it were
 * allowed, it would never be stored, and its lock would block other writes until it expires. A server-side apply that
 * lost a race gets 503 instead: kubectl repeats it, and then it is an UPDATE.
 */
function alreadyExists(verdict: Verdict, locked: LockedWrite): Verdict {
  const { subject, guard } = locked;
  if (isApplied(subject)) return tryAgain(verdict, locked, 'another write has just created it; try again');
  const path = ['metadata', 'name'];
  const message = `${subject.dialect.plural} "${subject.name}" already exists`;
  return denied(verdict, { ...guard, path, message, code: 409 });
}

const RESOURCE_VERSION = ['metadata', 'resourceVersion'];

/** API servers ignore a larger version, as they ignore 0 and what is no number. */
const LARGEST_VERSION = 2n ** 64n - 1n;

/**
 * Whether a CREATE has the version of a stored object, as an exported one has. The API server refuses it, but only
 * after admission. A server-side apply may have one.
 */
function hasStoredVersion(subject: Subject): boolean {
  const text = textAt(subject.object, RESOURCE_VERSION) ?? '';
  const version = /^\d{1,20}$/.test(text) ? BigInt(text) : 0n;
  return subject.operation === 'CREATE' && version > 0n && version <= LARGEST_VERSION && !isApplied(subject);
}

/** Returns the denial of such a CREATE: it would never be stored, as in `alreadyExists`. */
function notNew(verdict: Verdict, { guard }: LockedWrite): Verdict {
  const message = 'must not be set on an object to be created; remove it';
  return denied(verdict, { ...guard, path: RESOURCE_VERSION, message, code: 422 });
}

/**
 * Whether the write is a server-side apply: its options are those of any CREATE, and of a sent object with such an
 * entry the API server drops the entry before admission.
 */
function isApplied({ object }: Subject): boolean {
  return listAt(object, ['metadata', 'managedFields']).some((entry) => textAt(entry, ['operation']) === 'Apply');
}

function denied(verdict: Verdict, found: Omit<Finding, 'action' | 'field'>): Verdict {
  const finding = { ...found, action: 'deny', field: fieldOf(found.path) } as const;
  return { ...verdict, outcome: 'denied', findings: [...verdict.findings, finding] };
}

/** Describes the rival. A Lease may have any content, so only well-known names are repeated. */
function rivalOf({ operation, object }: Lock, { dialect }: IdentityWrite): string {
  const isNamed = operation !== undefined && object !== undefined && isWellKnown(dialect, object);
  const which = isNamed ? ` (${operation} of ${object})` : '';
  return (
    `another write of this cluster's identity${which} is under way; try again (it counts as over after ` +
    `${LOCK_SECONDS} s at most)`
  );
}
