/**
 * Bytes of bodies, from the first that is read until the verdict. An address that would hold more than its share loses the body that it has been
 * sending the longest: a slow sender's, not the one that is there in a moment.
 */
import type { Bound } from './bounds.ts';
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
  /** Bodies in reading, by address; the oldest first. */
  readonly #reading = new Map<string, Set<HeldBody>>();

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
  readonly #reading: Map<string, Set<HeldBody>>;
  #bytes = 0;
  #drop: () => void = () => {};

  constructor(address: string, shares: Shares, reading: Map<string, Set<HeldBody>>) {
    this.#address = address;
    this.#shares = shares;
    this.#reading = reading;
  }

  more(bytes: number): boolean {
    while (!this.#shares.take(this.#address, bytes, this.#bytes)) {
      const [oldest] = this.#reading.get(this.#address) ?? [];
      if (oldest === undefined || oldest === this) return false;
      oldest.#lose();
    }
    if (this.#bytes === 0) this.#begin();
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
    const own = this.#reading.get(this.#address);
    own?.delete(this);
    if (own?.size === 0) this.#reading.delete(this.#address);
  }

  end(): void {
    this.complete();
    this.only(0);
  }

  #begin(): void {
    const own = this.#reading.get(this.#address);
    if (own === undefined) this.#reading.set(this.#address, new Set([this]));
    else own.add(this);
  }

  #lose(): void {
    this.end();
    this.#drop();
  }
}
