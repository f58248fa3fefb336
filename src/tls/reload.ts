/** Notices a new certificate and hands it over checked; a bad one is reported and changes nothing. */
import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { SecureContextOptions, Server } from 'node:tls';
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

/**
 * Watches the folders of both files, since a kubelet swaps a symlink beside them and never touches the files, and looks
 * every `pollMs` too, since a watch is lost with its folder and does not exist on every file system.
 */
export function watchCertificate(options: WatchOptions): CertificateWatch {
  const watched = new Watch(options);
  watched.start();
  return watched;
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

const POLL_MS = 10_000;
// Two files are written one after the other; a moment of quiet saves a report on the half-way pair.
const SETTLE_MS = 100;

class Watch implements CertificateWatch {
  readonly #options: WatchOptions;
  readonly #watchers: FSWatcher[] = [];
  #poll: NodeJS.Timeout | undefined;
  #settle: NodeJS.Timeout | undefined;
  #looking = false;
  #lookAgain = false;
  #closed = false;
  #current: string | undefined;
  #problem: string | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#current = options.current && textOf(options.current);
  }

  start(): void {
    const { certFile, keyFile, pollMs = POLL_MS } = this.#options;
    for (const folder of new Set([dirname(certFile), dirname(keyFile)])) this.#watchFolder(folder);
    this.#poll = setInterval(() => this.#look(), pollMs).unref();
    // What has changed between the server's own reading and the first event.
    this.#look();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#poll);
    clearTimeout(this.#settle);
    for (const watcher of this.#watchers) watcher.close();
  }

  #watchFolder(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#lookSoon());
      watcher.on('error', () => watcher.close());
      this.#watchers.push(watcher);
    } catch {
      // No such folder yet, or no watches left on this machine: the poll finds what there is.
    }
  }

  #lookSoon(): void {
    clearTimeout(this.#settle);
    if (!this.#closed) this.#settle = setTimeout(() => this.#look(), SETTLE_MS).unref();
  }

  async #look(): Promise<void> {
    this.#lookAgain = this.#looking;
    if (this.#looking) return;
    this.#looking = true;
    await this.#lookOnce().finally(() => {
      this.#looking = false;
    });
    if (this.#lookAgain && !this.#closed) this.#lookSoon();
  }

  async #lookOnce(): Promise<void> {
    try {
      const { load = loadCertificate } = this.#options;
      const loaded = await load(this.#options);
      if (this.#closed) return;
      if (textOf(loaded) !== this.#current) this.#options.onChange(loaded);
      this.#current = textOf(loaded);
      this.#problem = undefined;
    } catch (error) {
      if (!this.#closed) this.#report(error as Error);
    }
  }

  #report(error: Error): void {
    if (error.message === this.#problem) return;
    this.#problem = error.message;
    this.#options.onError(error);
  }
}

function textOf({ cert, key }: LoadedCertificate): string {
  return `${cert}${key}`;
}
