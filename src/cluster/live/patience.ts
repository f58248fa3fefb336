/** How long to wait for a cluster. */
import { type Deadline, noLaterThan } from '../../engine/cluster-state.ts';

/** A tenth of what is left at most. */
const ANSWER_MS = 250;

/**
 * Less time, so that some is left for a verdict: what can't be read by then is unknown, which may be a refusal for another
 * reason, or (in mode warn) no refusal at all; once the request's time is over, all that can be said is 503.
 */
export function sooner(deadline: Deadline): Deadline {
  const left = Math.max(0, deadline.at - Date.now());
  return noLaterThan(deadline.at - Math.min(ANSWER_MS, left / 10), deadline);
}

export function noLongerThan(milliseconds: number, deadline: Deadline): Deadline {
  return noLaterThan(Date.now() + milliseconds, deadline);
}
