/**
 * A supply that several addresses draw from: **nobody may hold more than is then left.** One address alone gets half of it, two a third
 * each, and so on; so whoever comes next finds something, without anything being reserved or taken away again. O(1).
 */
export class Shares {
  readonly limit: number;
  #held = 0;
  readonly #byAddress = new Map<string, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get held(): number {
    return this.#held;
  }

  /**
   * Whether `amount` can be taken. Who holds nothing else may take all that is there: `sofar` is what the same thing (a body that grows)
   * holds already.
   */
  has(address: string, amount: number, sofar = 0): boolean {
    const left = this.limit - this.#held - amount;
    if (left < 0) return false;
    const own = this.#byAddress.get(address) ?? 0;
    return own <= sofar || own + amount <= left;
  }

  /** Takes `amount`, or nothing: false. */
  take(address: string, amount: number, sofar = 0): boolean {
    if (!this.has(address, amount, sofar)) return false;
    this.#held += amount;
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + amount);
    return true;
  }

  /** Gives back what was taken. */
  give(address: string, amount: number): void {
    const own = (this.#byAddress.get(address) ?? 0) - amount;
    this.#held -= amount;
    if (own > 0) this.#byAddress.set(address, own);
    else this.#byAddress.delete(address);
  }
}
