/**
 * Releases the lock of a join when the cluster leaves: if the membership is to be deleted, its join is completed. The
 * code reads the membership, and does not trust the review, which anyone who can call the webhook may have sent.
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

/** Releases the lock of a join if the membership is stored. The leave is allowed in any case. Ends by the deadline. */
export async function releaseOnLeave(
  { leases, observer, pause = sleep }: Omit<Locks, 'expiry'>,
  { dialect, oldObject }: Subject,
  deadline: Deadline,
  newView: (deadline: Deadline) => ClusterView,
): Promise<void> {
  const uid = textAt(oldObject, ['metadata', 'uid']);
  const limit = noLaterThan(Date.now() + RELEASE_MS, deadline);
  for (let attempt = 1; attempt <= ATTEMPTS && !isPast(limit); attempt++) {
    try {
      const state = await leases.read(dialect, limit);
      const { lock } = state;
      const isJoin = lock?.operation === 'CREATE' && lock.object === dialect.claim?.membershipName;
      if (!isJoin || uid === undefined || lock.uid !== uid) return;
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
