/**
 * Those whose turn has come in the same turn of the event loop are served together, one stage of their way after the other: all are decided, then all
 * are answered, then all are told of. One whole way holds more code and data than a processor keeps at hand: request by request, each stage finds its
 * own gone again, and every answer wakes a caller; together they take half the time (docs/performance.md).
 */

/** One part of the way. What it throws is told, and stops nobody's way. */
export type Stage<T> = (one: T) => void;

/** More are served in several sittings, so that the first need not wait for the last. */
const MOST = 32;

export class Sittings<T> {
  readonly #stages: readonly Stage<T>[];
  readonly #broke: (error: unknown) => void;
  #waiting: T[] = [];

  /** @param broke hears of what a stage threw; never throws itself */
  constructor(stages: readonly Stage<T>[], broke: (error: unknown) => void) {
    this.#stages = stages;
    this.#broke = broke;
  }

  /** Serves it at the end of this turn. */
  add(one: T): void {
    if (this.#waiting.push(one) === 1) setImmediate(() => this.serve());
  }

  /** Serves now who waits. */
  serve(): void {
    const all = this.#waiting;
    this.#waiting = [];
    for (let first = 0; first < all.length; first += MOST) {
      const sitting = all.slice(first, first + MOST);
      for (const stage of this.#stages) for (const one of sitting) this.#pass(stage, one);
    }
  }

  #pass(stage: Stage<T>, one: T): void {
    try {
      stage(one);
    } catch (error) {
      this.#broke(error);
    }
  }
}
