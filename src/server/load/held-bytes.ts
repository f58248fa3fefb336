/**
 * Bytes of bodies, from the first that is read until the verdict. An address that would hold more than its share loses the body that it has been
 * sending the longest: a slow sender's, not the one that is there in a moment.
 */
import type { Bound } from '../admission/observer.ts';
import { Shares } from './shares.ts';

/** The bytes of one body. */
export interface Holding {
  /** So many bytes have come. False: they can't be held, and the body is lost. */
  more(bytes: number): boolean;
  /** All but so many are dropped. */
  only(bytes: number): void;
  /** Says what to do when the body is lost to others while it is being read. */
  onLost(drop: () => void): void;
  /** It is read, and can't be lost any more. */
  complete(): void;
  /** Gives all of it back. Twice is once. */
  end(): void;
}

export class HeldBytes {
  readonly #shares: Shares;
  /** Bodies in reading, of all addresses; the oldest first. */
  readonly #reading = new Set<HeldBody>();

  constructor(limit: number) {
    this.#shares = new Shares(limit);
  }

  open(address: string): Holding {
    return new HeldBody(address, this.#shares, this.#reading);
  }

  bounds(): readonly Bound[] {
    return [{ name: 'body_bytes', held: this.#shares.held, limit: this.#shares.limit }];
  }
}

class HeldBody implements Holding {
  readonly #address: string;
  readonly #shares: Shares;
  readonly #reading: Set<HeldBody>;
  #bytes = 0;
  #drop: () => void = () => {};

  constructor(address: string, shares: Shares, reading: Set<HeldBody>) {
    this.#address = address;
    this.#shares = shares;
    this.#reading = reading;
  }

  more(bytes: number): boolean {
    while (!this.#shares.take(this.#address, bytes, this.#bytes)) {
      const oldest = this.#oldest();
      if (oldest === undefined || oldest === this) return false;
      oldest.#lose();
    }
    if (this.#bytes === 0) this.#reading.add(this);
    this.#bytes += bytes;
    return true;
  }

  only(bytes: number): void {
    this.#shares.give(this.#address, this.#bytes - bytes);
    this.#bytes = bytes;
  }

  onLost(drop: () => void): void {
    this.#drop = drop;
  }

  complete(): void {
    this.#reading.delete(this);
  }

  end(): void {
    this.complete();
    if (this.#bytes > 0) this.only(0);
  }

  /** Of the same address. Looks at all that are read now: for one that is beyond its share. */
  #oldest(): HeldBody | undefined {
    for (const each of this.#reading) if (each.#address === this.#address) return each;
    return undefined;
  }

  #lose(): void {
    this.end();
    this.#drop();
  }
}
