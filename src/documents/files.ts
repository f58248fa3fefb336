/**
 * Reads the bytes of files and streams, up to a limit, and explains the errors of the file system. Finds out where a
 * path leads, such as into a folder, into a git checkout or through links, and what is there.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { TOO_MANY_FILES } from '../base/usage-error.ts';
import type { SourceError } from './source.ts';

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

/** The text of a file, or why it can't be read. */
export type TextRead = { readonly text: string } | SourceError;

/** Reads the text of a file. */
export function readText(file: string): TextRead {
  try {
    return decode(readBytes(file), file);
  } catch (error) {
    return unreadable(file, error);
  }
}

/** Decodes UTF-8, with its byte order mark; or returns the error. @param file its name in reports */
export function decode(bytes: Uint8Array, file: string): TextRead {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return errorAbout(file, 'the text is not UTF-8: save the file in that encoding');
  }
}

/** Returns the error for a file that can't be read. */
export function unreadable(file: string, error: unknown): SourceError {
  return errorAbout(file, `can't read it: ${reasonOf(error)}`);
}

/** Returns an error about a file as a whole. */
export function errorAbout(file: string, message: string): SourceError {
  return { file, line: 1, column: 1, message };
}

/** Returns the text of a file; undefined if it can't be read, or is too large. */
export function textOfFile(file: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(readBytes(file));
  } catch {
    return undefined;
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
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
  ENOTDIR: 'part of its path is not a folder',
  ENAMETOOLONG: 'its name is too long',
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

/** Returns whether a path is the folder or lies in it. Both must be absolute and without links. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Returns a path and the folders around it, the nearest first; none for the root. */
export function ancestorsOf(path: string, separator = '/'): string[] {
  const found = [path];
  for (let end = path.lastIndexOf(separator); end > 0; end = path.lastIndexOf(separator, end - 1)) {
    found.push(path.slice(0, end));
  }
  return found;
}

/** Returns a search for the nearest folder that passes a test, from a folder upwards. It remembers its results. */
export function upwardSearch(isWanted: (folder: string) => boolean): (folder: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  const search = (folder: string): string | undefined => {
    if (known.has(folder)) return known.get(folder);
    const parent = dirname(folder);
    const above = () => (parent === folder ? undefined : search(parent));
    const found = isWanted(folder) ? folder : above();
    known.set(folder, found);
    return found;
  };
  return search;
}

/**
 * Returns a search for the nearest folder with a `.git` entry. git refuses to track a path of that name, so no commit
 * can bring its own repository, as it can bring a bare one (`HEAD`, `config`, `objects`, `refs`).
 */
export function checkoutSearch(): (folder: string) => string | undefined {
  return upwardSearch((folder) => statOf(join(folder, '.git')) !== undefined);
}

/** Returns the nearest folder with a `.git` entry, from this one upwards. */
export function checkoutAround(folder: string): string | undefined {
  return checkoutSearch()(folder);
}

/** Returns whether a path in a folder leads through an absolute link. Its links must not form a circle. */
export function isLinkedAbsolutely(path: string, folder: string): boolean {
  const waiting = relative(folder, path).split(sep).reverse();
  let at = folder;
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const next = join(at, name);
    if (!lstatSync(next).isSymbolicLink()) at = next;
    else {
      const target = readlinkSync(next);
      if (isAbsolute(target)) return true;
      waiting.push(...target.split(sep).reverse());
    }
  }
  return false;
}

/** Returns whether a path is a folder, or a link to one. */
export function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

/** Returns a path without links; unchanged if it does not resolve. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Returns an absolute path without links. If it does not exist, the links of the existing folders above it count. */
export function nearestRealPath(path: string): string {
  const parent = dirname(path);
  return existsSync(path) || parent === path ? realpathSync(path) : join(nearestRealPath(parent), basename(path));
}

/**
 * Returns the status of a path; undefined if nothing is there, or if it can't be determined, as with links that form a
 * circle. A read of the path then names the reason.
 */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Returns whether a path exists, even as a link that leads nowhere, or without permission to read it. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}

/** Returns a path relative to a folder, with `/`; undefined if it lies outside. */
export function pathIn(folder: string, path: string): string | undefined {
  const inside = relative(folder, resolve(path));
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return undefined;
  return inside.split(sep).join('/');
}
