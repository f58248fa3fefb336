/** The ops port, plain HTTP: live, ready, metrics. Nothing of the cluster is told here. */
import { type FastifyInstance, fastify } from 'fastify';
import type { CheckResult, Health } from './health.ts';
import type { Metrics } from './metrics.ts';

export interface OpsOptions {
  readonly health: Health;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
}

/** Built, not listening. */
export function createOps({ health, metrics }: OpsOptions): FastifyInstance {
  const ops = fastify({
    logger: false,
    return503OnClosing: false,
    requestTimeout: 10_000,
    http: { maxHeaderSize: 16_384 },
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
  ops.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
  return ops;
}

function report(results: readonly CheckResult[], ready: boolean): string {
  const lines = results.map(({ name, problem, advisory }) => {
    if (problem === undefined) return `[+]${name} ok`;
    return advisory ? `[!]${name} advisory: ${problem}` : `[-]${name} failed: ${problem}`;
  });
  return `${[...lines, ready ? 'readyz check passed' : 'readyz check failed'].join('\n')}\n`;
}
