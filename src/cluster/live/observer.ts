/** What the metrics count of calls to a cluster: one word each, so that there are few. */
import type { ClusterErrorCode } from './errors.ts';

export type ReadOutcome = 'found' | 'absent' | 'no-kind' | ClusterErrorCode;

/** What became of a lock, each with its meaning. */
export const lockOutcomes = {
  acquired: 'acquired: the write was allowed',
  held: 'another write of this identity was under way until the deadline: 503',
  failed: 'the Lease could not be read or written: 503',
  'released-early': 'released, as nobody was waiting for the answer any more',
  released: 'leaving released the lock of the join',
  leaked: 'could not be released: it blocks other writers until it expires',
} as const;

export type LockOutcome = keyof typeof lockOutcomes;

export interface ClusterObserver {
  read(outcome: ReadOutcome): void;
  lock(outcome: LockOutcome): void;
}

/** Ignores everything. */
export const noObserver: ClusterObserver = { read: () => {}, lock: () => {} };
