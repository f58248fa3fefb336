/**
 * Where log lines go: a file descriptor whose other end may be slow, full or gone. Writing never blocks, never throws and
 * never ends the process; what can't be kept or written is counted, and that is all that becomes of it.
 */
import { write as fsWrite } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LogWriter {
  /** Takes one line with its end, or drops it where too much waits already. */
  write(line: string): void;
  /** Bytes that wait to be written. */
  held(): number;
  readonly limit: number;
  /** Lines that were lost: for want of room, or because writing failed. */
  dropped(): number;
  /** Resolves when all is written, or when so many milliseconds have passed. */
  flush(patienceMs: number): Promise<void>;
}

export interface LogWriterOptions {
  /** Bytes that may wait. */
  readonly limit?: number;
  /** How bytes are written; as `fs.write`, from a buffer's `offset` to its end. */
  readonly write?: Write;
  /** Milliseconds until a full pipe is tried again. */
  readonly retryMs?: number;
  /** Milliseconds after a write in which lines are gathered for the next. */
  readonly gatherMs?: number;
  /** Hears how many lines were lost, once lines can be written again. */
  readonly recovered?: (lost: number) => void;
}

type Write = (
  fd: number,
  bytes: Buffer,
  offset: number,
  done: (error: Failure | null, written: number) => void,
) => void;
type Failure = NodeJS.ErrnoException;

/** Some 4,000 lines of a decision: a second of a busy server, while whoever reads the log is held up. */
const LIMIT = 2 * 1024 * 1024;
/** Each write wakes another thread, which costs as much as a verdict: a busy server's lines go out fifty times a second, not 5,000. */
const GATHER_MS = 20;
/** Bytes that wait for no more. */
const ENOUGH = 64 * 1024;
/** The pipe is full, not broken. */
const LATER: readonly unknown[] = ['EAGAIN', 'EBUSY', 'EINTR'];

/** A writer for a descriptor that is open; 2 is standard error. */
export function createLogWriter(fd: number, options: LogWriterOptions = {}): LogWriter {
  // Node sets a pipe on standard error to non-blocking once its stream is made. A write that blocks would hold a thread of
  // Node's pool, and with it the exit of the process, for as long as nobody reads.
  if (fd === 2) void process.stderr;
  return new Writer(fd, options);
}

class Writer implements LogWriter {
  readonly limit: number;
  readonly #fd: number;
  readonly #write: Write;
  readonly #retryMs: number;
  readonly #gatherMs: number;
  readonly #recovered: (lost: number) => void;
  /** What no write has taken yet, and is no bytes yet: to make them of many lines at once costs half as much. */
  #text = '';
  /** What no write has taken either, before the text. */
  #encoded: Buffer[] = [];
  /** Lines that no write has taken. */
  #lines = 0;
  #encodedBytes = 0;
  /** Bytes of the write under way. */
  #underWay = 0;
  #dropped = 0;
  /** How many of these were told of. */
  #told = 0;
  #writing = false;
  #gathering: NodeJS.Timeout | undefined;

  constructor(fd: number, options: LogWriterOptions) {
    const { limit = LIMIT, write = writeRest, retryMs = 50, gatherMs = GATHER_MS, recovered = () => {} } = options;
    this.#fd = fd;
    this.limit = limit;
    this.#write = write;
    this.#retryMs = retryMs;
    this.#gatherMs = gatherMs;
    this.#recovered = recovered;
  }

  write(line: string): void {
    // No unit of a text takes more than three bytes: they are counted only near the limit.
    if (this.#underWay + this.#encodedBytes + 3 * (this.#text.length + line.length) > this.limit) {
      this.#encode();
      if (this.held() + Buffer.byteLength(line) > this.limit) {
        this.#dropped += 1;
        return;
      }
    }
    this.#text += line;
    this.#lines += 1;
    if (this.#text.length >= ENOUGH) this.#encode();
    if (this.#gathering === undefined || this.#encodedBytes >= ENOUGH) this.#next();
  }

  held(): number {
    return this.#underWay + this.#encodedBytes + Buffer.byteLength(this.#text);
  }

  readonly dropped = (): number => this.#dropped;

  readonly flush = async (patienceMs: number): Promise<void> => {
    const end = performance.now() + patienceMs;
    while (this.held() > 0 && performance.now() < end) {
      this.#next();
      await sleep(5);
    }
  };

  /** Writes what waits, in one piece; what comes meanwhile, and for a while after, is gathered. */
  #next(): void {
    if (this.#writing || this.#lines === 0) return;
    clearTimeout(this.#gathering);
    this.#encode();
    const [bytes, lines] = [Buffer.concat(this.#encoded), this.#lines];
    this.#encoded = [];
    this.#encodedBytes = 0;
    this.#underWay = bytes.length;
    this.#lines = 0;
    this.#writing = true;
    this.#attempt(bytes, 0, lines);
  }

  #encode(): void {
    if (this.#text === '') return;
    const bytes = Buffer.from(this.#text);
    this.#encoded.push(bytes);
    this.#encodedBytes += bytes.length;
    this.#text = '';
  }

  #attempt(bytes: Buffer, offset: number, lines: number): void {
    this.#write(this.#fd, bytes, offset, (error, written) => {
      if (error !== null && LATER.includes(error.code)) {
        setTimeout(() => this.#attempt(bytes, offset, lines), this.#retryMs).unref();
      } else if (error === null && offset + written < bytes.length) {
        this.#attempt(bytes, offset + written, lines);
      } else {
        // A disk that is full may be emptied, so the next lines are tried again.
        if (error !== null) this.#dropped += lines;
        this.#underWay = 0;
        this.#writing = false;
        if (error === null) this.#tell();
        this.#gather();
      }
    });
  }

  #tell(): void {
    const lost = this.#dropped - this.#told;
    if (lost === 0) return;
    this.#told = this.#dropped;
    this.#recovered(lost);
  }

  #gather(): void {
    if (this.#encodedBytes >= ENOUGH) return void this.#next();
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined;
      this.#next();
    }, this.#gatherMs).unref();
  }
}

function writeRest(fd: number, bytes: Buffer, offset: number, done: (error: Failure | null, written: number) => void) {
  fsWrite(fd, bytes, offset, bytes.length - offset, null, done);
}
