/** One a turn of the event loop, the addresses in turn: between two that take long everybody else is served. */
import { FairLine } from './fair-line.ts';

interface Waiting {
  readonly begin: () => void;
}

export class Turns {
  readonly #line = new FairLine<Waiting>();
  #scheduled = false;

  /** Resolves when it is the turn of this one. */
  next(address: string): Promise<void> {
    return new Promise((begin) => {
      this.#line.add(address, { begin });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#line.size === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#line.next()?.begin();
      this.#schedule();
    });
  }
}
