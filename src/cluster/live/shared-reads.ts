/**
 * Shares reads of referenced objects between requests. A scheduler writes many decisions that name the same
 * ClusterProfiles, so an object that was found is not read again within a second. That an object does not exist is
 * never shared, since it may have been created meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../base/json.ts';
import type { Deadline } from '../../engine/cluster-state.ts';
import type { Answer } from '../../rules/rule.ts';

export type ObjectAnswer = Answer<JsonObject | undefined>;

/** Reads an object by `read`, unless another request has just found it, or finds it before `deadline`. */
export type SharedReads = (key: string, read: () => Promise<ObjectAnswer>, deadline: Deadline) => Promise<ObjectAnswer>;

/** How long an object that was found is not read again. */
const REMEMBERED_MS = 1000;
/** The most objects that are remembered. */
const MOST_REMEMBERED = 2000;
/** The most reads at a time. Further ones would wait for a connection until their deadline. */
const MOST_AT_A_TIME = 500;

/** Creates the reads that the requests to one server share. */
export function createSharedReads(now: () => number = Date.now): SharedReads {
  const found = new Map<string, { readonly answer: ObjectAnswer; readonly until: number }>();
  const pending = new Map<string, Promise<ObjectAnswer>>();
  let running = 0;
  const start = async (read: () => Promise<ObjectAnswer>, key: string): Promise<ObjectAnswer> => {
    running++;
    try {
      const answer = await read();
      if (isFound(answer)) {
        if (found.size >= MOST_REMEMBERED) found.clear();
        found.set(key, { answer, until: now() + REMEMBERED_MS });
      }
      return answer;
    } finally {
      running--;
    }
  };
  return async (key, read, deadline) => {
    const known = found.get(key);
    if (known !== undefined && now() < known.until) return known.answer;
    const others = pending.get(key);
    const shared = others && (await sharedBy(others, deadline));
    if (shared !== undefined && isFound(shared)) return shared;
    if (running >= MOST_AT_A_TIME) return { known: false, reason: 'too many objects are read at a time; try again' };
    return pendingIn(pending, key, start(read, key));
  };
}

/** Stores work by its key until it ends, so that others can wait for it, and returns it. Replaces earlier work. */
export function pendingIn<T>(pending: Map<string, Promise<T>>, key: string, work: Promise<T>): Promise<T> {
  pending.set(key, work);
  const end = () => {
    if (pending.get(key) === work) pending.delete(key);
  };
  work.then(end, end);
  return work;
}

/** Waits for a read of another request; undefined if it fails, or takes longer than this request has. */
export async function sharedBy<T>(others: Promise<T>, { at, signal }: Deadline): Promise<T | undefined> {
  const done = new AbortController();
  const options = { signal: AbortSignal.any([signal, done.signal]) };
  const late = sleep(Math.max(0, at - Date.now()), undefined, options).catch(() => undefined);
  try {
    return await Promise.race([others.catch(() => undefined), late]);
  } finally {
    done.abort();
  }
}

function isFound(answer: ObjectAnswer): boolean {
  return answer.known && answer.value !== undefined;
}
