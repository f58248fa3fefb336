/**
 * Limits the memory of bodies and the evaluations that wait for an API server, fairly by the caller's address: an
 * address that holds something gets no more than it leaves free; its first body or evaluation may take all that is
 * left. One address alone gets half, two get a third each, and so on, so that a new address always gets a part.
 */
import { getOrInsert } from '../../base/collections.ts';
import type { Bound, Limits } from '../limits.ts';

type LoadLimits = Pick<Limits, 'bodyBytes' | 'bodyLimit' | 'permits'>;

/** Bytes that a decoded review may take in memory for one permit: 512 of them are 96 MiB. */
export const PERMIT_BYTES = 192 * 1024;

export class LoadLimiter {
  readonly #limits: LoadLimits;
  readonly #bytes: FairBudget;
  /** The permits of evaluations that wait for an API server. */
  readonly permits: FairBudget;
  /**
   * The bodies that are still being read, the oldest first. Not a Set, since V8 makes a new table for an emptied one:
   * see `KEPT_ADDRESSES`.
   */
  readonly #reading: BodyBytes[] = [];

  constructor(limits: LoadLimits) {
    this.#limits = limits;
    this.#bytes = new FairBudget(limits.bodyBytes);
    this.permits = new FairBudget(limits.permits);
  }

  /** Creates an empty body buffer, charged to `address`. */
  newBody(address: string): BodyBytes {
    return new BodyBytes(address, this.#limits.bodyLimit, this.#bytes, this.#reading);
  }

  /** Returns the permits for an evaluation of so many bytes, or 0 where there are not enough left. Takes none. */
  permitsFor(address: string, bytes: number): number {
    const permits = Math.min(Math.max(1, this.permits.limit >> 1), Math.ceil(bytes / PERMIT_BYTES) || 1);
    return this.permits.has(address, permits) ? permits : 0;
  }

  bounds(): readonly Bound[] {
    const { held, limit } = this.permits;
    return [
      { name: 'concurrent_evaluations', held, limit },
      { name: 'body_bytes', held: this.#bytes.held, limit: this.#bytes.limit },
    ];
  }
}

/** Bytes that are kept of a body that is too large: enough to find the request's uid. */
const KEPT_OF_LARGE = 64 * 1024;
/** The most unused bytes of a buffer. The limit of all bodies does not count them. */
const MOST_SPARE = 1024 * 1024;
const NO_BYTES = Buffer.alloc(0);

/** The bytes of one body, in one buffer: a chunk of one byte would take hundreds by itself. */
export class BodyBytes {
  readonly address: string;
  /** When the reading of the body began, in milliseconds of `performance.now()`. */
  readonly startedAt = performance.now();
  /** Whether the body is too large; then only its beginning is kept. */
  tooLarge = false;
  /** Whether there was no memory for the body; then nothing is kept. */
  dropped = false;
  readonly #bodyLimit: number;
  readonly #budget: FairBudget;
  readonly #reading: BodyBytes[];
  #buffer: Buffer = NO_BYTES;
  #size = 0;

  constructor(address: string, bodyLimit: number, budget: FairBudget, reading: BodyBytes[]) {
    this.address = address;
    this.#bodyLimit = bodyLimit;
    this.#budget = budget;
    this.#reading = reading;
  }

  /** Keeps a chunk, the beginning of a body that is too large, or nothing where there is no memory for it. */
  add(chunk: Buffer): void {
    if (this.dropped || this.tooLarge) return;
    if (!this.#take(chunk.length)) {
      this.#drop();
      return;
    }
    this.#append(chunk);
    if (this.#size <= this.#bodyLimit) return;
    this.tooLarge = true;
    const kept = Buffer.from(this.bytes.subarray(0, KEPT_OF_LARGE));
    this.#budget.release(this.address, this.#size - kept.length);
    this.#buffer = kept;
    this.#size = kept.length;
  }

  get bytes(): Buffer {
    return this.#size === this.#buffer.length ? this.#buffer : this.#buffer.subarray(0, this.#size);
  }

  /** Marks the body as read: from now on it can't be dropped. */
  complete(): void {
    const place = this.#reading.lastIndexOf(this);
    if (place >= 0) this.#reading.splice(place, 1);
  }

  /** Releases its memory. May be called more than once. */
  release(): void {
    this.complete();
    if (this.#size > 0) this.#budget.release(this.address, this.#size);
    this.#size = 0;
    this.#buffer = NO_BYTES;
  }

  /**
   * Takes memory. If the address would hold too much, its oldest unfinished body, that of a slow sender, is dropped
   * first. Returns false if that is this body itself, or if no other is unfinished.
   */
  #take(bytes: number): boolean {
    while (!this.#budget.has(this.address, bytes, this.#size)) {
      const oldest = this.#reading.find(({ address }) => address === this.address);
      if (oldest === undefined || oldest === this) return false;
      oldest.#drop();
    }
    if (this.#size === 0) this.#reading.push(this);
    this.#budget.take(this.address, bytes);
    return true;
  }

  #append(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (this.#size === 0) this.#buffer = chunk;
    else {
      if (size > this.#buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(size, Math.min(2 * this.#size, this.#size + MOST_SPARE)));
        this.#buffer.copy(larger, 0, 0, this.#size);
        this.#buffer = larger;
      }
      chunk.copy(this.#buffer, this.#size);
    }
    this.#size = size;
  }

  #drop(): void {
    this.release();
    this.dropped = true;
  }
}

/**
 * Entries of up to so many addresses are kept although they hold nothing. A Map whose last entry is removed gets a new
 * table from V8 in the old generation of the heap: one for each request was most of the garbage there.
 */
const KEPT_ADDRESSES = 1024;

/** The waiting items of one address. */
interface Waiting<T> {
  readonly address: string;
  readonly items: T[];
}

/** A queue in which the addresses take turns. */
export class FairQueue<T> {
  size = 0;
  readonly #byAddress = new Map<string, Waiting<T>>();
  /** The addresses that have items, in the order of their turns. */
  readonly #turns: Waiting<T>[] = [];

  add(address: string, item: T): void {
    const waiting = getOrInsert(this.#byAddress, address, () => ({ address, items: [] }));
    if (waiting.items.length === 0) this.#turns.push(waiting);
    waiting.items.push(item);
    this.size += 1;
  }

  next(): T | undefined {
    const waiting = this.#turns.shift();
    if (waiting === undefined) return undefined;
    const item = waiting.items.shift();
    if (waiting.items.length > 0) this.#turns.push(waiting);
    else if (this.#byAddress.size > KEPT_ADDRESSES) this.#byAddress.delete(waiting.address);
    this.size -= 1;
    return item;
  }
}

/** An amount that several addresses share. Every operation takes constant time. */
class FairBudget {
  readonly limit: number;
  held = 0;
  readonly #byAddress = new Map<string, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * Returns whether `amount` can be taken. `before` is what the same body holds already: a single body may use all that
   * is left.
   */
  has(address: string, amount: number, before = 0): boolean {
    const left = this.limit - this.held - amount;
    if (left < 0) return false;
    const own = this.#byAddress.get(address) ?? 0;
    return own <= before || own + amount <= left;
  }

  take(address: string, amount: number): void {
    this.held += amount;
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + amount);
  }

  release(address: string, amount: number): void {
    const own = (this.#byAddress.get(address) ?? 0) - amount;
    this.held -= amount;
    if (own > 0 || this.#byAddress.size <= KEPT_ADDRESSES) this.#byAddress.set(address, own);
    else this.#byAddress.delete(address);
  }
}
