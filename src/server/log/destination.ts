/**
 * Where log lines go: pino's asynchronous destination behind a bounded buffer. Writing a line never blocks and never fails. While nobody reads, 2 MiB
 * wait and further lines are dropped and counted; so are lines that can't be written, as on a full disk or into a closed pipe.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';

export interface LogDestinationOptions {
  /** Bytes; default 2 MiB. */
  readonly limit?: number;
  /** Is called with the number of lost lines once lines can be written again. */
  readonly onRecovered?: (lost: number) => void;
}

/** Some 4,000 decision lines: a second of a busy server. */
const LIMIT = 2 * 1024 * 1024;
/** Milliseconds between writes: each wakes another thread, which costs as much as a verdict. */
const GATHER_MS = 20;

type PinoDestination = ReturnType<typeof pino.destination>;

export class LogDestination {
  /** The most bytes in the buffer. */
  readonly limit: number;
  readonly #dest: number | string;
  readonly #onRecovered: (lost: number) => void;
  #out: PinoDestination;
  /** Lines that wait for the next write, and those of the write under way. */
  #gathered = { text: '', lines: 0, bytes: 0 };
  #writing = { lines: 0, bytes: 0 };
  #timer: NodeJS.Timeout | undefined;
  #dropped = 0;
  #reported = 0;

  /** @param dest a file descriptor, such as 2 for standard error, or a file */
  constructor(dest: number | string, { limit = LIMIT, onRecovered = () => {} }: LogDestinationOptions = {}) {
    // Node makes a pipe on standard error non-blocking once its stream exists. A write that blocks would hold up the exit.
    if (dest === 2) void process.stderr;
    this.#dest = dest;
    this.limit = limit;
    this.#onRecovered = onRecovered;
    this.#out = this.#open();
    // Ahead of pino's own flush at the exit, which tries for ever to write on a full disk or into a full pipe.
    process.prependListener('exit', () => this.#out.destroy());
  }

  /** Takes one line, or drops it where the buffer is full. */
  readonly write = (line: string): void => {
    const bytes = Buffer.byteLength(line);
    if (this.buffered() + bytes > this.limit) {
      this.#dropped += 1;
      return;
    }
    this.#gathered.text += line;
    this.#gathered.lines += 1;
    this.#gathered.bytes += bytes;
    // The first line of a quiet server goes out at once.
    if (this.#timer === undefined) this.#writeOut();
  };

  /** Returns the bytes that are not written yet. */
  readonly buffered = (): number => this.#gathered.bytes + this.#writing.bytes;

  /** Returns how many lines were lost so far. */
  readonly dropped = (): number => this.#dropped;

  /** Waits up to `timeoutMs` until all is written. */
  readonly flush = async (timeoutMs: number): Promise<void> => {
    const end = performance.now() + timeoutMs;
    while (this.buffered() > 0 && performance.now() < end) {
      this.#writeOut();
      await sleep(5);
    }
  };

  /** Begins to write what was gathered, unless a write is under way, and looks again after a while. */
  #writeOut(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.buffered() > 0) this.#writeOut();
    }, GATHER_MS).unref();
    if (this.#writing.bytes > 0 || this.#gathered.bytes === 0) return;
    const { text, lines, bytes } = this.#gathered;
    this.#writing = { lines, bytes };
    this.#gathered = { text: '', lines: 0, bytes: 0 };
    this.#out.write(text);
  }

  #open(): PinoDestination {
    const out = pino.destination({ dest: this.#dest, sync: false, maxWrite: this.limit });
    out.on('write', (bytes: number) => {
      if (out === this.#out) this.#written(bytes);
    });
    out.on('error', () => {
      if (out === this.#out) this.#failed();
    });
    return out;
  }

  #written(bytes: number): void {
    this.#writing.bytes -= bytes;
    const lost = this.#dropped - this.#reported;
    if (this.#writing.bytes > 0 || lost === 0) return;
    this.#reported = this.#dropped;
    this.#onRecovered(lost);
  }

  /** What was being written is lost. pino's destination would keep it, or after EPIPE write nothing any more, so a new one takes its place. */
  #failed(): void {
    this.#dropped += this.#writing.lines;
    this.#writing = { lines: 0, bytes: 0 };
    this.#out.destroy();
    this.#out = this.#open();
  }
}
