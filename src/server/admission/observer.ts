/** What the admission server reports to the log and the metrics. */
import type { Subject, Verdict } from '../../engine/index.ts';
import type { ReviewRequest } from '../../engine/review.ts';
import type { ConnectionEvents } from '../connections/layer.ts';
import type { ReviewResponse } from './respond.ts';

export type AdmissionPath = 'validate' | 'mutate';

/** An answered request. */
export interface Decision {
  readonly path: AdmissionPath;
  readonly response: ReviewResponse;
  /** `allowed`, `denied`, `indeterminate`, `error`, `unreadable`, `exempt`, `terminating`, `skipped` or `patched`. */
  readonly outcome: string;
  readonly request?: ReviewRequest | undefined;
  readonly subject?: Subject | undefined;
  readonly verdict?: Verdict | undefined;
  /** A bug of ours outside of any rule. */
  readonly failure?: { readonly reference: string; readonly error: unknown } | undefined;
}

/** Why a request got HTTP 503 and no verdict; the caller is asked to try again. */
export const rejectionCauses = ['body_bytes', 'evaluations', 'pipelined'] as const;
export type RejectionCause = (typeof rejectionCauses)[number];

/** Why a connection was closed without a verdict. */
export const closeCauses = ['connections', 'slow_handshake', 'slow_request'] as const;
export type CloseCause = (typeof closeCauses)[number];

/** What happens beside decisions. No method throws. Whoever can reach the port causes these calls as often as he likes, so their log lines are limited. */
export interface AdmissionObserver extends Pick<ConnectionEvents, 'handshakeFailed' | 'callerRejected'> {
  /** A request was answered with 503 because of load. */
  rejected(cause: RejectionCause): void;
  connectionClosed(cause: CloseCause): void;
  /** Internal errors in the evaluation of one request; the log has them already. */
  evaluationsCrashed(count: number): void;
  /** A bug of ours, outside of any decision; the log names the reference that the caller got. */
  internalError(reference: string, error: unknown): void;
}
