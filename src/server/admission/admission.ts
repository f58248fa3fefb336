/** One request through the house: body -> reading -> verdict -> response. No HTTP here, and no exception leaves. */
import { randomUUID } from 'node:crypto';
import type { ClusterState } from '../../engine/cluster-state.ts';
import type { Engine, Verdict } from '../../engine/index.ts';
import type { Reading, ReviewRequest } from '../../engine/review.ts';
import type { Body } from './body.ts';
import { type Caller, OVERDUE, RequestDeadline, within } from './deadline.ts';
import { type Glance, glance } from './glance.ts';
import { mutationOf } from './mutate.ts';
import type { AdmissionPath, Decision } from './observer.ts';
import { decisionOf, failed, judged, overdue, pass, patched, type ReviewResponse, unreadable } from './respond.ts';
import { decodeReview } from './review.ts';

export interface AdmissionOptions {
  /** Asked once a request, so that a new configuration takes effect between two requests. */
  readonly current: () => Engine;
  readonly clusterState: ClusterState;
}

export interface Call extends Caller {
  readonly path: AdmissionPath;
  readonly body: Body;
  /** What its bytes tell, where that is known already. */
  readonly seen?: Glance | undefined;
  /** Resolves after others had the event loop; a large review waits for it. Default: none. */
  readonly turn?: () => Promise<unknown>;
}

type ToJudge = Extract<Reading, { kind: 'evaluate' }>;

/** Bytes of a body from which on what it holds may take longer to judge than others should wait: some hundreds of entries. */
const LARGE = 64 * 1024;

/** Decides requests: at once where no read is needed. The function it returns never throws or rejects. */
export function createAdmission(options: AdmissionOptions): (call: Call) => Decision | Promise<Decision> {
  return (call) => {
    let request: ReviewRequest | undefined;
    try {
      const reading = decodeReview(call.body, call.seen);
      request = reading.request;
      const decided =
        call.body.bytes.length > LARGE ? decideInTurn(options, call, reading) : decide(options, call, reading);
      return decided instanceof Promise ? decided.catch((error) => crashed(call, request, error)) : decided;
    } catch (error) {
      return crashed(call, request, error);
    }
  };
}

/** Stands in an answer and in the log, so that the two can be laid side by side. */
export function newReference(): string {
  return randomUUID().slice(0, 8);
}

function crashed(call: Call, request: ReviewRequest | undefined, error: unknown): Decision {
  const reference = newReference();
  const uid = request?.uid ?? glance(call.body.bytes).uid;
  return decision(call, 'error', failed(uid, reference, request), { request, failure: { reference, error } });
}

async function decideInTurn(options: AdmissionOptions, call: Call, reading: Reading): Promise<Decision> {
  await call.turn?.();
  return decide(options, call, reading);
}

function decide(options: AdmissionOptions, call: Call, reading: Reading): Decision | Promise<Decision> {
  const { request } = reading;
  if (reading.kind === 'refuse') {
    return decision(call, 'unreadable', unreadable(reading.uid, reading.problem, request), { request });
  }
  if (reading.kind === 'skip') return decision(call, 'skipped', pass(reading.request), { request });
  if (call.path === 'mutate') return mutated(call, reading);
  const patience = new RequestDeadline(call);
  const verdict = options.clusterState.evaluate(reading.subject, options.current(), patience);
  if (verdict instanceof Promise) return decideWithin(verdict, patience, call, reading);
  return decided(call, reading, verdict);
}

function mutated(call: Call, { request, subject }: ToJudge): Decision {
  const mutation = mutationOf(subject);
  const outcome = mutation.operations.length > 0 ? 'patched' : 'allowed';
  return decision(call, outcome, patched(request, mutation), { request, subject });
}

async function decideWithin(
  verdict: Promise<Verdict>,
  patience: RequestDeadline,
  call: Call,
  reading: ToJudge,
): Promise<Decision> {
  try {
    return decided(call, reading, await within(verdict, call.budget, call.gone));
  } finally {
    patience.end();
  }
}

function decided(call: Call, { request, subject }: ToJudge, verdict: Verdict | typeof OVERDUE): Decision {
  if (verdict === OVERDUE) return decision(call, 'indeterminate', overdue(request), { request, subject });
  return decision(call, decisionOf(verdict), judged(request, verdict), { request, subject, verdict });
}

type About = Partial<Pick<Decision, 'request' | 'subject' | 'verdict' | 'failure'>>;

function decision(
  { path }: Call,
  outcome: string,
  response: ReviewResponse,
  { request, subject, verdict, failure }: About,
): Decision {
  return { path, response, outcome, request, subject, verdict, failure };
}
