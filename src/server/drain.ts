/**
 * Stopping without failing a request. Endpoints lag behind: on SIGTERM the server says not ready and asks each connection to
 * close, but keeps serving for a while; only then it closes. A second signal ends it at once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';

export interface Drain {
  readonly draining: () => boolean;
  /** From now on: not ready, and `Connection: close`. */
  begin(): void;
}

export function createDrain(): Drain {
  let begun = false;
  return {
    draining: () => begun,
    begin: () => {
      begun = true;
    },
  };
}

export interface StopOptions {
  readonly drain: Drain;
  readonly drainSeconds: number;
  /** Ends what listens, in order; the ops port last. */
  readonly close: () => Promise<void>;
  readonly log: { info(message: string): void; error(message: string, error?: unknown): void };
}

export interface StopCause {
  readonly signal?: string | undefined;
  readonly err?: unknown;
}

/** Milliseconds for what is still running when the drain is over. */
const CLOSING = 35_000;

/** Ends the process in order on a signal (exit 0) or on an error nobody caught (exit 1). */
export function stopOnSignal(options: StopOptions): void {
  const { log, drainSeconds } = options;
  closeWithGrace(
    {
      delay: drainSeconds * 1000 + CLOSING,
      logger: false,
      skip: ['beforeExit'],
      onSecondSignal: (signal) => log.error(`${signal} again: stopping at once`),
      onSecondError: (error) => log.error('a failure while stopping', error),
      onTimeout: () => log.error('stopping took too long: giving up on what still runs'),
    },
    (cause) => stop(options, cause),
  );
}

/** Drains and closes. SIGTERM drains; someone at a terminal (SIGINT) or a broken process does not wait. */
export async function stop(
  { drain, drainSeconds, close, log }: StopOptions,
  { signal, err }: StopCause,
): Promise<void> {
  drain.begin();
  if (err !== undefined) log.error('a failure nobody caught; stopping', err);
  else log.info(`${signal ?? 'asked to stop'}: not ready any more`);
  if (signal === 'SIGTERM' && drainSeconds > 0) {
    log.info(`serving for another ${drainSeconds} s`);
    await sleep(drainSeconds * 1000);
  }
  await close();
  log.info('closed');
}
