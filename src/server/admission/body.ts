/** Reads the body of a request as bytes, within limits of its size and of the memory of all bodies. */
import type { IncomingMessage } from 'node:http';
import type { BodyMemory, Limiter } from '../load/limiter.ts';
import type { Body } from './decode.ts';
import type { AppLimits } from './limits.ts';

/** What is kept of a body that is too large, in bytes: enough to find the request's uid. */
const KEPT_OF_LARGE = 64 * 1024;
/** Each chunk costs microseconds, however small. Beyond so many chunks of fewer bytes on average the connection is closed. */
const MOST_CHUNKS = 256;
const SMALL_CHUNK = 64;

/** A body that was read. */
export interface ReceivedBody extends Body {
  /** What it takes of the limit, to be released with the answer. */
  readonly memory: BodyMemory | undefined;
  /** The key of the caller's address. */
  readonly address: string;
  /** When the request began, as `performance.now()` has it. */
  readonly startedAt: number;
}

/**
 * Why there is no body: `gone`, the caller left; `tiny_chunks`, it came in far too many chunks, and the connection was closed; `rejected`, there was no
 * memory for it, and it was read to its end, so that the caller sees the answer.
 */
export type BodyFailure = 'gone' | 'tiny_chunks' | 'rejected';

/**
 * Reads a body to its end and calls `done` once. A body that is too large is read on, up to a limit, and not kept: a caller that is still sending
 * sees a broken connection in place of the answer, which under `failurePolicy: Ignore` admits the object.
 */
export function readBody(
  stream: IncomingMessage,
  address: string,
  limits: Pick<AppLimits, 'keptBytes' | 'readBytes'>,
  limiter: Limiter,
  done: (result: ReceivedBody | BodyFailure) => void,
): void {
  const startedAt = performance.now();
  const kept = new KeptBytes();
  const memory = limiter.bodyOf(address, () => kept.drop());
  let read = 0;
  let chunks = 0;
  let over = false;
  const finish = (result: ReceivedBody | BodyFailure) => {
    if (over) return;
    over = true;
    memory.complete();
    if (typeof result === 'string') memory.release();
    done(result);
  };
  const complete = () => {
    if (kept.state === 'dropped') finish('rejected');
    else finish({ bytes: kept.bytes(), tooLarge: kept.state === 'beginning', memory, address, startedAt });
  };
  const keep = (chunk: Buffer) => {
    if (!memory.take(chunk.length)) {
      memory.release();
      return kept.drop();
    }
    kept.add(chunk);
    if (read <= limits.keptBytes) return;
    kept.keepBeginning(KEPT_OF_LARGE);
    memory.keep(kept.bytes().length);
  };
  stream.on('data', (chunk: Buffer) => {
    if (over) return;
    read += chunk.length;
    chunks += 1;
    if (kept.state === 'all') keep(chunk);
    if (chunks > MOST_CHUNKS && read < chunks * SMALL_CHUNK) {
      finish('tiny_chunks');
      stream.destroy();
    } else if (read > limits.readBytes) {
      complete();
      stream.pause();
    } else if (isComplete(stream)) complete();
  });
  stream.on('end', complete);
  stream.on('close', () => finish('gone'));
  // `close` follows.
  stream.on('error', () => {});
}

/** Whether all of the message was read: `end` follows a tick later, when a caller that also ended the connection would get no answer any more. */
function isComplete({ complete, readableLength }: IncomingMessage): boolean {
  return complete && readableLength === 0;
}

const NO_BYTES = Buffer.alloc(0);
/** Bytes that a buffer may have to spare; the limit of all bodies does not count them. */
const MOST_SPARE = 1024 * 1024;

/** The chunks of a body in one buffer: a chunk of one byte would take hundreds by itself. */
class KeptBytes {
  state: 'all' | 'beginning' | 'dropped' = 'all';
  #buffer: Buffer = NO_BYTES;
  #size = 0;

  add(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (this.#size === 0) this.#buffer = chunk;
    else {
      if (size > this.#buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(size, Math.min(2 * this.#size, this.#size + MOST_SPARE)));
        this.#buffer.copy(larger, 0, 0, this.#size);
        this.#buffer = larger;
      }
      chunk.copy(this.#buffer, this.#size);
    }
    this.#size = size;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  keepBeginning(size: number): void {
    this.state = 'beginning';
    this.#buffer = Buffer.from(this.bytes().subarray(0, size));
    this.#size = this.#buffer.length;
  }

  drop(): void {
    this.state = 'dropped';
    this.#buffer = NO_BYTES;
    this.#size = 0;
  }
}
