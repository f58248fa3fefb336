/** The metrics of a server, in a registry of its own. Every label is bounded by the catalogue, the resources or the configuration. */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Counter, collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client';
import type { Policy } from '../../engine/index.ts';
import { closeCauses, rejectionCauses } from '../admission/observer.ts';
import { handshakeFailures } from '../connections/layer.ts';
import { internalErrorSources } from '../lifecycle/internal-errors.ts';
import type { Bound } from '../load/limiter.ts';
import { createDecisionMetrics, type OpenRegistry } from './decision-metrics.ts';

export interface MetricsOptions {
  readonly version: string;
  readonly policy: () => Policy;
  /** When the certificate in use ends, in milliseconds since the epoch. */
  readonly certificateEnd: () => number | undefined;
  /** Whether the cluster last answered as it should. Without it there is no metric of that. */
  readonly clusterUp?: () => boolean;
  /** Lines that the log has lost so far. */
  readonly logDropped?: () => number;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Metrics of the process and of Node; default true. */
  readonly process?: boolean;
}

export type ReloadOutcome = 'applied' | 'refused';

export type Metrics = ReturnType<typeof createMetrics>;
/** Creates the metrics; those of an event are functions that count it, by cause or outcome. */
export function createMetrics(options: MetricsOptions) {
  const { version, policy, certificateEnd, clusterUp, logDropped, clock = Date.now } = options;
  const registry: OpenRegistry = new Registry(Registry.OPENMETRICS_CONTENT_TYPE);
  const registers = [registry];
  if (options.process !== false) collectDefaultMetrics({ register: registry });
  /** Counts by one label, from zero on for its known values. */
  const counter = <V extends string>(name: string, help: string, label: string, values: readonly V[] = []) => {
    const made = new Counter({ name, help, labelNames: [label], registers });
    for (const value of values) made.inc({ [label]: value }, 0);
    return (value: V, count = 1) => made.inc({ [label]: value }, count);
  };
  /** Reads a value at each scrape. */
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });

  const outcomes: readonly ReloadOutcome[] = ['applied', 'refused'];
  const reload = counter('muster_configuration_reloads', 'Changes of the configuration file.', 'outcome', outcomes);
  let lastReload = { successful: true, at: clock() };
  const callers = new Counter({
    name: 'muster_callers_rejected',
    help: 'Callers whose certificate has none of the names of --client-name.',
    registers,
  });
  new Gauge({
    name: 'muster_build_info',
    help: 'Always 1; the labels say which muster and which Node run.',
    labelNames: ['version', 'node_version'],
    registers,
  }).set({ version, node_version: process.version }, 1);
  gauge('muster_config_last_reload_successful', '0 while the configuration on disk is refused, else 1.', () =>
    Number(lastReload.successful),
  );
  gauge(
    'muster_config_last_reload_success_timestamp_seconds',
    'When the configuration in force was loaded.',
    () => lastReload.at / 1000,
  );
  gauge(
    'muster_certificate_expiry_timestamp_seconds',
    'When the serving certificate ends.',
    () => (certificateEnd() ?? 0) / 1000,
  );
  gauge(
    'muster_expired_exceptions',
    'Exceptions of the configuration that have expired.',
    () => policy().exceptions.filter(({ expires }) => expires <= clock()).length,
  );
  if (clusterUp)
    gauge('muster_cluster_up', 'Whether the cluster was in order when last checked.', () => Number(clusterUp()));
  if (logDropped) {
    new Counter({
      name: 'muster_log_lines_dropped',
      help: 'Lines of the log that were lost: nobody read it, or it could not be written.',
      registers,
      collect() {
        this.reset();
        this.inc(logDropped());
      },
    });
  }
  return {
    ...createDecisionMetrics(registry, policy),
    /** Returns all metrics, in OpenMetrics where the `Accept` header asks for it, else in Prometheus' text format. */
    text: async (accept = ''): Promise<{ readonly contentType: string; readonly text: string }> => {
      const text = await registry.metrics();
      if (accept.includes('application/openmetrics-text')) return { contentType: registry.contentType, text };
      return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, text: plainText(text) };
    },
    /** Adds two gauges for each bound, `muster_NAME` and its limit, read at each scrape. The names are always the same. */
    watchBounds: (bounds: () => readonly Bound[]) => {
      for (const { name } of bounds()) {
        const bound = () => bounds().find((each) => each.name === name);
        const [, what = name, unit = ''] = /^(.*?)(_bytes)?$/.exec(name) ?? [];
        const help = `${what.replaceAll('_', ' ')}${unit && ', in bytes'}.`;
        gauge(`muster_${name}`, `Now: ${help}`, () => bound()?.held ?? 0);
        gauge(`muster_${what}_limit${unit}`, `The most that is allowed: ${help}`, () => bound()?.limit ?? 0);
      }
    },
    requestRejected: counter(
      'muster_requests_rejected',
      'Requests answered with HTTP 503 under load.',
      'cause',
      rejectionCauses,
    ),
    connectionClosed: counter(
      'muster_connections_closed',
      'Connections closed without an answer, under load or for being slow.',
      'cause',
      closeCauses,
    ),
    handshakeFailed: counter('muster_handshakes_failed', 'Failed TLS handshakes.', 'cause', handshakeFailures),
    callerRejected: () => callers.inc(),
    internalError: counter('muster_internal_errors', 'Internal errors.', 'source', internalErrorSources),
    configurationReload: (outcome: ReloadOutcome) => {
      reload(outcome);
      const successful = outcome === 'applied';
      lastReload = { successful, at: successful ? clock() : lastReload.at };
    },
    certificateReload: counter(
      'muster_certificate_reloads',
      'Changes of the certificate, its key or the client CA.',
      'outcome',
      outcomes,
    ),
    /** Counts a read of another object, and an attempt to take or release a lock, by outcome: one of a few words. */
    clusterRead: counter('muster_cluster_reads', 'Reads of other objects.', 'outcome'),
    lock: counter('muster_locks', 'Uses of locks for identity writes.', 'outcome'),
  };
}

/** Returns the memory of the process, and the most it may take: of the container where that has a limit, else of the machine. */
export function memoryBounds(): readonly Bound[] {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  const limit = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
  return [
    { name: 'heap_bytes', held: used_heap_size, limit: heap_size_limit },
    { name: 'memory_bytes', held: process.memoryUsage.rss(), limit },
  ];
}

/** In the plain format, the name of a counter ends in `_total` in its comments too, and there is no end mark. */
function plainText(openMetrics: string): string {
  return openMetrics
    .replace(/^# HELP (\S+) (.*)\n# TYPE \1 counter$/gm, '# HELP $1_total $2\n# TYPE $1_total counter')
    .replace(/# EOF\n$/, '');
}
