/** Shares calls in flight, as Go's `singleflight` does: requests that need one result at one time wait for one call. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deadline } from '../../engine/cluster-state.ts';

/**
 * Returns the result of a call in flight that has the same key, if there is one by the deadline and it is usable;
 * otherwise that of `call`, which further requests can then share.
 */
type SingleFlight<T> = (key: string, call: () => Promise<T>, deadline: Deadline) => Promise<T>;

/** @param isUsable whether a result can be shared. Default: any. A call that throws is never shared */
export function createSingleFlight<T>(isUsable: (result: T) => boolean = () => true): SingleFlight<T> {
  const inFlight = new Map<string, Promise<T>>();
  const start = (key: string, work: Promise<T>): Promise<T> => {
    inFlight.set(key, work);
    const end = () => {
      if (inFlight.get(key) === work) inFlight.delete(key);
    };
    work.then(end, end);
    return work;
  };
  return async (key, call, deadline) => {
    const others = inFlight.get(key);
    const shared = others && (await resultBy(others, deadline));
    return shared !== undefined && isUsable(shared) ? shared : start(key, call());
  };
}

/** Waits for the call of another request; undefined if it fails, or takes longer than this request has. */
async function resultBy<T>(work: Promise<T>, { at, signal }: Deadline): Promise<T | undefined> {
  const done = new AbortController();
  const options = { signal: AbortSignal.any([signal, done.signal]) };
  const late = sleep(Math.max(0, at - Date.now()), undefined, options).catch(() => undefined);
  try {
    return await Promise.race([work.catch(() => undefined), late]);
  } finally {
    done.abort();
  }
}
