/**
 * Stops without failing a request. API servers learn late that a server leaves: so it says that it is not ready, asks each connection to close, but
 * serves on for a while, and only then closes.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface StopOptions {
  /** From now on: not ready, and `Connection: close` on every answer. */
  readonly drain: () => void;
  readonly drainSeconds: number;
  /** Closes the listeners in order, the operations port last; cuts off what still runs after so many milliseconds. */
  readonly close: (timeoutMs: number) => Promise<void>;
  readonly log: { info(message: string): void };
}

/** For requests that still run after the drain: the longest that a registration may have an API server wait, and a second. */
export const CLOSING_MS = 31_000;
/** The same without a drain: for somebody at a terminal. */
const CLOSING_AT_TERMINAL_MS = 2000;
/** Beyond that, for what was cut off to be gone. */
const LAST_MS = 4000;

/** Returns the milliseconds after which a stop is given up: with the default of 15 s well within a pod's 60 s of grace. */
export function stopLimit(signal: string, drainSeconds: number): number {
  return (signal === 'SIGTERM' ? drainSeconds * 1000 + CLOSING_MS : CLOSING_AT_TERMINAL_MS) + LAST_MS;
}

/** Drains on SIGTERM, not on another signal, such as that of somebody at a terminal; then closes. */
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
