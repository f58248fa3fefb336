/** Finds objects that are written more often than KEP-4322 expects: once in 30 s on average, with bursts of 10. */

/** Writes that an object may have at once, if it was not written for a while. */
const BURST = 10;
const INTERVAL_MS = 30_000;
/**
 * At least so many of the objects written last are remembered, at most twice as many. Each takes about 200 bytes, 1 KB
 * at most.
 */
const OBJECTS = 10_000;

/** A namespace has at most 63 characters, a name 253. Longer keys belong to no stored object and are not remembered. */
const LONGEST_KEY = 400;

/** Has a token bucket for each of the objects written last. */
export class WriteRate {
  readonly #clock: () => number;
  /**
   * The time at which the bucket of each object is full again. Two maps, of which the older one is dropped as a whole:
   * deleting the first entry of a single map would take 20 µs each time, since V8 passes over all entries deleted
   * before.
   */
  #recent = new Map<string, number>();
  #older = new Map<string, number>();

  /** @param clock milliseconds of a clock that never goes back */
  constructor(clock = () => performance.now()) {
    this.#clock = clock;
  }

  /** The number of remembered objects. One that is in both maps counts twice. */
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
