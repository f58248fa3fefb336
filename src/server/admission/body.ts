/**
 * Takes the body off the wire, for any content type. Too large a body is read on, unkept, so that the caller is done
 * sending and sees the answer: a caller that is still sending sees a broken connection, which under
 * `failurePolicy: Ignore` admits the object.
 */
import type { Readable } from 'node:stream';
import type { Holding } from '../load/held-bytes.ts';
import { Incoming, type Taker } from './incoming.ts';

export interface Body {
  /** All of the body, or its beginning where it was too large. */
  readonly bytes: Buffer;
  readonly tooLarge: boolean;
}

export interface BodyLimits {
  /** Bytes that are kept and judged. */
  readonly kept: number;
  /** Bytes that are read at all. */
  readonly read: number;
}

/**
 * An UPDATE review carries two objects of up to 1.5 MiB as stored, and escaping inflates them (`<` is six bytes);
 * more than 8 MiB can't have been meant for storage.
 */
export const bodyLimits: BodyLimits = { kept: 8 * 1024 * 1024, read: 64 * 1024 * 1024 };

/** What is remembered of too large a body: enough to find the request's uid. */
const HEAD = 64 * 1024;

/**
 * A body comes in records of TLS or chunks of HTTP of a kilobyte and more. Each costs microseconds, however small: in chunks of one byte a
 * connection's turn takes tens of milliseconds, in which nobody else is served. Beyond so many pieces, smaller than that on average, it is cut off.
 */
const PIECES = 256;
const SMALL = 64;

/** The caller hung up before its body was complete; nobody is left to answer. */
export class CallerGone extends Error {
  readonly code = 'CALLER_GONE';
}

/** The body came in far too many pieces; its connection is closed. */
export class BodyCrumbs extends CallerGone {}

/** The body was read but not kept, since too much of others is held. */
export class BodyShed extends Error {
  readonly code = 'BODY_SHED';
}

/** All of it, or why there is none. */
export type Read = Body | CallerGone | BodyShed;

/**
 * Reads a body to its end, or to the limit, and calls `done` once: with `CallerGone` when the connection breaks before that, with `BodyCrumbs` when
 * it was broken here, and at the end with `BodyShed` when `holding` had no room for it. What is held stays held: whoever reads ends it when done
 * with the body. Calls back and promises nothing: a promise for each request costs more than all else that is done here.
 */
export function readBody(stream: Readable, limits: BodyLimits, holding: Holding, done: (read: Read) => void): void {
  const reading = new Reading(stream, limits, holding, done);
  if (!(stream instanceof Incoming && stream.handTo(reading))) listen(stream, reading);
}

/** What began to come before it was asked for, and what is no request of Node's. */
function listen(stream: Readable, reading: Reading): void {
  const onPiece = (bytes: Buffer) => {
    if (!reading.piece(bytes)) stream.pause();
  };
  const onEnd = () => reading.end();
  // Every stream closes, most of them when all is read.
  const onClose = () => reading.gone();
  stream.on('data', onPiece).on('end', onEnd).on('close', onClose).on('error', ignore);
  if (stream.destroyed) reading.gone();
}

/** What follows it is `close`. */
function ignore(): void {}

class Reading implements Taker {
  readonly #stream: Readable;
  readonly #limit: number;
  readonly #kept: Kept;
  readonly #done: (read: Read) => void;
  #read = 0;
  #pieces = 0;
  #over = false;

  constructor(stream: Readable, { kept, read }: BodyLimits, holding: Holding, done: (read: Read) => void) {
    this.#stream = stream;
    this.#limit = read;
    this.#kept = new Kept(kept, holding);
    this.#done = done;
  }

  piece(bytes: Buffer): boolean {
    if (this.#over) return false;
    this.#kept.add(bytes);
    this.#read += bytes.length;
    this.#pieces += 1;
    if (this.#pieces > PIECES && this.#read < this.#pieces * SMALL) this.#crumbled();
    else if (this.#read > this.#limit) this.end();
    return !this.#over;
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#done(this.#kept.body() ?? new BodyShed('too much of other bodies is held'));
  }

  gone(): void {
    if (!this.#over) this.#fail(new CallerGone('the caller hung up before its request was complete'));
  }

  #crumbled(): void {
    this.#stream.destroy();
    this.#fail(new BodyCrumbs('the body came in crumbs'));
  }

  #fail(failure: CallerGone): void {
    this.#over = true;
    this.#kept.complete();
    this.#done(failure);
  }
}

const NOTHING: Buffer = Buffer.alloc(0);

/** What is kept of what has come, in one piece: a byte that comes alone would take hundreds as a chunk of its own. */
class Kept {
  readonly #limit: number;
  readonly #holding: Holding;
  #bytes: Buffer = NOTHING;
  #size = 0;
  #state: 'all' | 'beginning' | 'lost' = 'all';

  constructor(limit: number, holding: Holding) {
    this.#limit = limit;
    this.#holding = holding;
    holding.onLost(() => this.#lose());
  }

  add(chunk: Buffer): void {
    if (this.#state !== 'all') return;
    if (this.#holding.more(chunk.length)) this.#keep(chunk);
    else this.#lose();
  }

  /** From now on it can't be lost. */
  complete(): void {
    this.#holding.complete();
  }

  /** All of it, complete; undefined when it was lost. */
  body(): Body | undefined {
    this.complete();
    if (this.#state === 'lost') return undefined;
    const bytes = this.#size === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#size);
    return { bytes, tooLarge: this.#state === 'beginning' };
  }

  #keep(chunk: Buffer): void {
    if (this.#size === 0) this.#bytes = chunk;
    else this.#append(chunk);
    this.#size += chunk.length;
    if (this.#size > this.#limit) this.#cutDown();
  }

  #append(chunk: Buffer): void {
    const needed = this.#size + chunk.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#size));
      this.#bytes.copy(larger, 0, 0, this.#size);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#size);
  }

  #cutDown(): void {
    this.#state = 'beginning';
    this.#bytes = Buffer.from(this.#bytes.subarray(0, Math.min(this.#size, HEAD)));
    this.#size = this.#bytes.length;
    this.#holding.only(this.#size);
  }

  #lose(): void {
    this.#state = 'lost';
    this.#bytes = NOTHING;
    this.#size = 0;
    this.#holding.end();
  }
}
