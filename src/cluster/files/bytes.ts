/** The bytes of a file, or of a stream that may never end; no more of them than can be read as one text. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

/** A hundred times the manifests of a large fleet; in memory, with what is made of it, some gigabytes. */
export const MAX_BYTES = 256 * 2 ** 20;

/** Of a code that `reasonOf` knows. */
export class TooLarge extends Error {
  readonly code = 'EFBIG';
}

/** Pieces of a stream, put together; takes no more than `MAX_BYTES`. */
export class Pieces {
  readonly #pieces: Uint8Array[] = [];
  #size = 0;

  /** @throws TooLarge */
  add(piece: Uint8Array): void {
    this.#size += piece.length;
    if (this.#size > MAX_BYTES) throw new TooLarge();
    this.#pieces.push(piece);
  }

  whole(): Uint8Array {
    return Buffer.concat(this.#pieces);
  }
}

/** Reads a file. A pipe or a device has no size that could be asked before. @throws TooLarge, and what the file system says */
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
