/**
 * How many requests each address may begin in one turn of the event loop; what is more waits for the turns after. Whoever has hundreds of
 * connections would else fill a turn with as many reviews, and a newcomer's handshake, which takes five turns, would take seconds.
 */
import type { Bound } from './bounds.ts';

export interface AllowanceLimits {
  /** Requests of one address in one turn. */
  readonly each: number;
  /** Requests that can wait at the most: what connections and pipelining leave room for. It is told, and not looked at here. */
  readonly waiting: number;
}

/** Hears how many milliseconds it waited. */
export type Begin = (waitedMs: number) => void;

interface Waiting {
  readonly begin: Begin;
  /** As `performance.now()` has it. */
  readonly since: number;
}

export class Allowance {
  readonly #limits: AllowanceLimits;
  readonly #begun = new Map<string, number>();
  readonly #waiting = new Map<string, Waiting[]>();
  #held = 0;
  #scheduled = false;

  readonly #broke: (error: unknown) => void;

  /** `broke` hears of what beginning a request threw, which is no reason to forget the others. */
  constructor(limits: AllowanceLimits, broke: (error: unknown) => void) {
    this.#limits = limits;
    this.#broke = broke;
  }

  /** Runs `begin` now, or in the turn that this address has room in. */
  take(address: string, begin: Begin): void {
    this.#schedule();
    const begun = this.#begun.get(address) ?? 0;
    const line = this.#waiting.get(address);
    if (line === undefined && begun < this.#limits.each) {
      this.#begun.set(address, begun + 1);
      this.#attempt(begin, 0);
    } else {
      this.#held += 1;
      const waiting = { begin, since: performance.now() };
      if (line === undefined) this.#waiting.set(address, [waiting]);
      else line.push(waiting);
    }
  }

  bounds(): readonly Bound[] {
    return [{ name: 'waiting_requests', held: this.#held, limit: this.#limits.waiting }];
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#scheduled = false;
    this.#begun.clear();
    if (this.#waiting.size === 0) return;
    this.#schedule();
    const due: Waiting[] = [];
    for (const [address, line] of this.#waiting) {
      const first = line.splice(0, this.#limits.each);
      if (line.length === 0) this.#waiting.delete(address);
      this.#begun.set(address, first.length);
      this.#held -= first.length;
      due.push(...first);
    }
    for (const { begin, since } of due) this.#attempt(begin, performance.now() - since);
  }

  #attempt(begin: Begin, waitedMs: number): void {
    try {
      begin(waitedMs);
    } catch (error) {
      this.#broke(error);
    }
  }
}
