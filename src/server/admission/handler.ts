/**
 * Handles one admission request: body -> review -> cluster state -> verdict -> response -> log and metrics. Never
 * throws.
 */
import type { FastifyReply } from 'fastify';
import { isPromise } from '../../base/promise.ts';
import type { ClusterState, Deadline } from '../../engine/cluster-state.ts';
import { type Engine, newReference, type Verdict } from '../../engine/index.ts';
import { findMutation } from '../../engine/manager-label.ts';
import type { ParsedReview, ReviewRequest } from '../../engine/review.ts';
import type { Connection, ConnectionLimiter } from '../connections/connection-limiter.ts';
import type { BodyBytes, LoadLimiter } from '../load/load-limiter.ts';
import type { Log } from '../log/log.ts';
import type { AdmissionObserver, AdmissionPath, AdmissionTracing, Decision, RequestSpan } from '../observer.ts';
import type { DecisionMetrics } from '../ops/decision-metrics.ts';
import { type Batched, RequestBatch } from './batch.ts';
import { decodeReview, findUid } from './decode.ts';
import { crashed, decisionOf, encode, evaluated, overdue, patched, skipped, unreadable } from './respond.ts';

/** What decides requests, and what records the decisions. */
export interface AdmissionOptions {
  /** The engine in force; read once a request, so that a new configuration takes effect between two requests. */
  readonly current: { readonly engine: Engine };
  readonly clusterState: ClusterState;
  readonly metrics: DecisionMetrics;
  readonly log: Pick<Log, 'decision'>;
  readonly observer: AdmissionObserver;
  /** Default: no request has a span. */
  readonly tracing?: AdmissionTracing | undefined;
}

/** The admission options, with what the app shares with its routes. */
export interface RouteOptions extends AdmissionOptions {
  readonly limiter: LoadLimiter;
  readonly connections: Pick<ConnectionLimiter, 'of' | 'requestStarted' | 'requestEnded'>;
  /** While `begun`, every answer ends its connection. */
  readonly closing: { readonly begun: boolean };
  /** Bytes of a body that are read, kept or not. */
  readonly readBytes: number;
}

interface Handler {
  /** Serves a request whose body is complete, together with the others of this turn of the event loop. */
  handle(path: AdmissionPath, reply: FastifyReply, body: BodyBytes): void;
  /** Serves the waiting requests at once, before the end of this turn. */
  flush(): void;
}

/** One request, from its complete body to its answer. */
interface Exchange extends Batched {
  readonly path: AdmissionPath;
  readonly reply: FastifyReply;
  readonly body: BodyBytes;
  readonly connection: Connection;
  readonly deadline: RequestDeadline;
  /** Undefined until the evaluation begins, and without tracing. */
  span?: RequestSpan | undefined;
  /** Pending until it is decided, which takes longer than this turn if a rule reads the cluster. */
  result: Decision | 'pending' | 'rejected';
}

/** Bytes from which on a body may take many milliseconds to evaluate. */
const LARGE = 64 * 1024;

export function createHandler(options: RouteOptions): Handler {
  const { limiter, connections, metrics, log, observer, tracing, closing } = options;

  const handle: Handler['handle'] = (path, reply, body) => {
    const connection = connections.of(reply.request.raw.socket);
    connections.requestStarted(connection);
    const budget = timeBudget(reply.request.query);
    batch.add({
      path,
      reply,
      body,
      connection,
      address: connection.address,
      isLarge: body.bytes.length > LARGE,
      deadline: new RequestDeadline(budget - (performance.now() - body.startedAt), reply.raw),
      result: 'pending',
    });
  };

  const startEvaluation = (exchange: Exchange): void => {
    const { path, reply, address, body, deadline } = exchange;
    let request: ReviewRequest | undefined;
    try {
      const span = tracing?.start(path, reply.request.headers['traceparent'], body.startedAt);
      exchange.span = span;
      const { review, cost } = decodeReview(body);
      request = review.request;
      const permits = limiter.permitsFor(address, cost);
      if (permits === 0) {
        reject(exchange);
        return;
      }
      const work = () => decide(options, path, review, deadline);
      const decision = span === undefined ? work() : span.run(work);
      if (isPromise(decision)) void finish(exchange, decision, request, permits);
      else exchange.result = decision;
    } catch (error) {
      exchange.result = crashDecision(exchange, request, error);
    }
  };

  const respond = ({ result, reply, body }: Exchange): void => {
    if (typeof result === 'string') return;
    try {
      reply.header('content-type', 'application/json; charset=utf-8');
      if (body.tooLarge || closing.begun) reply.header('connection', 'close');
      reply.send(encode(result.response));
    } catch (error) {
      observer.internalError(newReference(), error);
      reply.raw.destroy();
    }
  };

  const observe = ({ result, connection, body, span }: Exchange): void => {
    if (result === 'pending') return;
    const decision = result === 'rejected' ? undefined : result;
    body.release();
    connections.requestEnded(connection, decision !== undefined);
    try {
      if (decision !== undefined) {
        const milliseconds = performance.now() - body.startedAt;
        metrics.decided(decision, milliseconds, span?.exemplar);
        log.decision(decision, milliseconds, span?.ids);
        observer.decided?.(decision);
        const crashes = (decision.verdict?.crashes.length ?? 0) + (decision.failure === undefined ? 0 : 1);
        if (crashes > 0) observer.evaluationsCrashed(crashes);
      }
      span?.end(decision);
    } catch (error) {
      observer.internalError(newReference(), error);
    }
  };

  const finish = async (
    exchange: Exchange,
    decision: Promise<Decision>,
    request: ReviewRequest | undefined,
    permits: number,
  ): Promise<void> => {
    limiter.permits.take(exchange.address, permits);
    exchange.result = await decision.catch((error) => crashDecision(exchange, request, error));
    limiter.permits.release(exchange.address, permits);
    respond(exchange);
    observe(exchange);
  };

  /** Rejects a request under load with HTTP 503 and no verdict. The API server repeats it within its deadline. */
  const reject = (exchange: Exchange): void => {
    exchange.result = 'rejected';
    observer.rejected('evaluations');
    sendRejection(exchange.reply);
  };

  const batch = new RequestBatch<Exchange>([startEvaluation, respond, observe]);
  return { handle, flush: batch.serve };
}

