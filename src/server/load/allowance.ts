/**
 * How much each address may begin in one turn of the event loop; what is more waits for the turns after. Whoever has hundreds of
 * connections would else fill a turn with as many reviews, and a newcomer's handshake, which takes five turns, would take seconds.
 * A request counts by the size of its body: a turn has room for many small ones, or a few that are large.
 */
import type { Bound } from '../admission/observer.ts';

export interface AllowanceLimits {
  /** Requests of one address in one turn, where each counts one. */
  readonly each: number;
  /** Requests that can wait at the most: what connections and pipelining leave room for. It is told, and not looked at here. */
  readonly waiting: number;
}

/** Hears how many milliseconds it waited. Never throws. */
export type Begin = (waitedMs: number) => void;

interface Waiting {
  readonly count: number;
  readonly begin: Begin;
  /** As `performance.now()` has it. */
  readonly since: number;
}

export class Allowance {
  readonly #limits: AllowanceLimits;
  /** In this turn, by address. */
  readonly #begun = new Map<string, number>();
  readonly #waiting = new Map<string, Waiting[]>();
  #held = 0;
  #scheduled = false;

  constructor(limits: AllowanceLimits) {
    this.#limits = limits;
  }

  /** Whether a request of this address that counts so much may begin now; one that may not is to `wait`. */
  take(address: string, count: number): boolean {
    const begun = this.#begun.get(address) ?? 0;
    if (!this.#fits(begun, count) || this.#waiting.has(address)) return false;
    this.#begun.set(address, begun + count);
    this.#schedule();
    return true;
  }

  /** Runs `begin` in the turn that this address has room in. */
  wait(address: string, count: number, begin: Begin): void {
    this.#schedule();
    this.#held += 1;
    const waiting = { count, begin, since: performance.now() };
    const line = this.#waiting.get(address);
    if (line === undefined) this.#waiting.set(address, [waiting]);
    else line.push(waiting);
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
      let begun = 0;
      let first = 0;
      for (; first < line.length && this.#fits(begun, line[first]?.count ?? 1); first += 1)
        begun += line[first]?.count ?? 1;
      due.push(...line.splice(0, first));
      if (line.length === 0) this.#waiting.delete(address);
      this.#begun.set(address, begun);
    }
    this.#held -= due.length;
    for (const { begin, since } of due) begin(performance.now() - since);
  }

  /** One alone may always begin. */
  #fits(begun: number, count: number): boolean {
    return begun === 0 || begun + count <= this.#limits.each;
  }
}
