/**
 * Stopping without failing a request. Endpoints lag behind: on SIGTERM the server says not ready and asks each connection to
 * close, but keeps serving for a while; only then it closes.
 */
import { setTimeout as sleep } from 'node:timers/promises';

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
  /** Ends what listens, in order, the ops port last; cuts off what still runs after so many milliseconds. */
  readonly close: (patienceMs: number) => Promise<void>;
  readonly log: { info(message: string): void };
}

/** For requests that still run when the drain is over: the longest that a registration may have an API server wait, and a second. */
export const CLOSING_MS = 31_000;
/** The same where nobody waits for a drain: someone at a terminal. */
const IMPATIENT_MS = 2000;
/** Beyond the patience, for what has been cut off to be gone. */
const LAST_MS = 4000;

/** Milliseconds after which a stop is given up: with the default of 15 s well within a pod's 60 s of grace. */
export function stopLimit(signal: string, drainSeconds: number): number {
  return (signal === 'SIGTERM' ? drainSeconds * 1000 + CLOSING_MS : IMPATIENT_MS) + LAST_MS;
}

/** Drains and closes. SIGTERM drains; someone at a terminal (SIGINT) does not wait. */
export async function stop({ drain, drainSeconds, close, log }: StopOptions, signal: string): Promise<void> {
  drain.begin();
  log.info(`${signal}: not ready any more`);
  const drains = signal === 'SIGTERM';
  if (drains && drainSeconds > 0) {
    log.info(`serving for another ${drainSeconds} s`);
    await sleep(drainSeconds * 1000);
  }
  await close(drains ? CLOSING_MS : IMPATIENT_MS);
  log.info('closed');
}
