/**
 * Paces TLS handshakes. A handshake takes half a millisecond of the one thread, an accepted connection a twentieth of that, and the event loop
 * accepts one connection a turn. Without pacing, thousands of handshakes in each turn would keep newcomers in the kernel's queue. So at most eight
 * begin in one turn, the addresses in turn; and while connections keep coming, accepting them and handshakes share the time equally.
 */

/** Handshakes begun in one turn of the event loop: 4 ms. */
const PER_TURN = 8;
/** Milliseconds for which handshakes wait at most while connections come in each turn. */
const ACCEPTING_MS = 4;

export class HandshakePacer {
  /** What begins a waiting handshake, by address, in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #size = 0;
  #begun = 0;
  #arrived = false;
  #scheduled = false;
  #lastTurn = 0;

  /** Tells that a connection was accepted in this turn. */
  arrived(): void {
    this.#arrived = true;
    this.#schedule();
  }

  /**
   * Begins the handshake of a connection from `address`, at once where nobody waits. (Of a handshake that begins in an immediate, Node loses an
   * alert: a caller without a certificate would see "connection reset" instead of the reason.)
   */
  add(address: string, begin: () => void): void {
    if (!this.#arrived && this.#size === 0 && this.#begun < PER_TURN) return void this.#begin(begin);
    const own = this.#waiting.get(address);
    if (own === undefined) this.#waiting.set(address, [begin]);
    else own.push(begin);
    this.#size += 1;
    this.#schedule();
  }

  /** Returns how many handshakes wait. */
  size(): number {
    return this.#size;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    const accepting = this.#arrived && performance.now() - this.#lastTurn < ACCEPTING_MS;
    this.#scheduled = this.#arrived = false;
    this.#begun = 0;
    if (!accepting) {
      while (this.#size > 0 && this.#begun < PER_TURN) this.#begin(this.#next());
      this.#lastTurn = performance.now();
    }
    if (this.#size > 0) this.#schedule();
  }

  /** Takes the first of the address whose turn it is, which then waits for its next turn. */
  #next(): () => void {
    for (const [address, own] of this.#waiting) {
      const begin = own.shift();
      this.#waiting.delete(address);
      if (own.length > 0) this.#waiting.set(address, own);
      if (begin === undefined) continue;
      this.#size -= 1;
      return begin;
    }
    return () => {};
  }

  #begin(begin: () => void): void {
    this.#begun += 1;
    this.#schedule();
    begin();
  }
}
