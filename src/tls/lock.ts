/**
 * One writer at a time in a folder, among processes that may die at any moment. The lock is a folder, made exclusively;
 * its holder prepares files inside of it and moves them out. A lock whose holder died is moved away as a whole, and with
 * it what a merely slow holder has not moved out yet: that holder's next step fails, so two never interleave.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface FileToWrite {
  readonly file: string;
  readonly text: string;
  readonly mode: number;
}

// Writing takes a few milliseconds; whoever has held the lock for seconds is gone.
const STALE_MS = 5_000;
const RETRY_MS = 20;
const lockIn = (folder: string) => join(folder, '.making-certificates');

/**
 * Writes the files that `make` answers, each by a rename, while no other process does; nothing on `undefined`.
 * @returns whether it wrote
 * @throws what `make` throws, or a file system error
 */
export async function writeAlone(
  folder: string,
  make: () => Promise<readonly FileToWrite[] | undefined>,
): Promise<boolean> {
  await makeFolder(folder);
  while (true) {
    if (!(await take(lockIn(folder)))) {
      await waitFor(lockIn(folder));
      continue;
    }
    try {
      const files = await make();
      if (files !== undefined) await moveIn(lockIn(folder), files);
      return files !== undefined;
    } catch (error) {
      // Our lock was taken for a dead one's: someone else has written meanwhile, so look again.
      if (!wasRevoked(error, lockIn(folder))) throw error;
    } finally {
      await release(lockIn(folder));
    }
  }
}

/** Not mkdir's own `recursive`, which never returns where the parent exists and still refuses with ENOENT (`/proc`). */
async function makeFolder(folder: string, orphan = false): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    const parent = dirname(folder);
    if (codeOf(error) !== 'ENOENT' || orphan || parent === folder) throw error;
    await makeFolder(parent);
    await makeFolder(folder, true);
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await mkdir(lock, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function waitFor(lock: string): Promise<void> {
  const held = await stat(lock).catch(ignoreMissing);
  if (held === undefined) return;
  // Of a clock that differs, the distance counts in both directions.
  if (Math.abs(Date.now() - held.mtimeMs) < STALE_MS) {
    await delay(RETRY_MS);
    return;
  }
  const grave = `${lock}.${randomUUID()}`;
  await rename(lock, grave).catch(ignoreMissing);
  await rm(grave, { recursive: true, force: true });
}

async function moveIn(lock: string, files: readonly FileToWrite[]): Promise<void> {
  // Names of our own, so that we can never move a file that a later holder has put under the same path.
  const prepared = files.map(({ file, text, mode }) => ({ file, text, mode, draft: join(lock, randomUUID()) }));
  try {
    for (const { draft, text, mode } of prepared) await writeFile(draft, text, { mode, flag: 'wx' });
    for (const { draft, file } of prepared) await rename(draft, file);
  } catch (error) {
    for (const { draft } of prepared) await rm(draft, { force: true });
    throw error;
  }
}

/** Only an empty folder goes: never the lock of another who took over and is at work. */
async function release(lock: string): Promise<void> {
  await rmdir(lock).catch((error: unknown) => {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error;
  });
}

function wasRevoked(error: unknown, lock: string): boolean {
  const { path = '' } = error as NodeJS.ErrnoException;
  return codeOf(error) === 'ENOENT' && path.startsWith(lock);
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
