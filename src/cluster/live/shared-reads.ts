/**
 * Shares reads of objects that others refer to. A scheduler writes many decisions that name the same ClusterProfiles:
 * an object that was found within the last second counts as there. An absence is never shared, since the object may
 * have been created since.
 */

import type { JsonObject } from '../../base/json.ts';
import type { Answer } from '../../rules/rule.ts';

export type ObjectAnswer = Answer<JsonObject | undefined>;

/** Reads an object by `read`, unless another request has just found it. */
export type SharedReads = (key: string, read: () => Promise<ObjectAnswer>) => Promise<ObjectAnswer>;

/** Milliseconds for which an object counts as there. */
const REMEMBERED_MS = 1000;
/** The most objects that are remembered. */
const MOST_REMEMBERED = 2000;
/** The most reads at a time: more would wait for a connection until their requests have no time left. */
const MOST_AT_A_TIME = 500;

/** Creates what the requests to one server share. */
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
      pending.delete(key);
    }
  };
  return async (key, read) => {
    const known = found.get(key);
    if (known !== undefined && now() < known.until) return known.answer;
    const others = pending.get(key);
    // Another request's failure is its own: its deadline may have been earlier.
    const shared = others && (await others.catch(() => undefined));
    if (shared !== undefined && isFound(shared)) return shared;
    if (running >= MOST_AT_A_TIME) return { known: false, reason: 'too many objects are read at a time; try again' };
    const own = start(read, key);
    pending.set(key, own);
    return own;
  };
}

function isFound(answer: ObjectAnswer): boolean {
  return answer.known && answer.value !== undefined;
}
