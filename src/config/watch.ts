/** Watches a configuration file: a good new content takes effect, a bad one is reported and the old one stays in force. */
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type FolderWatch, moment, watchFolders } from '../watch/folders.ts';
import {
  ConfigError,
  configurationOf,
  fingerprintOf,
  type LoadedConfiguration,
  readConfigurationText,
} from './load.ts';

export interface WatchOptions {
  readonly ruleIds: ReadonlySet<string>;
  /** Called with each good new content, also when a bad one is reverted. Must not throw. */
  readonly onPolicy: (loaded: LoadedConfiguration) => void;
  /** Called once for each bad new content or failure to read; the configuration in force stays. Must not throw. */
  readonly onProblems: (error: ConfigError) => void;
  /** The fingerprint of the content in force, from `loadConfiguration`. Without it the first content counts as new. */
  readonly fingerprint?: string;
  /** Milliseconds between two reads without an event: not every file system reports changes. Default: 10 s. */
  readonly pollMs?: number;
  /** Waits before the second read: a content counts when two reads agree, for a file may be half-written. Default: 100 ms. */
  readonly settle?: () => Promise<unknown>;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

/** Watches until closed; keeps no process alive. After `close` nothing is called any more. */
export function watchConfiguration(file: string, options: WatchOptions): WatchedConfiguration {
  const watching = new ConfigurationWatch(file, options);
  void watching.begin();
  return watching;
}

/** A configuration file under watch. */
export interface WatchedConfiguration {
  /** Why the content on disk is refused; undefined while what is on disk is in force. */
  readonly refused: ConfigError | undefined;
  close(): void;
}

type Content = { readonly key: string; readonly text: string } | { readonly key: string; readonly error: ConfigError };

class ConfigurationWatch implements WatchedConfiguration {
  refused: ConfigError | undefined;
  readonly #file: string;
  readonly #options: WatchOptions;
  readonly #settle: () => Promise<unknown>;
  #watch: FolderWatch | undefined;
  #seen: string | undefined;
  #closed = false;

  constructor(file: string, options: WatchOptions) {
    this.#file = file;
    this.#options = options;
    this.#settle = options.settle ?? moment;
    this.#seen = options.fingerprint;
  }

  async begin(): Promise<void> {
    if ((await isPipe(this.#file)) || this.#closed) return;
    const { pollMs } = this.#options;
    const folder = dirname(resolve(this.#file));
    const options = { settle: this.#settle, ...(pollMs === undefined ? {} : { pollMs }) };
    this.#watch = watchFolders([folder], () => this.#check(), options);
  }

  close(): void {
    this.#closed = true;
    this.#watch?.close();
  }

  async #check(): Promise<'again' | undefined> {
    const first = await contentOf(this.#file);
    if (this.#closed || first.key === this.#seen) return undefined;
    await this.#settle();
    const second = await contentOf(this.#file);
    if (this.#closed) return undefined;
    // Still being written.
    if (second.key !== first.key) return 'again';
    this.#seen = second.key;
    this.#report(second);
    return undefined;
  }

  #report(content: Content): void {
    const { onPolicy, onProblems } = this.#options;
    const loaded = 'error' in content ? content.error : this.#load(content.text);
    this.refused = loaded instanceof ConfigError ? loaded : undefined;
    if (loaded instanceof ConfigError) onProblems(loaded);
    else onPolicy(loaded);
  }

  #load(text: string): LoadedConfiguration | ConfigError {
    const { ruleIds, clock = Date.now } = this.#options;
    try {
      return configurationOf(text, this.#file, ruleIds, clock());
    } catch (error) {
      return asConfigError(error, this.#file);
    }
  }
}

/** A pipe (`--config <(…)`) never changes, and a second read would wait forever. */
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

/** A running server survives even a bug of ours in loading a new file. */
function asConfigError(error: unknown, file: string): ConfigError {
  if (error instanceof ConfigError) return error;
  return new ConfigError('CONFIG_CRASH', [`${file}: could not be loaded, by a bug in muster: ${String(error)}`], {
    cause: error,
  });
}
