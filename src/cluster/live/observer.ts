/** What the live world tells of its calls: one word each, so that metrics stay bounded. */
import type { ClusterErrorCode } from './errors.ts';

export type ReadOutcome = 'found' | 'absent' | 'no-kind' | ClusterErrorCode;

/** What became of one look for an intent, each with what it means. */
export const intentOutcomes = {
  taken: 'taken: the write was allowed',
  held: 'another write of this identity was under way until patience ended: 503',
  failed: 'the Lease could not be read or written: 503',
  'given-back': 'given back: nobody was waiting for the answer any more',
  settled: 'leaving settled the intent of the join',
  stuck: 'could not be given back: it blocks rivals until it lapses',
} as const;

export type IntentOutcome = keyof typeof intentOutcomes;

export interface LiveObserver {
  read(outcome: ReadOutcome): void;
  intent(outcome: IntentOutcome): void;
}

/** Hears nothing. */
export const silent: LiveObserver = { read: () => {}, intent: () => {} };
