/** How long to wait for a cluster, and whether there is anybody who waits. */
import type { Patience } from './view.ts';

/** A tenth of what is left at most. */
const ANSWER_MS = 250;

/**
 * Less time, so that some is left for a verdict: what can't be read by then is unknown, which may be a refusal for another
 * reason, or (in mode warn) no refusal at all; once the request's time is over, all that can be said is 503.
 */
export function sooner(patience: Patience): Patience {
  const left = Math.max(0, patience.deadline - Date.now());
  return new Shorter(patience, patience.deadline - Math.min(ANSWER_MS, left / 10));
}

export function noLongerThan(milliseconds: number, patience: Patience): Patience {
  return new Shorter(patience, Math.min(patience.deadline, Date.now() + milliseconds));
}

/** Asks for the other's signal only when asked: it is made then, and most writes need no read. */
class Shorter implements Patience {
  readonly deadline: number;
  readonly #other: Patience;

  constructor(other: Patience, deadline: number) {
    this.deadline = deadline;
    this.#other = other;
  }

  get signal(): AbortSignal {
    return this.#other.signal;
  }
}

export function isOver({ deadline, signal }: Patience): boolean {
  return signal.aborted || Date.now() >= deadline;
}
