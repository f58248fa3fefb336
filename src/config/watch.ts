/** A configuration file under watch: a good new one takes effect, a bad one is told and the old one stays. */
import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConfigError,
  configurationOf,
  fingerprintOf,
  type LoadedConfiguration,
  readConfigurationText,
} from './load.ts';

export interface WatchOptions {
  readonly ruleIds: ReadonlySet<string>;
  /** Called with each good new content, also when a bad one was taken back. Must not throw. */
  readonly onPolicy: (loaded: LoadedConfiguration) => void;
  /** Called once for each bad new content (or failure to read); what was in force stays so. Must not throw. */
  readonly onProblems: (error: ConfigError) => void;
  /** Of the content in force, as `loadConfiguration` gave it. Without it the first look tells what is there. */
  readonly fingerprint?: string;
  /** How often to look in any case, in milliseconds: not every file system tells of changes. Default 10 s. */
  readonly pollMs?: number;
  /** Waits for as long as a content has to stay the same to count: a file is seen half-written. Default: 100 ms. */
  readonly settle?: () => Promise<unknown>;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

/** Watches until closed; keeps no process alive. After `close` nothing is called any more. */
export function watchConfiguration(file: string, options: WatchOptions): { close(): void } {
  const watching = new ConfigurationWatch(file, options);
  void watching.run();
  return watching;
}

type Content = { readonly key: string; readonly text: string } | { readonly key: string; readonly error: ConfigError };

class ConfigurationWatch {
  readonly #file: string;
  readonly #options: WatchOptions;
  readonly #folder: FSWatcher | undefined;
  #seen: string | undefined;
  #closed = false;
  /** Something happened in the folder since the last look began. */
  #stirred = false;
  #wake = (): void => {};

  constructor(file: string, options: WatchOptions) {
    this.#file = file;
    this.#options = options;
    this.#seen = options.fingerprint;
    this.#folder = watchFolder(dirname(resolve(file)), () => this.#stir());
  }

  async run(): Promise<void> {
    const { pollMs = 10_000, settle = tenthOfASecond } = this.#options;
    if (await isPipe(this.#file)) this.close();
    while (!this.#closed) {
      this.#stirred = false;
      await this.#look(settle);
      await this.#pause(pollMs);
      // A burst of events is one change.
      if (this.#stirred) await settle();
    }
  }

  close(): void {
    this.#closed = true;
    this.#folder?.close();
    this.#wake();
  }

  async #look(settle: () => Promise<unknown>): Promise<void> {
    const first = await contentOf(this.#file);
    if (this.#closed || first.key === this.#seen) return;
    await settle();
    const second = await contentOf(this.#file);
    if (this.#closed) return;
    // Still being written: the next look is soon.
    if (second.key !== first.key) return this.#stir();
    this.#seen = second.key;
    this.#tell(second);
  }

  #tell(content: Content): void {
    const { onPolicy, onProblems } = this.#options;
    const judged = 'error' in content ? content.error : this.#judge(content.text);
    if (judged instanceof ConfigError) onProblems(judged);
    else onPolicy(judged);
  }

  #judge(text: string): LoadedConfiguration | ConfigError {
    const { ruleIds, clock = Date.now } = this.#options;
    try {
      return configurationOf(text, this.#file, ruleIds, clock());
    } catch (error) {
      return asConfigError(error, this.#file);
    }
  }

  #stir(): void {
    this.#stirred = true;
    this.#wake();
  }

  /** Until the time is over, the folder stirs or the watch is closed. */
  #pause(ms: number): Promise<void> {
    if (this.#stirred || this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function tenthOfASecond(): Promise<unknown> {
  return sleep(100, undefined, { ref: false });
}

/** The folder, not the file: kubelet swaps a mounted ConfigMap by a symlink beside it, editors rename over it. */
function watchFolder(folder: string, onEvent: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, onEvent);
    // Out of watches, or the folder is gone: the looks at intervals go on.
    return watcher.on('error', () => watcher.close());
  } catch {
    return undefined;
  }
}

/** A pipe (`--config <(…)`) is read once and never changes; reading it again would wait forever. */
async function isPipe(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isFIFO() || stats.isCharacterDevice(),
    () => false,
  );
}

async function contentOf(file: string): Promise<Content> {
  try {
    const text = await readConfigurationText(file);
    return { key: fingerprintOf(text), text };
  } catch (cause) {
    const error = asConfigError(cause, file);
    return { key: error.message, error };
  }
}

/** A running server outlives even our own bug in judging a new file. */
function asConfigError(error: unknown, file: string): ConfigError {
  if (error instanceof ConfigError) return error;
  return new ConfigError('CONFIG_CRASH', [`${file}: could not be judged, by a fault in muster: ${String(error)}`], {
    cause: error,
  });
}
