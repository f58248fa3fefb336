/** The operations port, plain HTTP: `/livez`, `/readyz` and `/metrics`. It shows nothing of the cluster's objects. */

import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { fastify as createFastify, type FastifyError, type FastifyInstance } from 'fastify';
import { getOrInsert } from '../../base/collections.ts';
import { errorMessage, safeText } from '../../base/text.ts';
import { withoutSchemas } from '../app.ts';
import { ConnectionLimiter } from '../connections/connection-limiter.ts';
import type { Bound } from '../limits.ts';
import type { Metrics } from './metrics.ts';

/** A readiness check. */
export interface ReadinessCheck {
  readonly name: string;
  /** Whether a failure is shown but leaves the server ready: it can serve without what failed. */
  readonly advisory?: boolean;
  /** Returns undefined if there is no problem, else the problem in a few words. */
  run(): ReadinessOutcome | Promise<ReadinessOutcome>;
}

/** `advice` is a problem that is shown but leaves the server ready. */
type ReadinessOutcome = string | undefined | { readonly advice: string };

interface OpsOptions {
  readonly checks: readonly ReadinessCheck[];
  readonly metrics: Pick<Metrics, 'text'>;
  /** While `begun`, every answer asks its connection to close. */
  readonly draining?: { readonly begun: boolean };
  readonly onError?: (error: unknown) => void;
}

/** The operations port. lifecycle/listen.ts listens for it. */
interface Ops {
  readonly fastify: FastifyInstance;
  /** Takes an accepted TCP connection. */
  readonly accept: (socket: Socket) => void;
  readonly bounds: () => readonly Bound[];
}

/** Enough for probes and a few scrapers, even if all of them ask in one turn of the event loop. */
const MOST_CONNECTIONS = 64;
const TEXT = 'text/plain; charset=utf-8';
/** The most code points of an error that a check throws. */
const LONGEST_PROBLEM = 256;

/** Creates the operations port. It closes connections that send or read nothing after some seconds. */
export function createOps({ checks, metrics, draining, onError = () => {} }: OpsOptions): Ops {
  const fastify = createFastify({
    ...withoutSchemas,
    logger: false,
    return503OnClosing: false,
    requestTimeout: 10_000,
    keepAliveTimeout: 10_000,
    connectionTimeout: 30_000,
    bodyLimit: 1024,
    http: { maxHeaderSize: 16_384, headersTimeout: 5000, connectionsCheckingInterval: 1000 },
  });
  const limiter = new ConnectionLimiter(MOST_CONNECTIONS);
  fastify.addHook('onSend', async (_request, reply) => {
    if (draining?.begun) reply.header('connection', 'close');
  });
  fastify.setNotFoundHandler((_request, reply) => reply.code(404).type(TEXT).send('not found\n'));
  fastify.setErrorHandler((error: FastifyError, _request, reply) => {
    if (error.statusCode !== undefined && error.statusCode < 500) return reply.code(error.statusCode).send('no\n');
    onError(error);
    return reply.code(500).type(TEXT).send('muster failed to answer; its log says more\n');
  });
  fastify.get('/livez', (_request, reply) => reply.type(TEXT).send('ok\n'));
  fastify.get('/readyz', async (request, reply) => {
    const results = await Promise.all(checks.map(runCheck));
    const ready = isReady(results);
    reply
      .code(ready ? 200 : 503)
      .type(TEXT)
      .header('cache-control', 'no-store');
    const verbose = Object.hasOwn(request.query as object, 'verbose');
    return ready && !verbose ? 'ok\n' : report(results);
  });
  const scrape = onceATurn(metrics.text);
  fastify.get('/metrics', async (request, reply) => {
    const { contentType, text } = await scrape(request.headers.accept);
    return reply.type(contentType).send(text);
  });
  return {
    fastify,
    accept(socket) {
      if (limiter.admit(socket) !== undefined) fastify.server.emit('connection', socket);
    },
    bounds: () => [{ name: 'ops_connections', held: limiter.size(), limit: limiter.limit }],
  };
}

/** Renders one text for all requests in a turn of the event loop: it takes a millisecond or two, and anyone may ask. */
function onceATurn(make: Metrics['text']): Metrics['text'] {
  const next = new Map<string | undefined, ReturnType<Metrics['text']>>();
  const begin = async (accept?: string) => {
    await setImmediate();
    next.delete(accept);
    return make(accept);
  };
  return (accept) => getOrInsert(next, accept, () => begin(accept));
}

interface ReadinessResult {
  readonly name: string;
  readonly advisory: boolean;
  readonly problem: string | undefined;
}

/** Returns whether the server is ready: only advisory checks may have a problem. */
function isReady(results: readonly ReadinessResult[]): boolean {
  return results.every(({ problem, advisory }) => problem === undefined || advisory);
}

/** Returns the results as Kubernetes components write them, one line a check. */
function report(results: readonly ReadinessResult[]): string {
  const lines = results.map(({ name, problem, advisory }) => {
    if (problem === undefined) return `[+]${name} ok`;
    return advisory ? `[!]${name} advisory: ${problem}` : `[-]${name} failed: ${problem}`;
  });
  return `${[...lines, isReady(results) ? 'readyz check passed' : 'readyz check failed'].join('\n')}\n`;
}

async function runCheck({ name, advisory = false, run }: ReadinessCheck): Promise<ReadinessResult> {
  try {
    const outcome = await run();
    if (typeof outcome === 'object') return { name, advisory: true, problem: outcome.advice };
    return { name, advisory, problem: outcome };
  } catch (error) {
    // What a check returns is muster's own text; what it throws may be any.
    return { name, advisory, problem: safeText(errorMessage(error), LONGEST_PROBLEM) };
  }
}
