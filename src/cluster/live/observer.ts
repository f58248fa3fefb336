/** What the live world tells of its calls: one word each, so that metrics stay bounded. */
import type { ClusterErrorCode } from './error.ts';

export type ReadOutcome = 'found' | 'absent' | 'no-kind' | ClusterErrorCode;

/** What became of one look for an intent. */
export type IntentOutcome =
  /** Taken: the write was allowed. */
  | 'taken'
  /** Another write of this cluster's identity was under way until patience ended: 503. */
  | 'held'
  /** The Lease can't be read or written: 503. */
  | 'failed'
  /** Given back: nobody was waiting for the answer any more. */
  | 'given-back'
  /** Leaving settled the join's intent. */
  | 'settled'
  /** It could not be given back: it blocks rivals until it lapses. */
  | 'stuck';

export interface LiveObserver {
  read(outcome: ReadOutcome): void;
  intent(outcome: IntentOutcome): void;
}

/** Hears nothing. */
export const silent: LiveObserver = { read: () => {}, intent: () => {} };
