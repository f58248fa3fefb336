/**
 * The way from an accepted connection to its TLS handshake. A handshake takes half a millisecond of the one thread, an accepted connection a
 * twentieth of that, and the event loop accepts one a turn: without pacing, ten thousand strangers at once hold up every turn, and with it who
 * waits in the kernel's queue behind them. So a connection that says nothing gets no handshake; the others get theirs a few a turn, the
 * addresses in turn; and while more connections come, taking them in comes first. While it is quiet a handshake begins with the first word: of
 * one that begins in an immediate, Node counts the first answer as being written for another turn, and loses an alert that falls into it, so
 * that a caller without a certificate would hear "connection reset" and not why.
 */
import type { Socket } from 'node:net';
import type { Bound } from '../load/bounds.ts';
import { FairLine } from '../load/fair-line.ts';

export interface HandshakeLimits {
  /** Connections that have spoken and wait for their handshake to begin. */
  readonly waiting: number;
  /** Milliseconds until the first byte: the API server speaks at once. */
  readonly silentMs: number;
  /** Milliseconds from there to the end of the handshake. */
  readonly ms: number;
}

/** A hello takes some 2 kB with a post-quantum key share, a TLS record 16 KiB at most. */
const LONGEST_HELLO = 16_384 + 5;
/** Handshakes begun in one turn of the loop: 4 ms. */
const A_TURN = 8;
/** Milliseconds for which handshakes wait at most while a connection comes in each turn; so both get half of the time. */
const ARRIVING_MS = 4;

export interface HandshakeOptions {
  readonly limits: HandshakeLimits;
  /** The socket was closed before. */
  readonly cut: (cause: 'handshakes' | 'slow_handshake') => void;
}

interface Waiting {
  readonly address: string;
  readonly socket: Socket;
  readonly begin: () => void;
}

export class Handshakes {
  readonly #options: HandshakeOptions;
  readonly #line = new FairLine<Waiting>();
  #arrived = false;
  #scheduled = false;
  /** Handshakes begun in this turn of the loop. */
  #begun = 0;
  /** Whether some were begun since the loop last came back. */
  #began = false;
  /** When the loop came back from the last handshakes. */
  #since = 0;

  constructor(options: HandshakeOptions) {
    this.#options = options;
  }

  /** Takes a connection that was just accepted; calls `begin` when it has spoken and its turn has come. */
  expect(address: string, socket: Socket, begin: () => void): void {
    const { limits, cut } = this.#options;
    const waiting: Waiting = { address, socket, begin };
    let silent = true;
    const spoke = () => {
      silent = false;
      const fit = socket.readableLength > 0 && socket.readableLength <= LONGEST_HELLO;
      if (!fit) socket.destroy();
      else if (this.#quiet()) this.#begin(waiting);
      else this.#lineUp(waiting);
    };
    const late = () => {
      if (!silent || socket.destroyed) return;
      socket.destroy();
      cut('slow_handshake');
    };
    this.#arrived = true;
    this.#schedule();
    // A turn later: if we were late ourselves, what it said may lie in the kernel still.
    socket.setTimeout(limits.silentMs, () => setImmediate(late));
    socket.once('readable', spoke);
    socket.on('error', ignore);
    socket.once('close', () => this.#line.remove(address, waiting));
  }

  bounds(): readonly Bound[] {
    return [{ name: 'waiting_handshakes', held: this.#line.size, limit: this.#options.limits.waiting }];
  }

  #quiet(): boolean {
    return !this.#arrived && this.#line.size === 0 && this.#begun < A_TURN;
  }

  #lineUp(waiting: Waiting): void {
    if (this.#line.size >= this.#options.limits.waiting) {
      const newest = this.#line.crowdOut(waiting.address) ?? waiting;
      newest.socket.destroy();
      this.#options.cut('handshakes');
      if (newest === waiting) return;
    }
    this.#line.add(waiting.address, waiting);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    const arriving = this.#arrived;
    const now = performance.now();
    if (this.#began) this.#since = now;
    this.#scheduled = this.#arrived = this.#began = false;
    if (!arriving || now - this.#since >= ARRIVING_MS) {
      while (this.#begun < A_TURN && this.#beginNext());
    }
    this.#begun = 0;
    if (this.#line.size > 0) this.#schedule();
  }

  #beginNext(): boolean {
    const next = this.#line.next();
    if (next !== undefined) this.#begin(next);
    return next !== undefined;
  }

  #begin({ socket, begin }: Waiting): void {
    this.#begun += 1;
    this.#began = true;
    this.#schedule();
    socket.setTimeout(0);
    socket.removeAllListeners('timeout');
    begin();
  }
}

function ignore(): void {}
