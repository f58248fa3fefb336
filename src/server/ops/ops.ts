/** The ops port, plain HTTP: live, ready, metrics. Nothing of the cluster is told here. */
import type { Socket } from 'node:net';
import { type FastifyError, type FastifyInstance, fastify } from 'fastify';
import type { Bound } from '../admission/observer.ts';
import { withoutSchemas } from '../admission/without-schemas.ts';
import { ConnectionLimiter } from '../connections/limiter.ts';
import type { CheckResult, Health } from './health.ts';
import type { Metrics } from './metrics.ts';

export interface OpsOptions {
  readonly health: Health;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  /** While true, every response asks its connection to close. */
  readonly draining?: () => boolean;
  /** Hears what broke here. */
  readonly broke?: (error: unknown) => void;
}

/**
 * Probes and a few scrapers. Of more, the address with the most loses its oldest, and never the newcomer: that may be a kubelet, which ends a server that
 * three of its probes did not reach. And few, since all of them may ask in one turn of the event loop.
 */
const MOST_CONNECTIONS = 64;
/** Milliseconds: a probe and a scrape take some, and whoever is idle comes again. */
const LONGEST_HEAD = 5000;
const LONGEST_IDLE = 10_000;
const LONGEST_SILENCE = 30_000;

export type Ops = FastifyInstance & {
  /** Takes an accepted TCP connection. */
  readonly accept: (socket: Socket) => void;
  readonly bounds: () => readonly Bound[];
};

/** Built, not listening. Whoever connects and then says or reads nothing is cut off. */
export function createOps({ health, metrics, draining = () => false, broke = () => {} }: OpsOptions): Ops {
  const ops = fastify({
    ...withoutSchemas,
    logger: false,
    return503OnClosing: false,
    requestTimeout: 10_000,
    keepAliveTimeout: LONGEST_IDLE,
    connectionTimeout: LONGEST_SILENCE,
    bodyLimit: 1024,
    http: { maxHeaderSize: 16_384, headersTimeout: LONGEST_HEAD, connectionsCheckingInterval: 1000 },
  });
  boundConnections(ops);
  ops.addHook('onSend', async (_request, reply) => {
    if (draining()) reply.header('connection', 'close');
  });
  ops.setNotFoundHandler((_request, reply) => reply.code(404).type('text/plain; charset=utf-8').send('not found\n'));
  ops.setErrorHandler((error: FastifyError, _request, reply) => {
    if (error.statusCode !== undefined && error.statusCode < 500) return reply.code(error.statusCode).send('no\n');
    broke(error);
    return reply.code(500).type('text/plain; charset=utf-8').send('muster failed to answer; its log says more\n');
  });
  ops.get('/livez', (_request, reply) => reply.type('text/plain; charset=utf-8').send('ok\n'));
  ops.get('/readyz', async (request, reply) => {
    const results = await health.look();
    const ready = results.every(({ problem, advisory }) => problem === undefined || advisory === true);
    reply
      .code(ready ? 200 : 503)
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-store');
    const verbose = Object.hasOwn(request.query as object, 'verbose');
    return ready && !verbose ? 'ok\n' : report(results, ready);
  });
  const text = onceATurn(() => metrics.text());
  ops.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await text()));
  return ops as unknown as Ops;
}

function boundConnections(ops: FastifyInstance): void {
  const limiter = new ConnectionLimiter(MOST_CONNECTIONS);
  ops.decorate('accept', (socket: Socket) => {
    if (limiter.admit(socket) !== undefined) ops.server.emit('connection', socket);
  });
  ops.decorate('bounds', () => [{ name: 'ops_connections', held: limiter.size(), limit: limiter.limit }]);
}

/** One text for all who ask in the same turn of the event loop: to make it takes a millisecond or two, and anybody may ask. */
function onceATurn(make: () => Promise<string>): () => Promise<string> {
  let next: Promise<string> | undefined;
  return () => {
    next ??= new Promise((turn) => setImmediate(turn)).then(() => {
      next = undefined;
      return make();
    });
    return next;
  };
}

function report(results: readonly CheckResult[], ready: boolean): string {
  const lines = results.map(({ name, problem, advisory }) => {
    if (problem === undefined) return `[+]${name} ok`;
    return advisory ? `[!]${name} advisory: ${problem}` : `[-]${name} failed: ${problem}`;
  });
  return `${[...lines, ready ? 'readyz check passed' : 'readyz check failed'].join('\n')}\n`;
}
