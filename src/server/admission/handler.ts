/** Handles one admission request: its body -> review -> cluster state -> verdict -> response -> log and metrics. No exception leaves. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClusterState } from '../../engine/cluster-state.ts';
import type { Engine, Verdict } from '../../engine/index.ts';
import type { Reading, ReviewRequest } from '../../engine/review.ts';
import type { ConnectionLayer } from '../connections/layer.ts';
import type { Limiter } from '../load/limiter.ts';
import { Batch, type Batched } from './batch.ts';
import type { ReceivedBody } from './body.ts';
import { budgetOf, OVERDUE, RequestDeadline } from './deadline.ts';
import { decodeReview, findUid } from './decode.ts';
import { mutationOf } from './mutate.ts';
import { type AdmissionObserver, type AdmissionPath, type Decision, newReference } from './observer.ts';
import { decisionOf, encode, evaluated, failed, overdue, patched, skipped, unreadable } from './respond.ts';

export interface AdmissionOptions {
  /** Called once a request, so that a new configuration takes effect between two requests. */
  readonly engine: () => Engine;
  readonly clusterState: ClusterState;
}

export interface HandlerOptions extends AdmissionOptions {
  readonly limiter: Limiter;
  readonly observer: Pick<AdmissionObserver, 'requestEnded' | 'rejected' | 'internalError'>;
  readonly connections: Pick<ConnectionLayer, 'requestStarted' | 'requestEnded'>;
  /** While true, every answer ends its connection. */
  readonly closing: () => boolean;
}

export interface Handler {
  /** Serves a request whose body is complete, together with the others of this turn of the event loop. */
  handle(path: AdmissionPath, request: FastifyRequest, reply: FastifyReply, body: ReceivedBody): void;
  /** Serves at once what waits for the end of this turn. */
  flush(): void;
}

/** One request on its way. */
interface Exchange extends Batched {
  readonly path: AdmissionPath;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: ReceivedBody;
  readonly deadline: RequestDeadline;
  /** Set once it is decided; never, where it was rejected. */
  decision: Decision | undefined;
  /** Set where the decision takes longer than this turn. */
  later: Promise<void> | undefined;
}

/** Bytes from which on a body may take many milliseconds to evaluate. */
const LARGE = 64 * 1024;

export function createHandler(options: HandlerOptions): Handler {
  const { limiter, observer, connections, closing } = options;
  const budgetFor = lastRemembered(budgetOf);

  const handle: Handler['handle'] = (path, request, reply, body) => {
    const { socket } = request.raw;
    connections.requestStarted(socket);
    batch.add({
      path,
      request,
      reply,
      body,
      address: body.address,
      isLarge: body.bytes.length > LARGE,
      deadline: new RequestDeadline(budgetFor(request.url) - (performance.now() - body.startedAt), reply.raw),
      decision: undefined,
      later: undefined,
    });
  };

  const evaluate = (exchange: Exchange): void => {
    const { path, address, body, deadline } = exchange;
    let request: ReviewRequest | undefined;
    try {
      const { reading, cost } = decodeReview(body);
      request = reading.request;
      const permits = limiter.permitsFor(address, cost);
      if (permits === 0) {
        reject(exchange);
        return;
      }
      const decision = decide(options, path, reading, deadline);
      if (decision instanceof Promise) exchange.later = finish(exchange, decision, request, permits);
      else exchange.decision = decision;
    } catch (error) {
      exchange.decision = crashed(exchange, request, error);
    }
  };

  const respond = ({ decision, reply, body }: Exchange): void => {
    if (decision === undefined) return;
    try {
      reply.header('content-type', 'application/json; charset=utf-8');
      if (body.tooLarge || closing()) reply.header('connection', 'close');
      reply.send(encode(decision.response));
    } catch (error) {
      observer.internalError(newReference(), error);
      reply.raw.destroy();
    }
  };

  const observe = ({ decision, later, request, body }: Exchange): void => {
    if (decision === undefined && later !== undefined) return;
    body.memory?.release();
    connections.requestEnded(request.raw.socket, decision !== undefined);
    observer.requestEnded(performance.now() - body.startedAt, decision);
  };

  const finish = async (
    exchange: Exchange,
    decision: Promise<Decision>,
    request: ReviewRequest | undefined,
    permits: number,
  ): Promise<void> => {
    limiter.acquire(exchange.address, permits);
    exchange.decision = await decision.catch((error) => crashed(exchange, request, error));
    limiter.release(exchange.address, permits);
    respond(exchange);
    observe(exchange);
  };

  /** Load is shed as HTTP 503, which the API server repeats within its deadline. It is no verdict. */
  const reject = ({ reply }: Exchange): void => {
    observer.rejected('evaluations');
    sendRejection(reply);
  };

  const batch = new Batch<Exchange>([evaluate, respond, observe]);
  return { handle, flush: batch.serve };
}

/** Answers 503 and asks the caller to try again. */
export function sendRejection(reply: FastifyReply): void {
  reply
    .code(503)
    .header('content-type', 'text/plain; charset=utf-8')
    .header('retry-after', '1')
    .header('connection', 'close')
    .send('too many requests at once\n');
}

/** Decides a decoded review: at once, or with a promise where the cluster is read. May throw or reject. */
export function decide(
  { engine, clusterState }: AdmissionOptions,
  path: AdmissionPath,
  reading: Reading,
  deadline: Pick<RequestDeadline, 'at' | 'signal' | 'wait'>,
): Decision | Promise<Decision> {
  const { request } = reading;
  if (reading.kind === 'refuse') {
    return { path, outcome: 'unreadable', response: unreadable(reading.uid, reading.problem, request), request };
  }
  if (reading.kind === 'skip') return { path, outcome: 'skipped', response: skipped(reading.request), request };
  const { subject } = reading;
  if (path === 'mutate') {
    const mutation = mutationOf(subject);
    const outcome = mutation.operations.length > 0 ? 'patched' : 'allowed';
    return { path, outcome, response: patched(reading.request, mutation), request, subject };
  }
  const decided = (verdict: Verdict | typeof OVERDUE): Decision => {
    if (verdict === OVERDUE) {
      return { path, outcome: 'indeterminate', response: overdue(reading.request), request, subject };
    }
    return {
      path,
      outcome: decisionOf(verdict),
      response: evaluated(reading.request, verdict),
      request,
      subject,
      verdict,
    };
  };
  const verdict = clusterState.evaluate(subject, engine(), deadline);
  return verdict instanceof Promise ? deadline.wait(verdict).then(decided) : decided(verdict);
}

function crashed({ path, body }: Exchange, request: ReviewRequest | undefined, error: unknown): Decision {
  const reference = newReference();
  const uid = request?.uid ?? findUid(body.bytes);
  return { path, outcome: 'error', response: failed(uid, reference, request), request, failure: { reference, error } };
}

/** Remembers the result for the latest text: an API server sends one and the same URL over and over. */
function lastRemembered<T>(compute: (text: string) => T): (text: string) => T {
  let latest: { readonly text: string; readonly result: T } | undefined;
  return (text) => {
    if (latest?.text !== text) latest = { text, result: compute(text) };
    return latest.result;
  };
}