/** Answers 503 and asks to try again: no permit or no memory is left, or too many wait on this connection. */
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
  { current, clusterState }: Pick<AdmissionOptions, 'current' | 'clusterState'>,
  path: AdmissionPath,
  review: ParsedReview,
  deadline: RequestDeadline,
): Decision | Promise<Decision> {
  const { request } = review;
  if (review.kind === 'refuse') {
    return { path, outcome: 'unreadable', response: unreadable(review.uid, review.problem, request), request };
  }
  if (review.kind === 'skip') return { path, outcome: 'skipped', response: skipped(review.request), request };
  const { subject } = review;
  if (path === 'mutate') {
    const mutation = findMutation(subject, current.engine);
    const outcome = mutation.operations.length > 0 ? 'patched' : 'allowed';
    return { path, outcome, response: patched(review.request, mutation), request, subject };
  }
  const decided = (verdict: Verdict | typeof OVERDUE): Decision => {
    if (verdict === OVERDUE) {
      return { path, outcome: 'indeterminate', response: overdue(review.request), request, subject };
    }
    const response = evaluated(review.request, verdict);
    return { path, outcome: decisionOf(verdict), response, request, subject, verdict };
  };
  const verdict = clusterState.evaluate(subject, current.engine, deadline);
  return isPromise(verdict) ? deadline.wait(verdict).then(decided) : decided(verdict);
}

function crashDecision({ path, body }: Exchange, request: ReviewRequest | undefined, error: unknown): Decision {
  const reference = newReference();
  const uid = request?.uid ?? findUid(body.bytes);
  return { path, outcome: 'error', response: crashed(uid, reference, request), request, failure: { reference, error } };
}

/**
 * The API server's timeout if a webhook configuration names none, and the longest that one may name, in milliseconds.
 */
const DEFAULT_TIMEOUT = 10_000;
const LONGEST_TIMEOUT = 30_000;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/**
 * Returns the milliseconds that a request with this query may take: its `timeout`, less a tenth (half a second at most)
 * for sending the answer. Of several values the shortest counts; an invalid duration counts as absent.
 */
export function timeBudget(query: unknown): number {
  const { timeout: sent = [] } = query as { readonly timeout?: string | readonly string[] };
  const timeouts = [sent].flat().flatMap((text) => {
    const [, count, unit = ''] = /^(\d{1,6}(?:\.\d{1,6})?)(ms|s|m)$/.exec(text) ?? [];
    const milliseconds = Number(count) * (UNITS[unit] ?? 0);
    return milliseconds > 0 ? [milliseconds] : [];
  });
  const timeout = timeouts.length === 0 ? DEFAULT_TIMEOUT : Math.min(LONGEST_TIMEOUT, ...timeouts);
  return timeout - Math.min(500, timeout / 10);
}

/** The reason of all aborts, shared: a new `DOMException` with a stack takes longer than most evaluations. */
const ENDED = new Error('the request has ended');

/** Stands for a missing result: the deadline passed, or the caller left. */
export const OVERDUE = Symbol('overdue');

/** The part of a `ServerResponse` that reports that the caller left. */
interface ResponseStream {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** The deadline of one request. Its signal, made on first use, aborts when the caller leaves, or when `wait` ends. */
export class RequestDeadline implements Deadline {
  readonly at: number;
  readonly #response: ResponseStream;
  #aborter: AbortController | undefined;
  #isOver = false;

  /** @param budget milliseconds from now */
  constructor(budget: number, response: ResponseStream) {
    this.at = Date.now() + budget;
    this.#response = response;
  }

  get signal(): AbortSignal {
    this.#aborter ??= new AbortController();
    if (this.#isOver || this.#response.destroyed) this.#aborter.abort(ENDED);
    return this.#aborter.signal;
  }

  /**
   * Settles as `work` does; with `OVERDUE` if the deadline passes or the caller leaves first. Then it aborts the reads.
   */
  wait<T>(work: Promise<T>): Promise<T | typeof OVERDUE> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.#isOver = true;
        this.#aborter?.abort(ENDED);
      };
      const overdue = () => {
        end();
        resolve(OVERDUE);
      };
      const timer = setTimeout(overdue, this.#response.destroyed ? 0 : Math.max(0, this.at - Date.now()));
      this.#response.once('close', overdue);
      work.finally(end).then(resolve, reject);
    });
  }
}
