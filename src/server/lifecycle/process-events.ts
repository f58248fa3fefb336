/**
 * Handles signals and uncaught errors. A signal stops the server gracefully, a second one at once. An uncaught error
 * ends the process only while it starts.
 *
 * A stop fails no request: since API servers learn late that a server is stopping, it reports "not ready" and asks each
 * connection to close, but keeps serving for a while before it closes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { InternalErrors } from './internal-errors.ts';

interface ProcessEvents {
  /** Call it when the server serves: from then on a signal drains it, and uncaught errors are logged and counted. */
  serving(options: Serving): void;
}

interface ProcessEventsOptions {
  readonly log: { error(message: string, error?: unknown): void };
  /** Writes the rest of the log, within so many milliseconds. */
  readonly flush: (timeoutMs: number) => Promise<void>;
  /** Reports an error that ends the process before it serves. */
  readonly reportFailure: (error: unknown) => void;
}

interface Serving extends StopOptions {
  readonly errors: Pick<InternalErrors, 'report'>;
}

/** SIGHUP: the terminal is gone. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;
/**
 * Milliseconds in which the same signal counts once: npm passes on a Ctrl+C that the terminal has already sent to the
 * server.
 */
const SAME_SIGNAL_MS = 500;
/** Milliseconds for writing the log at the end: a log that nobody reads must not delay it. */
const FLUSH_MS = 500;

/** Installs the handlers. Call it first: for the first process of a container, signals have no default action. */
export function handleProcessEvents({ log, flush, reportFailure }: ProcessEventsOptions): ProcessEvents {
  let serving: Serving | undefined;
  let stopping: { readonly signal: string; readonly since: number } | undefined;
  let exitCode = 0;
  const end = async (code: number) => {
    exitCode ||= code;
    await flush(FLUSH_MS);
    process.exit(exitCode);
  };
  const onSignal = async (signal: string) => {
    if (serving === undefined) return end(0);
    const now = performance.now();
    if (stopping?.signal === signal && now - stopping.since < SAME_SIGNAL_MS) return;
    if (stopping) {
      log.error(`a second signal, ${signal}: stopping at once`);
      return end(1);
    }
    stopping = { signal, since: now };
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

/** Returns the exit code: 0 if the stop ended in time and without an error, else 1. */
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

interface StopOptions {
  /** Makes the server not ready, and every answer ask its connection to close. */
  readonly drain: () => void;
  readonly drainSeconds: number;
  /** Closes the listeners in order, the operations port last; cuts off what still runs after so many milliseconds. */
  readonly close: (timeoutMs: number) => Promise<void>;
  readonly log: { info(message: string): void };
}

/** Milliseconds for requests that still run after the drain: the longest timeout of a webhook, and a second. */
export const CLOSING_MS = 31_000;
/** The same without a drain, for a person at a terminal. */
const CLOSING_AT_TERMINAL_MS = 2000;
/** Further milliseconds, for connections that were cut off to close. */
const LAST_MS = 4000;

/**
 * Returns the milliseconds after which a stop is given up: with the default of 15 s well within a pod's 60 s of grace.
 */
export function stopLimit(signal: string, drainSeconds: number): number {
  return (signal === 'SIGTERM' ? drainSeconds * 1000 + CLOSING_MS : CLOSING_AT_TERMINAL_MS) + LAST_MS;
}

/** Drains on SIGTERM, but not on a signal of a person at a terminal; then closes. */
export async function stop({ drain, drainSeconds, close, log }: StopOptions, signal: string): Promise<void> {
  drain();
  log.info(`${signal}: not ready any more`);
  const drains = signal === 'SIGTERM';
  if (drains && drainSeconds > 0) {
    log.info(`serving for another ${drainSeconds} s`);
    await sleep(drainSeconds * 1000);
  }
  await close(drains ? CLOSING_MS : CLOSING_AT_TERMINAL_MS);
  log.info('closed');
}
