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
import { basename, dirname, join, resolve, sep } from 'node:path';
import { ancestorsOf, isInside, nearestRealPath, reasonOf } from '../documents/files.ts';

/** A file must not be written. The message, which follows the name of the file, says why. */
class Unwritable extends Error {}

/**
 * Writes a whole file, which replaces a regular file if there is one. Returns the problem, without the file's name, or
 * undefined.
 */
export function replaceFile(file: string, chunks: Iterable<string>): string | undefined {
  return problemIn(() => {
    const { folder, name, mode } = destinationOf(file);
    // In the same folder, since a rename works within one file system only.
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

/** Writes a new file. Returns `EEXIST` if the path is taken, also by a link; any other problem; or undefined. */
export function createFile(file: string, chunks: Iterable<string>): string | 'EEXIST' | undefined {
  return problemIn(() => {
    const { folder, name } = folderOf(file);
    writeNew(join(folder, name), chunks);
  });
}

/**
 * Returns why a folder, which need not exist, must not be written to: a link in a checkout leads out of that checkout.
 * Returns undefined if the folder may be written to. A link above the checkout is the operator's own.
 */
export function leadsOut(folder: string): string | undefined {
  const path = resolve(folder);
  const real = nearestRealPath(path);
  const checkout = checkoutsOf(path).find((root) => !isInside(real, realpathSync(root)));
  return checkout === undefined ? undefined : `its folder is behind a symbolic link that leads out of ${checkout}`;
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
  const current = isInside(path, process.cwd()) ? [process.cwd()] : [];
  return [...current, ...ancestorsOf(path, sep).filter((folder) => existsSync(join(folder, '.git')))];
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
    // A part of the file, as on a full disk, would make the next attempt fail.
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
