/** Watches certificate files: a good change is handed over, a bad one is reported and changes nothing. */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { watchFolders } from '../watch/folders.ts';
import { CertificateError } from './error.ts';

export interface WatchLoadedOptions<T> {
  readonly files: readonly string[];
  /** Reads and checks the files; rejects where they are bad. */
  load(): Promise<T>;
  /** Returns the text by which two contents differ. */
  key(loaded: T): string;
  /** What is in use. With undefined, the first good content counts as a change. */
  readonly current: T | undefined;
  /** Takes a good content that differs from the last. What it throws goes to `onError`, and the next look tries again. */
  onChange(loaded: T): void;
  /** Is called once for each distinct problem, until there is none. */
  onError(error: Error): void;
  /** Milliseconds between looks without an event. Default: 10 s. */
  readonly pollMs?: number;
}

/** Watches until closed; no callback comes after that. Keeps no process alive. */
export function watchLoaded<T>(options: WatchLoadedOptions<T>): { close(): void } {
  const { files, load, key, current, onChange, onError, pollMs } = options;
  let closed = false;
  let known = current === undefined ? undefined : key(current);
  let problem: string | undefined;
  const look = async () => {
    try {
      await refusePipes(files);
      const loaded = await load();
      if (closed) return undefined;
      if (key(loaded) !== known) onChange(loaded);
      known = key(loaded);
      problem = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (!closed && message !== problem) onError(error as Error);
      problem = message;
    }
    return undefined;
  };
  const watch = watchFolders(files.map(dirname), look, pollMs === undefined ? {} : { pollMs });
  return {
    close: () => {
      closed = true;
      watch.close();
    },
  };
}

/** Opening a pipe into which nobody writes waits for ever, in a thread without which the process can't even end. */
async function refusePipes(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFIFO() !== true) continue;
    throw new CertificateError('unreadable', `${file} is a pipe, which is read at the start alone; put a file there`);
  }
}
