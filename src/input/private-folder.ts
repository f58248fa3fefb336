/** Private temporary folders. They are removed at the end of the process, also if a signal or an error ends it. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escapeControls } from '../base/text.ts';
import { reasonOf } from '../documents/files.ts';
import { endAll } from './run-program.ts';

export interface PrivateFolder {
  /** Without links. */
  readonly folder: string;
  /** The programs that run in it now. */
  readonly running: Set<ChildProcess>;
  /** Ends these programs, and removes the folder with all that is in it. */
  close(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const open = new Set<PrivateFolder>();

/** Creates a folder that only this user can read. @throws the error of the file system */
export function openPrivateFolder(prefix: string): PrivateFolder {
  // Before the folder exists, so that no signal can end the process in between and leave it behind.
  if (open.size === 0) addListeners();
  const folder = created(prefix);
  const running = new Set<ChildProcess>();
  const own = {
    folder,
    running,
    close() {
      endAll(running);
      // Links in it are removed, not followed. A program that was just ended may still finish a write.
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
      open.delete(own);
      if (open.size === 0) removeListeners();
    },
  };
  open.add(own);
  return own;
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
  for (const one of [...open]) one.close();
}

function onSignal(signal: NodeJS.Signals): void {
  // Another listener, such as that of --watch, ends the run in order.
  if (process.listenerCount(signal) > 1) return;
  closeAll();
  process.kill(process.pid, signal);
}
