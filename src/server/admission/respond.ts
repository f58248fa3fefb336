/**
 * Verdict -> response. Each function returns a response that is sent with HTTP status 200: any other status is a
 * webhook failure, which under `failurePolicy: Ignore` admits the object.
 */
import { safeText } from '../../base/text.ts';
import { ALLOWED, type Verdict } from '../../engine/index.ts';
import type { Mutation } from '../../engine/manager-label.ts';
import type { ReviewRequest } from '../../engine/review.ts';
import {
  type Cause,
  crashStatement,
  ownFault,
  renderDenial,
  renderRules,
  renderWarnings,
  type Statement,
} from './verdict-text.ts';

/** `status` of a refusal, as metav1.Status has it. */
interface RefusalStatus {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly causes?: readonly Cause[];
    readonly retryAfterSeconds?: number;
  };
}

export interface ReviewResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: RefusalStatus | undefined;
  readonly patch?: string;
  readonly patchType?: 'JSONPatch';
  readonly warnings?: readonly string[] | undefined;
  readonly auditAnnotations?: AuditAnnotations;
}

/** For the API server's audit log: the decision, and `rule/id:action` of each rule, separated by commas. */
interface AuditAnnotations {
  readonly decision: string;
  readonly rules: string;
}

/** Seconds until kubectl asks again; it does so ten times. */
const RETRY_SECONDS = 1;
/** The most code points of a text of the caller, such as a name, that an answer repeats. */
const LONGEST_NAME = 256;

/** Returns the text of the AdmissionReview with a response. */
export function encode(response: ReviewResponse): string {
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
}

/** Returns the answer to a request that no rule applies to. */
export function skipped(request: ReviewRequest): ReviewResponse {
  return { uid: request.uid, allowed: true, auditAnnotations: { decision: 'skipped', rules: '' } };
}

/** Returns the answer of the mutating webhook: always allowed, with a patch where one is needed. */
export function patched(request: ReviewRequest, { operations, warnings }: Mutation): ReviewResponse {
  if (operations.length === 0) return { uid: request.uid, allowed: true };
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { uid: request.uid, allowed: true, patchType: 'JSONPatch', patch, ...(warnings.length > 0 && { warnings }) };
}

/** Returns the answer 400: the review can't be read. */
export function unreadable(uid = '', problem: string, request?: ReviewRequest): ReviewResponse {
  const message = `muster can't read this review: ${safeText(problem, LONGEST_NAME)}`;
  return refusedResponse(uid, 'unreadable', { code: 400, reason: 'BadRequest', message, ...detailsOf(request) });
}

/**
 * Returns the answer 500 to a request that failed outside of the rules, by a bug of muster; for a rule that threw see
 * `statusOf`. The log says more under the same reference.
 */
export function crashed(uid = '', reference: string, request?: ReviewRequest): ReviewResponse {
  const message = ownFault('this request', reference);
  return refusedResponse(uid, 'error', { code: 500, reason: 'InternalError', message, ...detailsOf(request) });
}

/** Returns the answer 503: no verdict within the caller's deadline. kubectl asks again by itself. */
export function overdue(request: ReviewRequest): ReviewResponse {
  const message = 'muster could not evaluate this within the deadline of the request; try again';
  const details = { ...about(request), retryAfterSeconds: RETRY_SECONDS };
  return refusedResponse(request.uid, 'indeterminate', { code: 503, reason: 'ServiceUnavailable', message, details });
}

function refusedResponse(uid: string, decision: string, status: RefusalStatus): ReviewResponse {
  return { uid, allowed: false, status, auditAnnotations: { decision, rules: '' } };
}

/** Returns the answer with the engine's verdict. A denial has precedence over a crash, and that over an unknown. */
export function evaluated(request: ReviewRequest, verdict: Verdict): ReviewResponse {
  const { uid } = request;
  if (verdict === ALLOWED) return { uid, allowed: true, auditAnnotations: NOTHING_FOUND };
  const allowed = verdict.outcome === 'allowed';
  return {
    uid,
    allowed,
    status: allowed ? undefined : statusOf(request, verdict),
    warnings: renderWarnings(verdict),
    auditAnnotations: { decision: decisionOf(verdict), rules: renderRules(verdict).join(',') },
  };
}

const NOTHING_FOUND: AuditAnnotations = { decision: 'allowed', rules: '' };

/** The ways in which a request can be answered. */
export type DecisionOutcome =
  | 'allowed'
  | 'denied'
  | 'indeterminate'
  | 'error'
  | 'patched'
  | 'exempt'
  | 'terminating'
  | 'skipped'
  | 'unreadable';

/** One word for a verdict, in annotations, the log and metrics. */
export function decisionOf(verdict: Verdict): DecisionOutcome {
  if (verdict.outcome === 'crashed') return 'error';
  return verdict.outcome === 'allowed' ? (verdict.skipped ?? 'allowed') : verdict.outcome;
}

function statusOf(request: ReviewRequest, verdict: Verdict): RefusalStatus {
  if (verdict.outcome === 'denied') return denial(request, verdict);
  if (verdict.outcome === 'crashed') {
    const crashes = verdict.crashes.filter(({ denies }) => denies).map(crashStatement);
    return refusalStatus(request, 500, 'InternalError', crashes, 'InternalError');
  }
  return refusalStatus(request, 503, 'ServiceUnavailable', verdict.indeterminate, 'FieldValueUnknown', RETRY_SECONDS);
}

/**
 * Of different codes 403 counts most, since on 422 `kubectl apply --force` and GitOps tools delete and recreate; 409
 * stands only where all findings have it.
 */
function denial(request: ReviewRequest, verdict: Verdict): RefusalStatus {
  const denying = verdict.findings.filter(({ action }) => action === 'deny');
  if (denying.some(({ code }) => code === 403)) {
    return refusalStatus(request, 403, 'Forbidden', denying, 'FieldValueForbidden');
  }
  if (denying.every(({ code }) => code === 409)) {
    return refusalStatus(request, 409, 'AlreadyExists', denying, 'FieldValueDuplicate');
  }
  return refusalStatus(request, 422, 'Invalid', denying, 'FieldValueInvalid');
}

function refusalStatus(
  request: ReviewRequest,
  code: number,
  reason: string,
  statements: readonly Statement[],
  causeReason: string,
  retryAfterSeconds?: number,
): RefusalStatus {
  const { message, causes } = renderDenial(statements, causeReason, code < 500);
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { code, reason, message, details: { ...about(request), causes, ...retry } };
}

/** Returns the details of a request; none if the review could not be read so far. */
function detailsOf(request: ReviewRequest | undefined): Pick<RefusalStatus, 'details'> {
  return request === undefined ? {} : { details: about(request) };
}

function about(request: ReviewRequest): { name: string; group: string; kind: string } {
  const text = (value: string) => safeText(value, LONGEST_NAME);
  return { name: text(request.name), group: text(request.group), kind: text(request.kind) };
}
