/**
 * Requests whose bodies go straight to whoever takes them. As streams they would wait for a turn to begin, another to end and a third to close, each
 * with listeners of its own: a sixteenth of all that a request costs (docs/performance.md).
 */

// An import would fetch all that the module keeps for later, a client of WebSockets among it: 22 ms of a start.
const { IncomingMessage } = process.getBuiltinModule('node:http');

/** Hears of a body as it comes. */
export interface Taker {
  /** The next bytes of it. False: no more are wanted. */
  piece(bytes: Buffer): boolean;
  /** All of it came. Nothing follows. */
  end(): void;
  /** The connection ended before that. Nothing follows. */
  gone(): void;
}

/** A stream as Node makes them, until its body is taken. What makes it is the option `IncomingMessage` of a server. */
export class Incoming extends IncomingMessage {
  #taker: Taker | undefined;
  /** `streamed`: its first bytes came before anybody took them. */
  #body: 'awaited' | 'streamed' | 'taken' | 'over' = 'awaited';

  static {
    // What has not ended Node keeps, and takes for broken off. The types have it for a field, which no accessor can override.
    Object.defineProperty(Incoming.prototype, 'readableEnded', {
      get(this: Incoming): boolean {
        return this.#body === 'over' || Reflect.get(IncomingMessage.prototype, 'readableEnded', this);
      },
    });
  }

  /** All of the body goes to a taker, none of it before this returns. False: it is a stream, and to be read as one. */
  handTo(taker: Taker): boolean {
    if (this.#body !== 'awaited' || this.destroyed) return false;
    this.#body = 'taken';
    this.#taker = taker;
    return true;
  }

  /** What Node's parser calls with bytes, and with null at the end. False: it stops to read from the connection. */
  override push(bytes: Buffer | null): boolean {
    if (this.#taker === undefined) {
      this.#body = 'streamed';
      return super.push(bytes);
    }
    if (this.#body !== 'taken') return false;
    if (bytes !== null) return this.#taker.piece(bytes);
    this.#body = 'over';
    this.#taker.end();
    return true;
  }

  /** What Node calls when the connection ends. */
  override destroy(error?: Error): this {
    if (this.#body === 'taken') {
      this.#body = 'over';
      process.nextTick(goneFor, this.#taker);
    }
    return super.destroy(error);
  }

  /** What Node calls once the answer is out, to be rid of what nobody read: nothing is kept of what was taken. */
  _dump(): void {
    if (this.#taker === undefined) dump.call(this);
  }
}

const { _dump: dump } = IncomingMessage.prototype as unknown as { _dump(): void };

function goneFor(taker: Taker | undefined): void {
  taker?.gone();
}
