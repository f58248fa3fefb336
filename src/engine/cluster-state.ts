/** What a server evaluates a write against: the state of the cluster, and the time there is for reading it. */

import type { Subject } from '../rules/rule.ts';
import type { Engine } from './evaluate.ts';
import type { Verdict } from './verdict.ts';

/** The moment at which an answer is due, and a signal that aborts when the request ends before it. */
export interface Deadline {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly signal: AbortSignal;
}

/** What is stored in a cluster, and what other writes are about to store there. */
export interface ClusterState {
  /**
   * Evaluates one write with `engine`, as often as needed, and returns the verdict that holds: at once where nothing
   * has to be read, else as a promise. Never rejects. Ends at most a moment after the deadline.
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
    // Read when it is needed: most writes need no read, and the signal is made on first use.
    get signal() {
      return deadline.signal;
    },
  };
}

/** Returns whether the deadline has passed or the request has ended. */
export function isPast({ at, signal }: Deadline): boolean {
  return signal.aborted || Date.now() >= at;
}
