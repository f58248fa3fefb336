/**
 * Limits the memory that bodies take and the evaluations that wait for an API server, fairly by the caller's address: nobody may hold more than is
 * then left. One address alone gets half, two get a third each, and so on, so a newcomer always finds something.
 */
import type { Bound } from '../admission/observer.ts';

export interface LoadLimits {
  /** Bytes of all bodies, from the first that is read until the answer. */
  readonly bodyBytes: number;
  /** Permits for evaluations that wait; each takes one for every begun `PERMIT_BYTES` of its cost. */
  readonly evaluations: number;
}

/** Bytes that a decoded review may take in memory for one permit: 512 of them are 96 MiB. */
const PERMIT_BYTES = 192 * 1024;

export class Limiter {
  readonly #bytes: FairBudget;
  readonly #evaluations: FairBudget;
  /** Bodies that are still being read, the oldest first. */
  readonly #reading = new Set<BodyMemory>();

  constructor({ bodyBytes, evaluations }: LoadLimits) {
    this.#bytes = new FairBudget(bodyBytes);
    this.#evaluations = new FairBudget(evaluations);
  }

  /**
   * Returns the memory of one body, which holds nothing yet.
   * @param onDropped is called when its bytes are dropped in favor of another body while it is being read
   */
  bodyOf(address: string, onDropped: () => void): BodyMemory {
    return new BodyMemory(address, this.#bytes, this.#reading, onDropped);
  }

  /** Returns the permits for an evaluation of so many bytes, or 0 where there are not enough left. Takes none. */
  permitsFor(address: string, bytes: number): number {
    const permits = Math.min(Math.max(1, this.#evaluations.limit >> 1), Math.ceil(bytes / PERMIT_BYTES) || 1);
    return this.#evaluations.has(address, permits) ? permits : 0;
  }

  /** Takes permits that `permitsFor` returned. */
  acquire(address: string, permits: number): void {
    this.#evaluations.take(address, permits);
  }

  release(address: string, permits: number): void {
    this.#evaluations.release(address, permits);
  }

  bounds(): readonly Bound[] {
    const { held, limit } = this.#evaluations;
    return [
      { name: 'concurrent_evaluations', held, limit },
      { name: 'body_bytes', held: this.#bytes.held, limit: this.#bytes.limit },
    ];
  }
}

/** The bytes of one body. */
export class BodyMemory {
  readonly #address: string;
  readonly #budget: FairBudget;
  readonly #reading: Set<BodyMemory>;
  readonly #onDropped: () => void;
  #bytes = 0;

  constructor(address: string, budget: FairBudget, reading: Set<BodyMemory>, onDropped: () => void) {
    this.#address = address;
    this.#budget = budget;
    this.#reading = reading;
    this.#onDropped = onDropped;
  }

  /**
   * Takes more bytes. An address that would hold too much first loses those of its bodies that have been in reading the longest: a slow sender's, and
   * not one that is complete in a moment. Returns false where that is this body itself, or all others are complete.
   */
  take(bytes: number): boolean {
    while (!this.#budget.has(this.#address, bytes, this.#bytes)) {
      const oldest = [...this.#reading].find((body) => body.#address === this.#address);
      if (oldest === undefined || oldest === this) return false;
      oldest.release();
      oldest.#onDropped();
    }
    if (this.#bytes === 0) this.#reading.add(this);
    this.#budget.take(this.#address, bytes);
    this.#bytes += bytes;
    return true;
  }

  /** Gives back all but so many bytes. */
  keep(bytes: number): void {
    this.#budget.release(this.#address, this.#bytes - bytes);
    this.#bytes = bytes;
  }

  /** Marks the body as read: from now on it can't be dropped. */
  complete(): void {
    this.#reading.delete(this);
  }

  /** Gives back all of it. May be called more than once. */
  release(): void {
    this.complete();
    if (this.#bytes > 0) this.keep(0);
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

  /** Returns whether `amount` can be taken, on top of `before` that the same body holds: a single body may use all that is left. */
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
    if (own > 0) this.#byAddress.set(address, own);
    else this.#byAddress.delete(address);
  }
}
