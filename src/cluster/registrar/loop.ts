/** Runs the rounds of the registrar in the server: every 30 s, and soon after a join. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deadline } from '../../engine/cluster-state.ts';

interface LoopOptions {
  /** Runs one round. If it rejects, which is a bug, `onError` is called and the loop continues. */
  readonly round: (deadline: Deadline) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** Waits, at most until the signal aborts. Default: by the clock; the timer does not keep the process alive. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** Returns a number from 0 to 1. */
  readonly random?: () => number;
}

export interface RegistrarLoop {
  /** Announces a join that was allowed: a round follows soon, when the join should be stored. */
  joined(): void;
  /** Ends the loop, and a running round. */
  close(): void;
}

/** Milliseconds between two rounds, give or take JITTER, so that members do not call the hub all at once. */
export const ROUND_MS = 30_000;
const JITTER = 0.2;
/** Milliseconds from a join to the round that confirms it. */
export const AFTER_JOIN_MS = 5000;
/** The most milliseconds of one round. */
export const ROUND_LIMIT_MS = 20_000;

/** Starts the loop, with a round at once. */
export function startLoop({ round, onError, pause = unrefPause, random = Math.random }: LoopOptions): RegistrarLoop {
  const closing = new AbortController();
  let latest = Promise.resolve();
  let isJoinAwaited = false;
  /** Rounds of one replica do not overlap: each waits for the one before. */
  const runOnce = (): Promise<void> => {
    latest = latest.then(async () => {
      if (closing.signal.aborted) return;
      await round({ at: Date.now() + ROUND_LIMIT_MS, signal: closing.signal }).catch(onError);
    });
    return latest;
  };
  const runAlways = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await runOnce();
      await pause(ROUND_MS * (1 + JITTER * (2 * random() - 1)), closing.signal);
    }
  };
  void runAlways();
  return {
    joined() {
      if (isJoinAwaited || closing.signal.aborted) return;
      isJoinAwaited = true;
      void pause(AFTER_JOIN_MS, closing.signal).then(() => {
        isJoinAwaited = false;
        return runOnce();
      });
    },
    close: () => closing.abort(),
  };
}

function unrefPause(milliseconds: number, signal: AbortSignal): Promise<unknown> {
  return sleep(milliseconds, undefined, { ref: false, signal }).catch(() => undefined);
}
