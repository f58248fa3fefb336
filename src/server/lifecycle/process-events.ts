/**
 * Handles what comes to the process from outside of any request: signals, and errors nobody caught. A signal stops the server in order, a second one
 * at once. An error ends the process while it starts, and not any more once it serves.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type StopOptions, stop, stopLimit } from './drain.ts';
import type { InternalErrors } from './internal-errors.ts';

export interface ProcessEvents {
  /** From now on signals drain, and uncaught errors are logged and counted. */
  serving(options: Serving): void;
}

export interface ProcessEventsOptions {
  readonly log: { error(message: string, error?: unknown): void };
  /** Has the log written, within so many milliseconds. */
  readonly flush: (timeoutMs: number) => Promise<void>;
  /** Writes why the process ends before it serves. */
  readonly reportFailure: (error: unknown) => void;
}

interface Serving extends StopOptions {
  readonly errors: Pick<InternalErrors, 'report'>;
}

/** SIGHUP: the terminal is gone. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;
/** A log that nobody reads must not hold up the end. */
const FLUSH_MS = 500;

/** Installs the handlers, before anything can fail: the first process of a container has no default for signals. */
export function handleProcessEvents({ log, flush, reportFailure }: ProcessEventsOptions): ProcessEvents {
  let serving: Serving | undefined;
  let stopping = false;
  let exitCode = 0;
  const end = async (code: number) => {
    exitCode ||= code;
    await flush(FLUSH_MS);
    process.exit(exitCode);
  };
  const onSignal = async (signal: string) => {
    if (serving === undefined) return end(0);
    if (stopping) {
      log.error(`${signal} again: stopping at once`);
      return end(1);
    }
    stopping = true;
    return end(await stopWithin(stopLimit(signal, serving.drainSeconds), stop(serving, signal), log));
  };
  const onError = (source: 'exception' | 'rejection', error: unknown) => {
    try {
      if (serving === undefined) reportFailure(error);
      else serving.errors.report(source, error);
    } catch {
      // A failure while reporting a failure: there is nothing left to report it with.
    }
    if (serving === undefined) void end(1);
  };
  for (const signal of SIGNALS) process.on(signal, () => void onSignal(signal));
  process.on('uncaughtException', (error) => onError('exception', error));
  process.on('unhandledRejection', (reason) => onError('rejection', reason));
  return {
    serving: (options) => {
      serving = options;
    },
  };
}

/** Returns the exit code: 0 where the stop ended well, and in time. */
async function stopWithin(milliseconds: number, stopped: Promise<void>, log: ProcessEventsOptions['log']) {
  const late = sleep(milliseconds, 'late', { ref: false });
  try {
    if ((await Promise.race([stopped, late])) !== 'late') return 0;
    log.error('stopping took too long: giving up on what still runs');
  } catch (error) {
    log.error('a failure while stopping', error);
  }
  return 1;
}
