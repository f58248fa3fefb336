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
/** Bytes that are gathered in one place: enough, and a line more. */
const ROOM = 96 * 1024;
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
  /** Where lines are gathered, its first `#filled` bytes. A line is made bytes at once: later, its parts would have left the processor's cache. */
  #open = Buffer.allocUnsafe(ROOM);
  #filled = 0;
  /** What is gathered next while the other is written. */
  #other = Buffer.allocUnsafe(ROOM);
  /** What was gathered before, while a write would not end. */
  #sealed: Buffer[] = [];
  /** Lines and bytes that no write has taken yet. */
  #lines = 0;
  #waiting = 0;
  /** Bytes, those of a write under way among them. */
  #held = 0;
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
    // In UTF-8 no unit of a text takes more than three bytes: they are counted only near the limit.
    const most = 3 * line.length;
    if (this.#held + most > this.limit && this.#held + Buffer.byteLength(line) > this.limit) {
      this.#dropped += 1;
      return;
    }
    const size = this.#put(line, most);
    this.#lines += 1;
    this.#held += size;
    this.#waiting += size;
    if (this.#gathering === undefined || this.#waiting >= ENOUGH) this.#next();
  }

  held(): number {
    return this.#held;
  }

  readonly dropped = (): number => this.#dropped;

  readonly flush = async (patienceMs: number): Promise<void> => {
    const end = performance.now() + patienceMs;
    while (this.#held > 0 && performance.now() < end) {
      this.#next();
      await sleep(5);
    }
  };

  /** Writes what waits, in one piece; what comes meanwhile, and for a while after, is gathered. */
  #next(): void {
    if (this.#writing || this.#lines === 0) return;
    clearTimeout(this.#gathering);
    const open = this.#open.subarray(0, this.#filled);
    const bytes = this.#sealed.length === 0 ? open : Buffer.concat([...this.#sealed, open]);
    const lines = this.#lines;
    [this.#open, this.#other] = [this.#other, this.#open];
    this.#filled = 0;
    this.#sealed = [];
    this.#lines = 0;
    this.#waiting = 0;
    this.#writing = true;
    this.#attempt(bytes, 0, lines);
  }

  /** Keeps a line's bytes; returns how many there are. */
  #put(line: string, most: number): number {
    if (this.#filled + most > ROOM) this.#seal();
    if (most > ROOM) {
      const bytes = Buffer.from(line);
      this.#sealed.push(bytes);
      return bytes.length;
    }
    const size = this.#open.write(line, this.#filled);
    this.#filled += size;
    return size;
  }

  #seal(): void {
    this.#sealed.push(Buffer.from(this.#open.subarray(0, this.#filled)));
    this.#filled = 0;
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
        this.#held -= bytes.length;
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
    if (this.#waiting >= ENOUGH) return void this.#next();
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined;
      this.#next();
    }, this.#gatherMs).unref();
  }
}

function writeRest(fd: number, bytes: Buffer, offset: number, done: (error: Failure | null, written: number) => void) {
  fsWrite(fd, bytes, offset, bytes.length - offset, null, done);
}
