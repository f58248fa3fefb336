/** Reads the files of a run in order; if the disk is slow, it reads ahead while earlier documents are evaluated. */
import { readFile, stat } from 'node:fs/promises';
import { readBytes } from '../documents/files.ts';

/** The most files that are read ahead. */
const MAX_FILES = 16;

/** Bytes of the largest file that is read ahead: at most 16 MiB wait in memory. */
const MAX_SIZE = 2 ** 20;

/** A read that takes longer is slow. A cached file takes a tenth of that, and reading ahead would only cost time. */
const SLOW_MS = 0.3;

/** Reading ahead begins once there were so many more slow reads than fast ones. */
const SLOW_FILES = 8;

export class FileReader {
  readonly #files: readonly string[];
  readonly #now: () => number;
  readonly #readSmall: typeof readSmallFile;
  readonly #ahead = new Map<string, Promise<Uint8Array | undefined>>();
  #index = 0;
  #slow = 0;

  /**
   * @param files what will be read, in this order; each once
   * @param now returns milliseconds
   */
  constructor(files: readonly string[], now: () => number = () => performance.now(), readSmall = readSmallFile) {
    this.#files = files;
    this.#now = now;
    this.#readSmall = readSmall;
  }

  /** Reads the next of the files; some may be left out. @throws as `readBytes` */
  async read(file: string): Promise<Uint8Array> {
    this.#index = this.#files.indexOf(file, this.#index);
    if (this.#slow >= SLOW_FILES) this.#readAhead();
    const bytes = await this.#ahead.get(file);
    this.#ahead.delete(file);
    if (bytes === undefined) return this.#readNow(file);
    // Lets the other reads go on: each of their steps needs a turn of the event loop.
    await new Promise(setImmediate);
    return bytes;
  }

  #readAhead(): void {
    for (const file of this.#files.slice(this.#index, this.#index + MAX_FILES))
      if (!this.#ahead.has(file)) this.#ahead.set(file, this.#readSmall(file));
  }

  #readNow(file: string): Uint8Array {
    const begun = this.#now();
    const bytes = readBytes(file);
    this.#slow = Math.max(0, this.#slow + (this.#now() - begun > SLOW_MS ? 1 : -1));
    return bytes;
  }
}

/**
 * Reads a small plain file. Undefined for other files, and for a failure, which is reported when the file is read in
 * its turn.
 */
export async function readSmallFile(file: string): Promise<Uint8Array | undefined> {
  const stats = file === '-' ? undefined : await stat(file).catch(() => undefined);
  const isSmall = stats?.isFile() && stats.size > 0 && stats.size <= MAX_SIZE;
  return isSmall ? readFile(file).catch(() => undefined) : undefined;
}
