/** Watches files: a good change is passed on, a bad one is reported and changes nothing. */
import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FileWatchOptions<T> {
  readonly files: readonly string[];
  /** Reads and checks the files; rejects if they are bad. */
  readonly load: () => Promise<T>;
  /** Returns the text by which two contents differ. */
  readonly key: (loaded: T) => string;
  /** The content in use. With undefined, the first content counts as a change. */
  readonly current: T | undefined;
  /** Called with each good new content, also when a bad one is reverted. */
  readonly onChange: (loaded: T) => void;
  /** Called once for each distinct problem in a row. What `onChange` throws is one too; it is then called again. */
  readonly onError: (error: Error) => void;
  /** Milliseconds between two reads without an event: a watch ends with its folder, and some file systems have none. */
  readonly pollMs?: number;
  /** Waits for a burst of events, or a write, to end. Default: 100 ms. */
  readonly settle?: () => Promise<unknown>;
}

export interface FileWatch {
  /** Why the content on disk is refused; undefined while it is in use. */
  readonly problem: Error | undefined;
  /** Nothing is called any more after this. Resolves once a read under way has ended. */
  close(): Promise<void>;
}

/** Watches until closed; keeps no process alive. A pipe is not read again. */
export function watchFiles<T>(options: FileWatchOptions<T>): FileWatch {
  const { files, onChange, onError, pollMs = 10_000, settle = moment } = options;
  let problem: Error | undefined;
  let seen = options.current === undefined ? undefined : goodKey(options, options.current);
  let isClosed = false;
  /** Aborted by an event since the last look, and by the close. */
  let changed = new AbortController();
  const notice = () => changed.abort();
  const look = async () => {
    const first = await read(options);
    if (isClosed || first === undefined || first.key === seen) return;
    // A file may be half-written: a content counts when two reads agree.
    await settle();
    const second = await read(options);
    if (isClosed) return;
    if (second?.key !== first.key) return notice();
    const last = problem?.message;
    try {
      onChange(second.content());
      seen = second.key;
      problem = undefined;
    } catch (error) {
      problem = error as Error;
      // A good content that could not be applied has another key, so each look tries it again.
      seen = badKey(problem);
      if (problem.message !== last) onError(problem);
    }
  };
  const run = async () => {
    while (!isClosed) {
      changed = new AbortController();
      await look();
      await sleep(pollMs, undefined, { ref: false, signal: changed.signal }).catch(() => {});
      if (changed.signal.aborted && !isClosed) await settle();
    }
  };
  // Watches folders, not files: a kubelet replaces its mounts by a symlink, and editors rename over a file.
  const watchers = [...new Set(files.map((file) => dirname(resolve(file))))].flatMap((folder) =>
    watchFolder(folder, notice),
  );
  const ended = run();
  return {
    get problem() {
      return problem;
    },
    close: () => {
      isClosed = true;
      for (const watcher of watchers) watcher.close();
      changed.abort();
      return ended;
    },
  };
}

function goodKey<T>({ key }: FileWatchOptions<T>, loaded: T): string {
  return `good: ${key(loaded)}`;
}

function badKey({ message }: Error): string {
  return `bad: ${message}`;
}

/** Returns the content, or a function that throws the error. Undefined for a pipe: opening one may wait forever. */
async function read<T>(options: FileWatchOptions<T>): Promise<{ readonly key: string; content(): T } | undefined> {
  const stats = await Promise.all(options.files.map((file) => stat(file).catch(() => undefined)));
  if (stats.some((one) => one?.isFIFO() || one?.isCharacterDevice())) return undefined;
  try {
    const loaded = await options.load();
    return { key: goodKey(options, loaded), content: () => loaded };
  } catch (error) {
    const content = () => {
      throw error;
    };
    return { key: badKey(error as Error), content };
  }
}

function watchFolder(folder: string, onEvent: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, onEvent);
    return [watcher.on('error', () => watcher.close())];
  } catch {
    // No such folder yet, or no watches left on this machine: the polls find what there is.
    return [];
  }
}

function moment(): Promise<unknown> {
  return sleep(100, undefined, { ref: false });
}
