/** The metrics of a server, in a registry of its own. Every label is bounded by the catalogue, the resources or the configuration. */
import { Counter, collectDefaultMetrics, Gauge, type OpenMetricsContentType, Registry } from '@prometheus-io/client';
import type { Policy } from '../../engine/index.ts';
import { createDecisionMetrics, type DecisionMetrics } from './decision-metrics.ts';
import { createServerMetrics, type ServerMetrics } from './server-metrics.ts';

export interface MetricsOptions {
  /** The version of muster. */
  readonly version: string;
  /** The policy in force. */
  readonly policy: () => Policy;
  /** When the certificate in use ends, in milliseconds since the epoch. */
  readonly certificateEnd: () => number | undefined;
  /** Whether the cluster last answered as it should. Without it there are no metrics of a cluster. */
  readonly clusterUp?: () => boolean;
  /** Lines that the log has lost so far. */
  readonly logDropped?: () => number;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Metrics of the process and of Node; default true. */
  readonly process?: boolean;
}

export type ReloadOutcome = 'applied' | 'refused';

export interface Metrics extends DecisionMetrics, ServerMetrics {
  /** Returns all metrics, in OpenMetrics where the `Accept` header asks for it, else in Prometheus' text format. */
  text(accept?: string): Promise<{ readonly contentType: string; readonly text: string }>;
  configurationReload(outcome: ReloadOutcome): void;
  certificateReload(outcome: ReloadOutcome): void;
  /** Counts a read of another object, by its outcome: one of a few words. */
  clusterRead(outcome: string): void;
  /** Counts an attempt to take or release a lock, likewise. */
  lock(outcome: string): void;
}

export type OpenRegistry = Registry<OpenMetricsContentType>;

export function createMetrics(options: MetricsOptions): Metrics {
  const registry: OpenRegistry = new Registry(Registry.OPENMETRICS_CONTENT_TYPE);
  if (options.process !== false) collectDefaultMetrics({ register: registry });
  const reloads = reloadMetrics(registry, options.clock ?? Date.now);
  const counted = ['outcome'] as const;
  const registers = [registry];
  const reads = new Counter({
    name: 'muster_cluster_reads',
    help: 'Reads of other objects.',
    labelNames: counted,
    registers,
  });
  const locks = new Counter({
    name: 'muster_locks',
    help: 'Uses of locks for identity writes.',
    labelNames: counted,
    registers,
  });
  stateMetrics(registry, options);
  return {
    ...createDecisionMetrics(registry, options.policy),
    ...createServerMetrics(registry, options.logDropped),
    ...reloads,
    text: async (accept = '') => {
      const text = await registry.metrics();
      if (accept.includes('application/openmetrics-text')) return { contentType: registry.contentType, text };
      return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, text: plainText(text) };
    },
    clusterRead: (outcome) => reads.inc({ outcome }),
    lock: (outcome) => locks.inc({ outcome }),
  };
}

/** In the plain format, the name of a counter ends in `_total` in its comments too, and there is no end mark. */
function plainText(openMetrics: string): string {
  return openMetrics
    .replace(/^# HELP (\S+) (.*)\n# TYPE \1 counter$/gm, '# HELP $1_total $2\n# TYPE $1_total counter')
    .replace(/# EOF\n$/, '');
}

function reloadMetrics(registry: OpenRegistry, clock: () => number) {
  const registers = [registry];
  const labelNames = ['outcome'] as const;
  const configuration = new Counter({
    name: 'muster_configuration_reloads',
    help: 'Changes of the configuration file, by outcome.',
    labelNames,
    registers,
  });
  const certificate = new Counter({
    name: 'muster_certificate_reloads',
    help: 'Changes of the certificate, its key or the client CA, by outcome.',
    labelNames,
    registers,
  });
  for (const outcome of ['applied', 'refused'])
    for (const each of [configuration, certificate]) each.inc({ outcome }, 0);
  const successful = new Gauge({
    name: 'muster_config_last_reload_successful',
    help: 'Whether the configuration on disk is the one in force: 0 while it is refused.',
    registers,
  });
  const at = new Gauge({
    name: 'muster_config_last_reload_success_timestamp_seconds',
    help: 'When the configuration in force was loaded.',
    registers,
  });
  successful.set(1);
  at.set(clock() / 1000);
  return {
    configurationReload: (outcome: ReloadOutcome) => {
      configuration.inc({ outcome });
      successful.set(outcome === 'applied' ? 1 : 0);
      if (outcome === 'applied') at.set(clock() / 1000);
    },
    certificateReload: (outcome: ReloadOutcome) => certificate.inc({ outcome }),
  };
}

/** What is read off the server's state at each scrape. */
function stateMetrics(registry: OpenRegistry, options: MetricsOptions): void {
  const { version, clock = Date.now, clusterUp } = options;
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  new Gauge({
    name: 'muster_build_info',
    help: 'Always 1; the labels say which muster and which Node run.',
    labelNames: ['version', 'node_version'],
    registers: [registry],
  }).set({ version, node_version: process.version }, 1);
  gauge(
    'muster_certificate_expiry_timestamp_seconds',
    'When the serving certificate ends.',
    () => (options.certificateEnd() ?? 0) / 1000,
  );
  gauge(
    'muster_expired_exceptions',
    'Exceptions of the configuration that have expired.',
    () => options.policy().exceptions.filter(({ expires }) => expires <= clock()).length,
  );
  if (clusterUp === undefined) return;
  gauge(
    'muster_cluster_up',
    'Whether the API server, the Leases and the rights to both were in order when last checked.',
    () => (clusterUp() ? 1 : 0),
  );
}
