/**
 * What comes to the process from outside of any request: signals, and failures nobody caught. A signal stops it in order, a
 * second one at once; a failure stops it while it starts, and not any more once it serves.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type StopOptions, stop, stopLimit } from './drain.ts';
import type { Faults } from './faults.ts';

export interface Guard {
  /** From now on signals drain, and failures are told and counted. */
  serving(options: StopOptions & { readonly faults: Pick<Faults, 'happened'> }): void;
}

export interface GuardOptions {
  readonly log: { error(message: string, error?: unknown): void };
  /** Has the log written, for so many milliseconds at most. */
  readonly flush: (patienceMs: number) => Promise<void>;
  /** Says why the process ends before it serves. */
  readonly tell: (error: unknown) => void;
}

type Serving = Parameters<Guard['serving']>[0];

/** SIGHUP: the terminal is gone. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;
/** A log that nobody reads must not hold up the end. */
const FLUSH_MS = 500;

/** Installed once, before anything can fail: the first process of a container has no default for signals. */
export function guardProcess(options: GuardOptions): Guard {
  const guarding = new Guarding(options);
  for (const signal of SIGNALS) process.on(signal, () => void guarding.signalled(signal));
  process.on('uncaughtException', (error) => guarding.broke('exception', error));
  process.on('unhandledRejection', (reason) => guarding.broke('rejection', reason));
  return guarding;
}

class Guarding implements Guard {
  readonly #options: GuardOptions;
  #serving: Serving | undefined;
  #stopping = false;
  #forced = false;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  serving(serving: Serving): void {
    this.#serving = serving;
  }

  async signalled(signal: string): Promise<void> {
    if (this.#serving === undefined) return this.#end(0);
    if (this.#stopping) {
      this.#forced = true;
      this.#options.log.error(`${signal} again: stopping at once`);
      return this.#end(1);
    }
    this.#stopping = true;
    return this.#end(await this.#stop(this.#serving, signal));
  }

  broke(where: 'exception' | 'rejection', error: unknown): void {
    try {
      if (this.#serving === undefined) this.#options.tell(error);
      else this.#serving.faults.happened(where, error);
    } catch {
      // A failure of telling a failure: nothing is left to tell it with.
    }
    if (this.#serving === undefined) void this.#end(1);
  }

  /** The exit code. */
  async #stop(serving: Serving, signal: string): Promise<number> {
    const { log } = this.#options;
    const late = sleep(stopLimit(signal, serving.drainSeconds), 'late', { ref: false });
    try {
      if ((await Promise.race([stop(serving, signal), late])) !== 'late') return 0;
      log.error('stopping took too long: giving up on what still runs');
    } catch (error) {
      log.error('a failure while stopping', error);
    }
    return 1;
  }

  async #end(code: number): Promise<never> {
    await this.#options.flush(FLUSH_MS);
    process.exit(this.#forced ? 1 : code);
  }
}
