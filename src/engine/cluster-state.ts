/** The state of a cluster that the server evaluates writes against, and the deadline for reading it. */

import type { Subject } from '../rules/rule.ts';
import type { Engine } from './evaluate.ts';
import type { Verdict } from './verdict.ts';

/** The time at which an answer is due, and a signal that aborts if the request ends earlier. */
export interface Deadline {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly signal: AbortSignal;
}

/** The objects that are stored in a cluster, and the locks of writes that are under way. */
export interface ClusterState {
  /**
   * Evaluates one write with `engine`, several times if needed, and returns the final verdict; a promise if something
   * has to be read. Never rejects. Ends at most a moment after the deadline.
   */
  evaluate(subject: Subject, engine: Engine, deadline: Deadline): Verdict | Promise<Verdict>;
}

/**
 * Returns a deadline with the signal of `deadline` at the moment `at` (milliseconds since the epoch), or at its own if
 * that is earlier.
 */
export function noLaterThan(at: number, deadline: Deadline): Deadline {
  return {
    at: Math.min(at, deadline.at),
    // A getter, since the signal is made on first use, and most writes don't need it.
    get signal() {
      return deadline.signal;
    },
  };
}

/** Returns whether the deadline has passed or the request has ended. */
export function isPast({ at, signal }: Deadline): boolean {
  return signal.aborted || Date.now() >= at;
}
