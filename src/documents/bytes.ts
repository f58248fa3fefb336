/** Reads the bytes of files and streams, up to a limit, and explains the errors of the file system. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

/** The most bytes of a file: a hundred times the manifests of a large fleet. Parsed, they take gigabytes of memory. */
export const MAX_BYTES = 256 * 2 ** 20;

class TooLarge extends Error {
  readonly code = 'EFBIG';
}

/** Collects the pieces of a stream. */
export class Pieces {
  readonly #pieces: Uint8Array[] = [];
  #size = 0;

  /** @throws an error that `reasonOf` explains, if there are more than `MAX_BYTES` */
  add(piece: Uint8Array): void {
    this.#size += piece.length;
    if (this.#size > MAX_BYTES) throw new TooLarge();
    this.#pieces.push(piece);
  }

  whole(): Uint8Array {
    return Buffer.concat(this.#pieces);
  }
}

/** Reads a file, a pipe or a device. @throws an error that `reasonOf` explains */
export function readBytes(file: string): Uint8Array {
  const descriptor = openSync(file, 'r');
  try {
    const stat = fstatSync(descriptor);
    if (stat.size > MAX_BYTES) throw new TooLarge();
    return stat.isFile() && stat.size > 0 ? readFileSync(descriptor) : readStream(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns what went wrong with a file, without its path. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return REASONS[code ?? ''] ?? code ?? String(error);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EBUSY: 'it is in use, or mounted by itself: name a file in a folder',
  EISDIR: 'it is a folder; name the file in it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  ENOTDIR: 'part of its path is not a folder',
  ELOOP: 'its symbolic links form a circle',
  EFBIG: `it is larger than ${MAX_BYTES / 2 ** 20} MiB: split it`,
  EAGAIN: 'nothing can be read from it just now: use - for standard input',
  ERR_STRING_TOO_LONG: 'it is too large',
  ERR_FS_FILE_TOO_LARGE: 'it is too large',
};

const PIECE = 2 ** 16;

function readStream(descriptor: number): Uint8Array {
  const pieces = new Pieces();
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE);
    const count = readSync(descriptor, piece);
    if (count === 0) return pieces.whole();
    pieces.add(piece.subarray(0, count));
  }
}
