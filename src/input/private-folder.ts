/** Private temporary folders. They are removed at the end of the process, also if a signal or an error ends it. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escapeControls } from '../base/text.ts';
import { reasonOf } from '../documents/files.ts';

export interface PrivateFolder {
  /** Without links. */
  readonly path: string;
  /** Removes the folder with all that is in it. */
  close(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const open = new Set<PrivateFolder>();

/**
 * Creates a folder that only this user can read.
 * @param stop ends what still writes into it
 * @throws the error of the file system
 */
export function openPrivateFolder(prefix: string, stop: () => void = () => {}): PrivateFolder {
  // Before the folder exists, so that no signal can end the process in between and leave it behind.
  if (open.size === 0) addListeners();
  const path = created(prefix);
  const folder = {
    path,
    close() {
      stop();
      // Links in it are removed, not followed. A program that was just ended may still finish a write.
      rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
      open.delete(folder);
      if (open.size === 0) removeListeners();
    },
  };
  open.add(folder);
  return folder;
}

/** Returns why a private folder, or the folder that it would be in, can't be used. @param error of the file system */
export function unwritableText(error: unknown, folder = tmpdir()): string {
  return `the temporary folder ${escapeControls(folder)} can't be written: ${reasonOf(error)}`;
}

function created(prefix: string): string {
  try {
    return realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  } catch (error) {
    if (open.size === 0) removeListeners();
    throw error;
  }
}

function addListeners(): void {
  process.on('exit', closeAll);
  // Prepended: `onSignal` counts the listeners, and one that was added by `once` is removed before it is called.
  for (const signal of SIGNALS) process.prependListener(signal, onSignal);
}

function removeListeners(): void {
  process.off('exit', closeAll);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

function closeAll(): void {
  for (const folder of [...open]) folder.close();
}

function onSignal(signal: NodeJS.Signals): void {
  // Another listener, such as that of --watch, ends the run in order.
  if (process.listenerCount(signal) > 1) return;
  closeAll();
  process.kill(process.pid, signal);
}
