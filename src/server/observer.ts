/** What the admission server reports to the log and the metrics. */
import type { Socket } from 'node:net';
import type { Verdict } from '../engine/index.ts';
import type { ReviewRequest } from '../engine/review.ts';
import type { Subject } from '../rules/rule.ts';
import type { DecisionOutcome, ReviewResponse } from './admission/respond.ts';

export type AdmissionPath = 'validate' | 'mutate';

/** An answered request. */
export interface Decision {
  readonly path: AdmissionPath;
  readonly response: ReviewResponse;
  readonly outcome: DecisionOutcome;
  readonly request?: ReviewRequest | undefined;
  readonly subject?: Subject | undefined;
  readonly verdict?: Verdict | undefined;
  /** A bug of muster outside of any rule. */
  readonly failure?: { readonly reference: string; readonly error: unknown } | undefined;
}

/** Records a span for each request, if tracing is on. */
export interface AdmissionTracing {
  /**
   * Starts the span of a request.
   * @param traceparent the header of that name
   * @param startedAt milliseconds of `performance.now()`
   */
  start(path: AdmissionPath, traceparent: string | string[] | undefined, startedAt: number): RequestSpan;
}

export interface RequestSpan {
  /** Runs `work`, and what it awaits, below this span. */
  run<T>(work: () => T): T;
  /** Ends the span. Without a decision the request was rejected. */
  end(decision: Decision | undefined): void;
  /** The ids for the log, whether the span is sampled or not. */
  readonly ids: SpanIds;
  /** The labels of an exemplar; undefined where the span is not sampled. */
  readonly exemplar: SpanIds | undefined;
}

/** The outcomes for an Event of a denied write. */
export const eventOutcomes = ['written', 'failed', 'dropped'] as const;
export type EventOutcome = (typeof eventOutcomes)[number];

/** The outcomes for a sampled span. */
export const spanOutcomes = ['exported', 'failed', 'dropped'] as const;
export type SpanOutcome = (typeof spanOutcomes)[number];

export interface SpanIds {
  readonly trace_id: string;
  readonly span_id: string;
}

/** Why a request got HTTP 503 and no verdict; the caller is asked to try again. */
export const rejectionCauses = ['body_bytes', 'evaluations', 'pipelined'] as const;
export type RejectionCause = (typeof rejectionCauses)[number];

/** Why a connection was closed without a verdict. */
export const closeCauses = ['connections', 'slow_handshake', 'slow_request'] as const;
export type CloseCause = (typeof closeCauses)[number];

/**
 * Why a TLS handshake failed. `our_certificate`: the caller does not accept the server's certificate, as when the
 * webhook registration has another CA. `caller_certificate`: the caller showed no certificate of the client CA.
 * `protocol`: no TLS, or an unsafe version. `gone`: the caller closed the connection without a reason.
 */
export const handshakeFailures = ['our_certificate', 'caller_certificate', 'protocol', 'gone'] as const;
export type HandshakeFailure = (typeof handshakeFailures)[number];

/**
 * Events; the log and the metrics get decisions by themselves. No method throws. Anyone who can reach the port can
 * cause these calls, so their log lines are limited.
 */
export interface AdmissionObserver {
  connectionClosed(cause: CloseCause): void;
  handshakeFailed(cause: HandshakeFailure, error: NodeJS.ErrnoException, socket: Socket): void;
  /** A caller's certificate has none of the accepted names. @param names those that it has */
  callerRejected(names: readonly string[]): void;
  /** A request was answered with 503 because of load. */
  rejected(cause: RejectionCause): void;
  /** A request was answered with a decision. Must return at once. */
  decided?: ((decision: Decision) => void) | undefined;
  /** Internal errors in the evaluation of one request; the log has them already. */
  evaluationsCrashed(count: number): void;
  /** A bug of muster outside of any decision; the log names the reference that the caller got. */
  internalError(reference: string, error: unknown): void;
}
