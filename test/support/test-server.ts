/** The admission app on a real TLS socket, with the real engine unless a test brings its own, and a client for it. */

import type { OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { type IssuedCertificates, issueCertificates } from '../../src/certificates/issue.ts';
import type { Deadline } from '../../src/engine/cluster-state.ts';
import { createEngine, defaultPolicy, type Engine, type Policy } from '../../src/engine/index.ts';
import { createRunView } from '../../src/input/view.ts';
import type { ClusterView } from '../../src/rules/rule.ts';
import type { ReviewResponse } from '../../src/server/admission/respond.ts';
import { type App, createApp } from '../../src/server/app.ts';
import { type Listening, listen } from '../../src/server/lifecycle/listen.ts';
import type { Limits } from '../../src/server/limits.ts';
import type { AdmissionTracing, Decision } from '../../src/server/observer.ts';
import { type Fields, reviewWith } from './reviews.ts';

export interface ServerOptions {
  readonly current?: { readonly engine: Engine };
  readonly policy?: Partial<Policy>;
  /** A view for each request. Default: one of no objects. */
  readonly views?: { open(context: Deadline): ClusterView };
  readonly limits?: Partial<Limits>;
  readonly tracing?: AdmissionTracing;
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

export interface TestServer {
  readonly app: App;
  /** Another app of the same make, not listening. */
  build(): App;
  readonly listening: Listening;
  readonly certificates: IssuedCertificates;
  readonly decisions: Decision[];
  readonly events: string[];
  send(options: RequestOptions, body?: string | Buffer | Iterable<Buffer>): Promise<Answer>;
  /** Posts a review and returns its response; anything but HTTP 200 with a review in it throws. */
  review(over?: Fields, path?: string, options?: RequestOptions): Promise<ReviewResponse>;
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const certificates = await issueCertificates({ names: ['localhost', '127.0.0.1'] });
  const engine = createEngine({ policy: { ...defaultPolicy, ...options.policy }, point: 'webhook' });
  const view = createRunView({ state: [] });
  const decisions: Decision[] = [];
  const events: string[] = [];
  const build = () =>
    createApp({
      tls: certificates,
      current: options.current ?? { engine },
      clusterState: {
        evaluate: (subject, judging, context) => judging.evaluate(subject, options.views?.open(context) ?? view),
      },
      limits: options.limits ?? {},
      tracing: options.tracing,
      metrics: {
        decided: () => {},
      },
      log: { decision: (decision) => void decisions.push(decision) },
      observer: {
        evaluationsCrashed: () => {},
        rejected: (cause) => events.push(`rejected: ${cause}`),
        connectionClosed: (cause) => events.push(`closed: ${cause}`),
        internalError: (_reference, error) => events.push(`error: ${String(error)}`),
        handshakeFailed: () => {},
        callerRejected: () => {},
      },
    });
  const app = build();
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  const send: TestServer['send'] = (request, body) =>
    exchange({ port: listening.port, ca: certificates.ca, ...request }, body);
  return {
    app,
    build,
    listening,
    certificates,
    decisions,
    events,
    send,
    review: async (over = {}, path = '/validate?timeout=10s', request = {}) =>
      responseOf(await send({ path, ...request }, JSON.stringify(reviewWith(over)))),
    close: () => listening.close(200),
  };
}

/** The response in an answer that must be a review. */
export function responseOf({ status, headers, text }: Answer): ReviewResponse {
  const whole = JSON.parse(text) as { apiVersion: string; kind: string; response: ReviewResponse };
  const form = { status, type: headers['content-type'], apiVersion: whole.apiVersion, kind: whole.kind };
  const wanted = {
    status: 200,
    type: 'application/json; charset=utf-8',
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
  };
  if (JSON.stringify(form) !== JSON.stringify(wanted)) throw new Error(`no review: ${JSON.stringify(form)}`);
  return whole.response;
}

/**
 * One request of its own connection, unless an agent says otherwise. A list of pieces is sent chunked; an undefined
 * header not at all.
 */
export function exchange(options: RequestOptions, body: string | Buffer | Iterable<Buffer> = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const whole = typeof body === 'string' || Buffer.isBuffer(body);
    const length = whole ? { 'content-length': Buffer.byteLength(body) } : {};
    const headers = { 'content-type': 'application/json', ...length, ...(options.headers as OutgoingHttpHeaders) };
    const request = httpsRequest({
      host: '127.0.0.1',
      servername: 'localhost',
      method: 'POST',
      path: '/validate',
      agent: false,
      ...options,
      headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    if (whole) request.end(body);
    else {
      for (const piece of body) request.write(piece);
      request.end();
    }
  });
}
