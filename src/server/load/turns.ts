/**
 * Who takes long has a turn of the event loop alone, the addresses in turn. After one that took very long everybody else is served for as long
 * again: a single turn in between would not do, since a handshake goes back and forth a few times, and half of that is up to the other side.
 */
import { FairLine } from './fair-line.ts';

interface Waiting {
  readonly begin: () => void;
}

/** Milliseconds; what takes less leaves enough of the loop to others: a review is judged in stretches of 8 ms. */
const LONG = 20;
/** Milliseconds that others are left at the most, however long one took: most callers' patience is 5 s. */
const LONGEST_REST = 250;

export class Turns {
  readonly #line = new FairLine<Waiting>();
  readonly #now: () => number;
  #running = false;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves when it is the turn of this one. */
  next(address: string): Promise<void> {
    return new Promise((begin) => {
      this.#line.add(address, { begin });
      if (this.#running) return;
      this.#running = true;
      setImmediate(() => this.#turn());
    });
  }

  #turn(): void {
    const next = this.#line.next();
    this.#running = next !== undefined;
    if (next === undefined) return;
    const began = this.#now();
    next.begin();
    // What it does follows in this turn of the loop, and is over when the next comes.
    setImmediate(() => this.#after(this.#now() - began));
  }

  #after(tookMs: number): void {
    if (tookMs < LONG) this.#turn();
    else setTimeout(() => this.#turn(), Math.min(tookMs, LONGEST_REST));
  }
}
