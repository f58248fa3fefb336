/** Decides whether a lock is free: released, expired, completed, or held by the same writer. */
import type { Dialect } from '../../api/dialects.ts';
import { textAt } from '../../base/json.ts';
import type { ClusterView } from '../../rules/rule.ts';
import { isWellKnown } from '../live/api-paths.ts';
import type { IdentityWrite } from './find-identity-write.ts';
import type { LeaseState } from './leases.ts';
import { LOCK_SECONDS, type Lock } from './lock.ts';

type LockState =
  | { readonly kind: 'free' }
  /** The same writer holds it, and its write is not completed. */
  | { readonly kind: 're-entrant'; readonly lock: Lock }
  | { readonly kind: 'held'; readonly lock: Lock };

/** Returns the state of the lock for a write. @param view with reads made since the Lease was read */
export async function lockStateFor(
  { writer }: IdentityWrite,
  { dialect, lock, now }: LeaseState,
  view: ClusterView,
  expiry: Expiry,
): Promise<LockState> {
  if (lock === undefined || expiry.hasExpired(dialect.name, lock, now)) return { kind: 'free' };
  const progress = await writeProgress(lock, dialect, view);
  if (progress === 'completed') return { kind: 'free' };
  return { kind: progress === 'pending' && lock.writer === writer ? 're-entrant' : 'held', lock };
}

/**
 * Returns `completed` if a consistent read proves that the write of a lock is stored or can't be stored any more, else
 * `pending`; `unknown` if the read failed. An UPDATE or DELETE is stored only under the resourceVersion of its
 * admission, so it is completed once the stored version is another one. A CREATE is completed once an object with its
 * uid is stored.
 */
export async function writeProgress(lock: Lock, dialect: Dialect, view: ClusterView) {
  const { operation, object, uid, resourceVersion, ambiguous } = lock;
  if (operation === undefined || object === undefined || uid === undefined || ambiguous) return 'pending';
  if (!isWellKnown(dialect, object)) return 'pending';
  if (operation !== 'CREATE' && resourceVersion === undefined) return 'pending';
  const stored = await view.get({ dialect, name: object });
  if (!stored.known) return 'unknown';
  const isSameObject = stored.value !== undefined && textAt(stored.value, ['metadata', 'uid']) === uid;
  if (operation === 'CREATE') return isSameObject ? 'completed' : 'pending';
  const isUnchanged = isSameObject && textAt(stored.value, ['metadata', 'resourceVersion']) === resourceVersion;
  return isUnchanged ? 'pending' : 'completed';
}

export interface Expiry {
  /**
   * Whether a lock has expired: by its time and the API server's clock, or because this process has seen it unchanged
   * for that long.
   * @param dialect the name of the dialect whose lock it is
   * @param now the API server's clock, in milliseconds since the epoch
   */
  hasExpired(dialect: string, lock: Lock, now: number): boolean;
}

/** @param clock milliseconds that never decrease */
export function createExpiry(clock: () => number = () => performance.now()): Expiry {
  /** The last seen lock of each dialect. */
  const seen = new Map<string, { readonly text: string; readonly since: number }>();
  return {
    hasExpired(dialect, lock, now) {
      const text = JSON.stringify(lock);
      const before = seen.get(dialect);
      if (before?.text !== text) seen.set(dialect, { text, since: clock() });
      // The API server's clock has whole seconds, so a difference may be almost a second too long: hence `>`, not `>=`.
      if (lock.renewed !== undefined && now - lock.renewed > LOCK_MS) return true;
      return before?.text === text && clock() - before.since > LOCK_MS;
    },
  };
}

const LOCK_MS = LOCK_SECONDS * 1000;
