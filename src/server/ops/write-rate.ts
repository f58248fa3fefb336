/** Finds the objects that are written more often than KEP-4322 supposes: once in 30 s on average, with bursts of 10. */

/** Writes at once of an object that has not been written for long. */
const BURST = 10;
const INTERVAL_MS = 30_000;
/**
 * The objects that were written last: so many are remembered at least, and twice as many at most. Each takes about 200
 * bytes, 1 KB at most.
 */
const OBJECTS = 10_000;

/** A namespace and a name have at most 63 and 253 characters. Longer ones are of no stored object, and take memory. */
const LONGEST_KEY = 400;

/** A token bucket for each of the objects that were written last. */
export class WriteRate {
  readonly #clock: () => number;
  /**
   * When the bucket of an object is full again. Of those that were written least recently a whole map is forgotten: to
   * delete the first entry of one map again and again takes 20 µs each, since V8 passes over all deleted before.
   */
  #recent = new Map<string, number>();
  #older = new Map<string, number>();

  /** @param clock milliseconds; it never goes back */
  constructor(clock = () => performance.now()) {
    this.#clock = clock;
  }

  /** Objects that are remembered now; one that is in both maps counts twice. */
  get size(): number {
    return this.#recent.size + this.#older.size;
  }

  /** Counts a write of `object`, and returns whether it exceeds the rate. Such a write takes no token. */
  exceeds(object: string): boolean {
    if (object.length > LONGEST_KEY) return false;
    const now = this.#clock();
    const before = Math.max(now, this.#recent.get(object) ?? this.#older.get(object) ?? now);
    const after = before + INTERVAL_MS;
    const exceeds = after > now + BURST * INTERVAL_MS;
    this.#recent.set(object, exceeds ? before : after);
    if (this.#recent.size >= OBJECTS) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    return exceeds;
  }
}
