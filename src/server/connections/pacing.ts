/**
 * Paces TLS handshakes. A handshake takes half a millisecond of the one thread, an accepted connection a twentieth of
 * that, and the event loop accepts one connection a turn. Without pacing, thousands of handshakes in each turn would
 * keep new connections in the kernel's queue. So at most eight begin in one turn, the addresses in turn; and while
 * connections keep coming, accepting them and handshakes share the time equally.
 */
import { FairQueue } from '../load/load-limiter.ts';

/** Handshakes begun in one turn of the event loop: 4 ms. */
const PER_TURN = 8;
/** The most milliseconds that handshakes wait while connections are accepted in each turn. */
const ACCEPTING_MS = 4;

export class HandshakePacer {
  /** A function that begins the handshake, for each that waits. */
  readonly #waiting = new FairQueue<() => void>();
  #begun = 0;
  #arrived = false;
  #scheduled = false;
  #lastTurn = 0;

  /** Notes that a connection was accepted in this turn. */
  arrived(): void {
    this.#arrived = true;
    this.#schedule();
  }

  /**
   * Begins the handshake of a connection from `address`, at once if none waits. (If a handshake begins in an immediate,
   * Node loses an alert: a caller without a certificate would see "connection reset" instead of the reason.)
   */
  add(address: string, begin: () => void): void {
    if (!this.#arrived && this.size() === 0 && this.#begun < PER_TURN) {
      this.#begin(begin);
      return;
    }
    this.#waiting.add(address, begin);
    this.#schedule();
  }

  /** Returns the number of waiting handshakes. */
  size(): number {
    return this.#waiting.size;
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
      while (this.#begun < PER_TURN) {
        const begin = this.#waiting.next();
        if (begin === undefined) break;
        this.#begin(begin);
      }
      this.#lastTurn = performance.now();
    }
    if (this.size() > 0) this.#schedule();
  }

  #begin(begin: () => void): void {
    this.#begun += 1;
    this.#schedule();
    begin();
  }
}
