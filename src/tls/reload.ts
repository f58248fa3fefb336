/** Notices a new certificate and hands it over checked; a bad one is reported and changes nothing. */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SecureContextOptions, Server } from 'node:tls';
import { watchFolders } from '../watch/folders.ts';
import { loadClientCa } from './callers.ts';
import { CertificateError } from './error.ts';
import { type CertificateFiles, type LoadedCertificate, loadCertificate } from './load.ts';

export interface WatchOptions extends CertificateFiles {
  /** What is in use already; without it the first look hands over what it finds. */
  readonly current?: LoadedCertificate;
  /** A good pair that differs from the last. What it throws goes to `onError`, and the next look tries again. */
  onChange(loaded: LoadedCertificate): void;
  /** Once for each distinct problem, until a look finds none. */
  onError(error: Error): void;
  /** Milliseconds between looks without an event. Default: 10 s. */
  readonly pollMs?: number;
  /** How a pair is read and checked. Default: `loadCertificate`. */
  readonly load?: typeof loadCertificate;
}

export interface CertificateWatch {
  /** No callback comes after this. */
  close(): void;
}

/** Watches the folders of both files, and looks every `pollMs` too. */
export function watchCertificate(options: WatchOptions): CertificateWatch {
  const { certFile, keyFile, load = loadCertificate } = options;
  return watch({ ...options, files: [certFile, keyFile], load: () => load(options), textOf });
}

export interface WatchClientCaOptions extends Pick<WatchOptions, 'onError' | 'pollMs'> {
  readonly file: string;
  /** PEM, in use already. */
  readonly current: string;
  onChange(ca: string): void;
}

/** The same for the CAs that vouch for callers. */
export function watchClientCa(options: WatchClientCaOptions): CertificateWatch {
  const { file } = options;
  return watch({ ...options, files: [file], load: () => loadClientCa(file), textOf: (ca) => ca });
}

function watch<T>(options: Watched<T>): CertificateWatch {
  const { files, pollMs } = options;
  const latest = new Latest(options);
  const watched = watchFolders(files.map(dirname), () => latest.look(), pollMs === undefined ? {} : { pollMs });
  return {
    close() {
      latest.closed = true;
      watched.close();
    },
  };
}

/**
 * Gives a listening server a new certificate; living connections keep the old one.
 * @param context what else the server was made with (`ca`, `minVersion`, …): a secure context is replaced as a whole
 * @throws CertificateError on an empty certificate or key, which Node would accept and then fail every handshake
 */
export function applyCertificate(
  server: Server,
  loaded: Pick<LoadedCertificate, 'cert' | 'key'>,
  context: SecureContextOptions = {},
): void {
  const { cert, key } = loaded;
  if (!cert?.trim() || !key?.trim()) {
    throw new CertificateError('empty', 'the new certificate or its key is empty; the old one stays');
  }
  server.setSecureContext({ ...context, cert, key });
}

interface Watched<T> {
  readonly files: readonly string[];
  readonly current?: T;
  readonly pollMs?: number;
  load(): Promise<T>;
  textOf(loaded: T): string;
  onChange(loaded: T): void;
  onError(error: Error): void;
}

/** What is in use, and the problem that was last told. */
class Latest<T> {
  closed = false;
  readonly #options: Watched<T>;
  #current: string | undefined;
  #problem: string | undefined;

  constructor(options: Watched<T>) {
    this.#options = options;
    this.#current = options.current === undefined ? undefined : options.textOf(options.current);
  }

  async look(): Promise<undefined> {
    try {
      await refusePipes(this.#options.files);
      const loaded = await this.#options.load();
      if (this.closed) return;
      const text = this.#options.textOf(loaded);
      if (text !== this.#current) this.#options.onChange(loaded);
      this.#current = text;
      this.#problem = undefined;
    } catch (error) {
      if (!this.closed) this.#report(error as Error);
    }
  }

  #report(error: Error): void {
    if (error.message === this.#problem) return;
    this.#problem = error.message;
    this.#options.onError(error);
  }
}

/** To open a pipe that nobody writes into waits for ever, in a thread without which the process can't even end. */
async function refusePipes(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFIFO() !== true) continue;
    throw new CertificateError('unreadable', `${file} is a pipe, which is read at the start alone; put a file there`);
  }
}

function textOf({ cert, key }: LoadedCertificate): string {
  return `${cert}${key}`;
}
