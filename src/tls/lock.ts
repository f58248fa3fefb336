/** A lock on a folder, among processes that may die at any moment: a folder inside of it, which can be made by one only. */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface FileToWrite {
  readonly file: string;
  readonly text: string;
  readonly mode: number;
}

/** The work takes a few milliseconds; whoever has held the lock for seconds is gone. */
const STALE_MS = 5000;
const RETRY_MS = 20;

/**
 * Writes the files that `make` returns, each by a rename, while no other process does; nothing on undefined. Returns whether it wrote. Throws what
 * `make` throws, or a file system error.
 */
export async function writeLocked(
  folder: string,
  make: () => Promise<readonly FileToWrite[] | undefined>,
): Promise<boolean> {
  await mkdir(folder, { recursive: true });
  const lock = join(folder, '.making-certificates');
  while (true) {
    if (!(await take(lock))) {
      await waitFor(lock);
      continue;
    }
    try {
      const files = await make();
      if (files !== undefined) await moveIn(files, lock);
      return files !== undefined;
    } catch (error) {
      // The lock was taken for that of a dead process: another one has written meanwhile, so look again.
      const { code, path = '' } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' || !path.startsWith(lock)) throw error;
    } finally {
      await rm(lock, { recursive: true, force: true });
    }
  }
}

async function moveIn(files: readonly FileToWrite[], lock: string): Promise<void> {
  // Names of its own, so that a holder never moves what another has put into the lock.
  const drafts = files.map((file) => ({ ...file, draft: join(lock, randomUUID()) }));
  for (const { draft, text, mode } of drafts) await writeFile(draft, text, { mode, flag: 'wx' });
  for (const { draft, file } of drafts) await rename(draft, file);
}

async function take(lock: string): Promise<boolean> {
  try {
    await mkdir(lock, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Waits a moment, or removes the lock of a process that died. */
async function waitFor(lock: string): Promise<void> {
  const held = await stat(lock).catch(() => undefined);
  if (held === undefined) return;
  // Clocks differ, so the distance counts in both directions.
  if (Math.abs(Date.now() - held.mtimeMs) >= STALE_MS) await rm(lock, { recursive: true, force: true });
  else await delay(RETRY_MS);
}
