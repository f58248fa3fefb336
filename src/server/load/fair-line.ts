/** A waiting line in which addresses take turns, and each is served in the order of its own. */
export class FairLine<T> {
  #size = 0;
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Set<T>>();

  get size(): number {
    return this.#size;
  }

  /** Whether somebody of this address waits. */
  has(address: string): boolean {
    return this.#waiting.has(address);
  }

  add(address: string, item: T): void {
    const own = this.#waiting.get(address);
    if (own === undefined) this.#waiting.set(address, new Set([item]));
    else own.add(item);
    this.#size += 1;
  }

  /** False when it did not wait (any more). */
  remove(address: string, item: T): boolean {
    const own = this.#waiting.get(address);
    if (own?.delete(item) !== true) return false;
    this.#size -= 1;
    if (own.size === 0) this.#waiting.delete(address);
    return true;
  }

  /** Takes out the first of the address whose turn it is; of those that `fits` refuses, none. */
  next(fits: (item: T) => boolean = () => true): T | undefined {
    for (const [address, own] of this.#waiting) {
      const [first] = own;
      if (first === undefined || !fits(first)) continue;
      this.remove(address, first);
      if (own.size > 0) this.#toTheEnd(address, own);
      return first;
    }
    return undefined;
  }

  /**
   * Takes out the newest of the address with the most of them, to make room for a newcomer; nothing, when the newcomer's own address would
   * have as many. Looks at every address: for a line that is full.
   */
  crowdOut(newcomer: string): T | undefined {
    let most = (this.#waiting.get(newcomer)?.size ?? 0) + 1;
    let crowded: string | undefined;
    for (const [address, { size }] of this.#waiting) {
      if (size <= most) continue;
      most = size;
      crowded = address;
    }
    if (crowded === undefined) return undefined;
    const newest = [...(this.#waiting.get(crowded) ?? [])].at(-1);
    if (newest !== undefined) this.remove(crowded, newest);
    return newest;
  }

  #toTheEnd(address: string, own: Set<T>): void {
    this.#waiting.delete(address);
    this.#waiting.set(address, own);
  }
}
