/**
 * Shares reads of referenced objects between requests. A scheduler writes many decisions that name the same
 * ClusterProfiles, so an object that was found is not read again within a second. That an object does not exist is
 * never shared, since it may have been created meanwhile.
 */
import type { JsonObject } from '../../base/json.ts';
import type { Deadline } from '../../engine/cluster-state.ts';
import type { Answer } from '../../rules/rule.ts';
import { createSingleFlight } from './single-flight.ts';

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
  const singleFlight = createSingleFlight(isFound);
  let running = 0;
  const readIt = async (key: string, read: () => Promise<ObjectAnswer>): Promise<ObjectAnswer> => {
    if (running >= MOST_AT_A_TIME) return { known: false, reason: 'too many objects are read at a time; try again' };
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
    return singleFlight(key, () => readIt(key, read), deadline);
  };
}

function isFound(answer: ObjectAnswer): boolean {
  return answer.known && answer.value !== undefined;
}
