/**
 * Releases the lock of a join when the cluster leaves: a membership that is about to be deleted is stored. That it is stored is read and not
 * taken from the review, which anyone may have sent who can call the webhook.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { textAt } from '../../base/json.ts';
import { type Deadline, isPast, noLaterThan } from '../../engine/cluster-state.ts';
import type { ClusterView, Subject } from '../../rules/rule.ts';
import { isRetryable, onlyClusterErrors } from '../live/errors.ts';
import { ATTEMPTS, FIRST_PAUSE_MS, type Locks } from './identity-write.ts';
import { progressOf } from './lock-state.ts';

/** The answer waits for the release at most this long. Once the membership is deleted, only expiry ends a lock that is still held. */
const RELEASE_MS = 3000;

/** Releases the lock, if it is held and the membership is stored. The leave is allowed whatever comes of it. Ends before the deadline. */
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
      const progress = await progressOf(lock, dialect, newView(limit));
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
