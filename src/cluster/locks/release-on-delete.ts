/**
 * Releases the lock of a creation when its object is deleted without a lock: when the cluster leaves, or an exempt
 * caller deletes an id. If the object is to be deleted, its creation is completed. The code reads the object, and does
 * not trust the review, which anyone who can call the webhook may have sent.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { textAt } from '../../base/json.ts';
import { type Deadline, isPast, noLaterThan } from '../../engine/cluster-state.ts';
import type { ClusterView, Subject } from '../../rules/rule.ts';
import { isRetryable, onlyClusterErrors } from '../live/errors.ts';
import { ATTEMPTS, FIRST_PAUSE_MS, type Locks } from './identity-write.ts';
import { writeProgress } from './lock-state.ts';

/** The most milliseconds that the answer waits for the release. A lock that is not released then has to expire. */
const RELEASE_MS = 3000;

/**
 * Releases the lock of a creation if its object is stored. The deletion is allowed in any case. Ends by the deadline.
 */
export async function releaseOnDelete(
  { leases, observer, pause = sleep }: Omit<Locks, 'expiry'>,
  { dialect, name, oldObject }: Subject,
  deadline: Deadline,
  newView: (deadline: Deadline) => ClusterView,
): Promise<void> {
  const uid = textAt(oldObject, ['metadata', 'uid']);
  const limit = noLaterThan(Date.now() + RELEASE_MS, deadline);
  for (let attempt = 1; attempt <= ATTEMPTS && !isPast(limit); attempt++) {
    try {
      const state = await leases.read(dialect, limit);
      const { lock } = state;
      const isCreation = lock?.operation === 'CREATE' && lock.object === name;
      if (!isCreation || uid === undefined || lock.uid !== uid) return;
      const progress = await writeProgress(lock, dialect, newView(limit));
      if (progress === 'pending') return;
      if (progress === 'completed') {
        await leases.release(state, limit);
        return observer.lock('released');
      }
    } catch (error) {
      const failure = onlyClusterErrors(error);
      if (failure.code !== 'conflict' && !isRetryable(failure)) break;
    }
    await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
  }
  observer.lock('leaked');
}
