/** Looks at something again whenever its folder stirs, and from time to time in any case. */
import { type FSWatcher, watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FolderWatchOptions {
  /** Milliseconds between looks without an event: a watch is lost with its folder, and not every file system has one. Default: 10 s. */
  readonly pollMs?: number;
  /** Waits for a burst of events to end. Default: 100 ms. */
  readonly settle?: () => Promise<unknown>;
}

export interface FolderWatch {
  /** No look begins after this. */
  close(): void;
}

/**
 * Looks at once and then until closed, one look at a time; keeps no process alive. Folders are watched, not files:
 * a kubelet swaps what it mounts by a symlink beside it, and editors rename over a file.
 * @param look must not reject; `'again'` asks for another look soon
 */
export function watchFolders(
  folders: Iterable<string>,
  look: () => Promise<'again' | undefined>,
  options: FolderWatchOptions = {},
): FolderWatch {
  const watching = new Watching(look, options);
  watching.begin(new Set(folders));
  return watching;
}

/** A tenth of a second, which keeps no process alive. */
export function moment(): Promise<unknown> {
  return sleep(100, undefined, { ref: false });
}

class Watching implements FolderWatch {
  readonly #look: () => Promise<'again' | undefined>;
  readonly #options: FolderWatchOptions;
  readonly #watchers: FSWatcher[] = [];
  #closed = false;
  /** Something happened since the last look began. */
  #stirred = false;
  #wake = (): void => {};

  constructor(look: () => Promise<'again' | undefined>, options: FolderWatchOptions) {
    this.#look = look;
    this.#options = options;
  }

  begin(folders: ReadonlySet<string>): void {
    for (const folder of folders) this.#watch(folder);
    void this.#run();
  }

  close(): void {
    this.#closed = true;
    for (const watcher of this.#watchers) watcher.close();
    this.#wake();
  }

  async #run(): Promise<void> {
    const { pollMs = 10_000, settle = moment } = this.#options;
    while (!this.#closed) {
      this.#stirred = false;
      if ((await this.#look()) === 'again') this.#stirred = true;
      await this.#pause(pollMs);
      // A burst of events is one change.
      if (this.#stirred && !this.#closed) await settle();
    }
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#stir());
      watcher.on('error', () => watcher.close());
      this.#watchers.push(watcher);
    } catch {
      // No such folder yet, or no watches left on this machine: the looks at intervals find what there is.
    }
  }

  #stir(): void {
    this.#stirred = true;
    this.#wake();
  }

  /** Until the time is over, a folder stirs or the watch is closed. */
  #pause(milliseconds: number): Promise<void> {
    if (this.#stirred || this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
