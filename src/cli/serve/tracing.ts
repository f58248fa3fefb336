/** Opens the traces of `muster serve`. OpenTelemetry is loaded only if the flags turn tracing on. */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../../base/usage-error.ts';
import type { ApiClient, ApiRequest } from '../../cluster/live/client.ts';
import type { Bound } from '../../server/limits.ts';
import type { Log } from '../../server/log/log.ts';
import { rateLimited } from '../../server/log/rate-limited.ts';
import type { Metrics } from '../../server/ops/metrics.ts';
import type { Tracing } from '../../server/tracing/spans.ts';
import { version } from '../shared.ts';
import type { ServeFlags } from './options.ts';

interface OpenedTracing extends Tracing {
  bound(): Bound;
  /** Sends the remaining spans, within so many milliseconds, and 2 s at most. */
  close(timeoutMs: number): Promise<void>;
}

/** The most milliseconds for the last export: an unavailable collector must not delay a stop. */
const LAST_EXPORT_MS = 2000;

/** Checks the flags, before anything starts. @throws UsageError, without the URL, which may hold a password */
export function checkTracingFlags({ tracingEndpoint }: ServeFlags): void {
  if (tracingEndpoint === undefined) return;
  const url = URL.canParse(tracingEndpoint) ? new URL(tracingEndpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new UsageError('--tracing-endpoint takes a URL such as http://collector.monitoring:4318, without a query');
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--tracing-endpoint takes no password: use the variable OTEL_EXPORTER_OTLP_HEADERS');
}

/** Opens tracing, without a connection yet; undefined if tracing is off. */
export async function openTracing(flags: ServeFlags, log: Log, metrics: Metrics): Promise<OpenedTracing | undefined> {
  const { tracingEndpoint: endpoint, tracingRatio: ratio = 1 } = flags;
  if (endpoint === undefined) return undefined;
  const [{ createTraceExport }, { createTracing }] = await Promise.all([
    import('../../server/tracing/export.ts'),
    import('../../server/tracing/spans.ts'),
  ]);
  const warn = rateLimited(log.warn);
  const { tracer, bound, close } = createTraceExport({
    endpoint,
    ratio,
    version: version(),
    instance: hostname(),
    onSpans: (outcome, count, error) => {
      metrics.spans?.(outcome, count);
      if (outcome === 'exported') return;
      const reason = error === undefined ? 'too many wait' : error.message || error.name;
      warn(() => [`traces are lost: ${reason}`, { outcome, spans: count }]);
    },
  });
  return {
    ...createTracing(tracer),
    bound,
    close: (timeoutMs) => close(Math.min(timeoutMs, LAST_EXPORT_MS)),
  };
}

/** Returns the client with a span for each call within a request. The API server can join its own spans to it. */
export function traceCalls(client: ApiClient, tracing: Tracing): ApiClient {
  const call = (request: ApiRequest) => {
    const { method, path } = request;
    const attributes = { 'http.request.method': method, 'server.address': new URL(client.server).hostname };
    return tracing.child(`${method} ${resourceOf(path)}`, attributes, (headers) =>
      client.call({ ...request, headers }),
    );
  };
  return { ...client, call };
}

/** Returns the plural in a path of the API: a span is never named after a namespace or an object. */
function resourceOf(path: string): string {
  const [root, ...steps] = path.slice(1).split(/[/?]/);
  const [first, , third] = steps.slice(root === 'api' ? 1 : 2);
  return (first === 'namespaces' && third) || first || '';
}

/** Returns a pause between two attempts to take a lock, with a span. */
export function tracePause(tracing: Tracing): (milliseconds: number) => Promise<unknown> {
  return (milliseconds) => tracing.child('wait for a lock', {}, () => sleep(milliseconds));
}
