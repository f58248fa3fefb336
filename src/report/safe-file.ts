/**
 * Writes files that may be in an untrusted checkout: into a new file in the same folder, which is then renamed. It
 * never writes through a symbolic link, into a pipe or a device, and no reader sees half a report.
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
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isInside, reasonOf } from '../documents/bytes.ts';

/** Why a file is not written; the message follows its name. */
class Unwritable extends Error {}

/**
 * Writes a whole file, which replaces a regular file if there is one. Returns the problem, without the file's name, or
 * undefined.
 */
export function replaceFile(file: string, chunks: Iterable<string>): string | undefined {
  return problemIn(() => {
    const { folder, name, mode } = destinationOf(file);
    // Beside it: a rename works within one file system only.
    const draft = join(folder, `.muster-${randomBytes(12).toString('hex')}.tmp`);
    writeNew(draft, chunks, mode);
    try {
      renameSync(draft, join(folder, name));
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  });
}

/** Writes a new file. Returns `EEXIST` if there is something, also a link; else the problem, or undefined. */
export function createFile(file: string, chunks: Iterable<string>): string | 'EEXIST' | undefined {
  return problemIn(() => {
    const { folder, name } = folderOf(file);
    writeNew(join(folder, name), chunks);
  });
}

/**
 * Returns why a folder, which need not exist, must not be written to: a link in a checkout leads out of it. Undefined
 * if it may be. A link above the checkout is the operator's own.
 */
export function leadsOut(folder: string): string | undefined {
  const path = resolve(folder);
  let existing = path;
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  const real = realpathSync(existing);
  const astray = checkoutsOf(path).find((root) => !isInside(real, realpathSync(root)));
  return astray === undefined ? undefined : `its folder is behind a symbolic link that leads out of ${astray}`;
}

function problemIn(write: () => void): string | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    if (error instanceof Unwritable) return error.message;
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EFBIG' ? 'it would be larger than this process may write (ulimit -f)' : reasonOf(error);
  }
}

function destinationOf(file: string): { folder: string; name: string; mode: number | undefined } {
  const { folder, name } = folderOf(file);
  const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
  if (stat?.isSymbolicLink()) throw new Unwritable(`it is a symbolic link: ${REMEDY}`);
  if (stat?.isDirectory()) throw new Unwritable('it is a folder');
  if (stat && !stat.isFile()) throw new Unwritable(`it is not a regular file: ${REMEDY}`);
  return { folder, name, mode: stat && stat.mode & 0o777 };
}

const REMEDY = 'name a regular file (or - for standard output)';

function folderOf(file: string): { folder: string; name: string } {
  const folder = dirname(resolve(file));
  const problem = leadsOut(folder);
  if (problem !== undefined) throw new Unwritable(problem);
  return { folder: realpathSync(folder), name: basename(resolve(file)) };
}

/** Returns the untrusted folders around a path: the current one, and git checkouts. */
function checkoutsOf(path: string): string[] {
  const found = new Set(isInside(path, process.cwd()) ? [process.cwd()] : []);
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) found.add(folder);
  }
  return [...found];
}

function writeNew(file: string, chunks: Iterable<string>, mode?: number): void {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  // Undefined on Windows, where O_EXCL is enough.
  const noFollow = constants.O_NOFOLLOW ?? 0;
  const descriptor = openSync(file, O_CREAT | O_EXCL | O_WRONLY | noFollow, 0o666);
  try {
    if (mode !== undefined) fchmodSync(descriptor, mode);
    for (const chunk of chunks) writeFileSync(descriptor, chunk);
  } catch (error) {
    // Else a part of it, as on a full disk, would be in the way of the next attempt.
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
