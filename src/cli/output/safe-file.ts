/**
 * Writes files whose place may be in a stranger's checkout: into a new file beside it, which is then renamed. Nothing is
 * written through a symbolic link, into a pipe or a device, and nobody reads half a report.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { reasonOf } from '../../cluster/files/bytes.ts';

/** Why a file is not written, in words that follow its name. */
class Refusal extends Error {}

/** Writes a whole file, in place of a regular file or of none. Returns what went wrong, without the name of the file; or undefined. */
export function replaceFile(file: string, chunks: Iterable<string>): string | undefined {
  return problemIn(() => {
    const { folder, name, mode } = destinationOf(file);
    // Beside it: a rename works within one file system only.
    const draft = join(folder, `.muster-${randomBytes(12).toString('hex')}.tmp`);
    try {
      writeNew(draft, chunks, mode);
      renameSync(draft, join(folder, name));
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  });
}

/** The same where nothing may be there yet. Returns `exists` where something is, be it a link. */
export function createFile(file: string, chunks: Iterable<string>): string | 'exists' | undefined {
  return problemIn(() => {
    const { folder, name } = folderOf(file);
    writeNew(join(folder, name), chunks, undefined);
  }, 'exists');
}

/**
 * Why a folder, which may be yet to be made, must not be written to: a link in a checkout leads out of it. Undefined where it
 * may be. A link above the checkout is the operator's own.
 */
export function leadsOut(folder: string): string | undefined {
  const path = resolve(folder);
  const real = realpathSync(nearest(path));
  const astray = checkoutsOf(path).find((root) => !isWithin(realpathSync(root), real));
  return astray === undefined ? undefined : `its folder is behind a symbolic link that leads out of ${astray}`;
}

/** The path itself, or the nearest folder above it that exists. */
function nearest(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearest(dirname(path));
}

function problemIn(write: () => void, existing?: string): string | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    return isThere && existing !== undefined ? existing : reasonOf(error);
  }
}

function destinationOf(file: string): { folder: string; name: string; mode: number | undefined } {
  const { folder, name } = folderOf(file);
  const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
  if (stat?.isSymbolicLink()) throw new Refusal(`it is a symbolic link: ${REMEDY}`);
  if (stat?.isDirectory()) throw new Refusal('it is a folder');
  if (stat && !stat.isFile()) throw new Refusal(`it is not a regular file: ${REMEDY}`);
  return { folder, name, mode: stat && stat.mode & 0o777 };
}

const REMEDY = 'name a file that is none (or - for standard output)';

function folderOf(file: string): { folder: string; name: string } {
  const folder = dirname(resolve(file));
  const problem = leadsOut(folder);
  if (problem !== undefined) throw new Refusal(problem);
  return { folder: realpathSync(folder), name: basename(resolve(file)) };
}

/** The folders around a path that a stranger may have filled: the current one, and those that are git checkouts. */
function checkoutsOf(path: string): string[] {
  const found = new Set(isWithin(process.cwd(), path) ? [process.cwd()] : []);
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) found.add(folder);
  }
  return [...found];
}

/** Whether a path lies in a folder, or is that folder. Both are whole paths; links are not looked at. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function writeNew(file: string, chunks: Iterable<string>, mode: number | undefined): void {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  // Undefined on Windows, where O_EXCL alone has to do.
  const noFollow = constants.O_NOFOLLOW ?? 0;
  const descriptor = openSync(file, O_CREAT | O_EXCL | O_WRONLY | noFollow, 0o666);
  try {
    if (mode !== undefined) fchmodSync(descriptor, mode);
    for (const chunk of chunks) writeAll(descriptor, Buffer.from(chunk));
  } finally {
    closeSync(descriptor);
  }
}

/** One write need not take all. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; ) from += writeSync(descriptor, bytes, from);
}
