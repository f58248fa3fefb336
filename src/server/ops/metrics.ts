/**
 * The metrics of a server, in a registry of its own. The catalogue, the resources or the configuration bound every
 * label.
 */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { type Policy, SOON_DAYS } from '../../engine/index.ts';
import { type InternalErrorSource, internalErrorSources } from '../lifecycle/internal-errors.ts';
import { type Bound, boundHelp } from '../limits.ts';
import {
  type CloseCause,
  closeCauses,
  type EventOutcome,
  eventOutcomes,
  type HandshakeFailure,
  handshakeFailures,
  type RejectionCause,
  rejectionCauses,
  type SpanOutcome,
  spanOutcomes,
} from '../observer.ts';
import { createDecisionMetrics, type DecisionMetrics, type OpenRegistry } from './decision-metrics.ts';
import { createRegistrarMetrics, type RegistrarMetrics, type ReloadOutcome } from './registrar-metrics.ts';

const DAY = 24 * 60 * 60 * 1000;

interface MetricsOptions {
  readonly version: string;
  readonly policy: () => Policy;
  /** The SHA-256 of the configuration file in force, in hexadecimal; empty without a file. */
  readonly configuration?: () => string;
  /** The certificate in use, and the client CA. Default: none yet. */
  readonly certificate?: () => CertificateState;
  /** Whether the last check of the cluster found no problem. Default: there is no such metric. */
  readonly clusterUp?: () => boolean;
  /** Lines that the log has lost so far. */
  readonly logDropped?: () => number;
  /** Whether Events of denied writes are written and so counted. Default: false. */
  readonly events?: boolean;
  /** Whether requests have spans: then spans are counted, and durations have exemplars. Default: false. */
  readonly tracing?: boolean;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Whether there are metrics of the process and of Node. Default: true. */
  readonly process?: boolean;
  /** Where the metrics are registered; default: a registry of their own. */
  readonly registry?: OpenRegistry;
}

interface CertificateState {
  /** When the first of them ends, and when the first should have been renewed, in milliseconds since the epoch. */
  readonly end: number;
  readonly due: number;
  /** Whether the files on disk are refused. */
  readonly refused: boolean;
}

/** In seconds. A read takes some milliseconds, and no call takes longer than its limit of 10 s. */
const CALL_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics. Most members are functions that count an event, by its cause or outcome. */
export interface Metrics extends DecisionMetrics {
  /** Returns all metrics, in OpenMetrics where the `Accept` header asks for it, else in Prometheus' text format. */
  text(accept?: string): Promise<{ readonly contentType: string; readonly text: string }>;
  /**
   * Adds gauges that are read at each scrape: the requests in flight, and for each bound `muster_NAME` and its limit.
   * The set of bounds must not change.
   */
  watch(now: { readonly requestsInFlight: () => number; readonly bounds: () => readonly Bound[] }): void;
  /** Events of denied writes, if they are on. */
  readonly event?: CountBy<EventOutcome>;
  /** Sampled spans, if tracing is on. */
  readonly spans?: CountBy<SpanOutcome>;
  readonly requestRejected: CountBy<RejectionCause>;
  readonly connectionClosed: CountBy<CloseCause>;
  readonly handshakeFailed: CountBy<HandshakeFailure>;
  callerRejected(): void;
  readonly internalError: CountBy<InternalErrorSource>;
  configurationReload(outcome: ReloadOutcome): void;
  readonly certificateReload: CountBy<ReloadOutcome>;
  /** Counts a read of another object; `outcome` is one of a few words. */
  readonly clusterRead: CountBy<string>;
  /** Counts a call to the API server; `outcome` is `ok`, or one of a few words for the failure. */
  clusterCall(verb: string, outcome: string, milliseconds: number): void;
  /** Counts an attempt to acquire or release a lock; `outcome` is one of a few words. */
  readonly lock: CountBy<string>;
  /** Returns the metrics of the registrar, which are registered by the first call. */
  registrar(): RegistrarMetrics;
}

type CountBy<V extends string> = (value: V, count?: number) => void;

export function createMetrics(options: MetricsOptions): Metrics {
  const {
    version,
    policy,
    configuration = () => '',
    certificate = () => ({ end: 0, due: 0, refused: false }),
    clusterUp,
    logDropped,
    events = false,
    tracing = false,
    clock = Date.now,
    registry = newRegistry(),
  } = options;
  const registers = [registry];
  if (options.process !== false) collectDefaultMetrics({ register: registry });
  /** Creates a counter with one label, which begins at zero for the known values. */
  const counter = <V extends string>(name: string, help: string, label: string, values: readonly V[] = []) => {
    const made = new Counter({ name, help, labelNames: [label], registers });
    for (const value of values) made.inc({ [label]: value }, 0);
    return (value: V, count = 1) => made.inc({ [label]: value }, count);
  };
  /** Creates a gauge whose value is read at each scrape. */
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
    help: 'Callers whose certificate lacks every name of --client-name.',
    registers,
  });
  new Gauge({
    name: 'muster_build_info',
    help: 'Always 1; the labels are the versions of muster and Node.',
    labelNames: ['version', 'node_version'],
    registers,
  }).set({ version, node_version: process.version }, 1);
  new Gauge({
    name: 'muster_config_info',
    help: 'Always 1; the label is the SHA-256 of the configuration file in force, empty without a file.',
    labelNames: ['sha256'],
    registers,
    collect() {
      this.reset();
      this.set({ sha256: configuration() }, 1);
    },
  });
  gauge(
    'muster_config_last_reload_successful',
    '0 while the configuration on disk is refused and the previous one is in force, else 1.',
    () => Number(lastReload.successful),
  );
  gauge(
    'muster_config_last_reload_success_timestamp_seconds',
    'When the configuration in force was loaded, in seconds since the epoch.',
    () => lastReload.at / 1000,
  );
  gauge(
    'muster_certificate_expiry_timestamp_seconds',
    'When the serving certificate ends, or an issuer in its file or the client CA before it, in seconds since the ' +
      'epoch; 0: none yet.',
    () => certificate().end / 1000,
  );
  gauge(
    'muster_certificate_due_timestamp_seconds',
    'When it should have been renewed: 7 days before that end, or less where its whole life is short, in seconds ' +
      'since the epoch; 0: none yet.',
    () => certificate().due / 1000,
  );
  gauge(
    'muster_certificate_last_reload_successful',
    '0 while the certificate or the client CA on disk is refused and the previous one is in use, else 1.',
    () => Number(!certificate().refused),
  );
  gauge(
    'muster_expired_exceptions',
    'Exceptions of the configuration that have expired.',
    () => policy().exceptions.filter(({ expires }) => expires <= clock()).length,
  );
  gauge(
    'muster_exceptions_ending_soon',
    `Exceptions of the configuration that end within ${SOON_DAYS} days.`,
    () => policy().exceptions.filter(({ expires }) => expires > clock() && expires <= clock() + SOON_DAYS * DAY).length,
  );
  if (clusterUp)
    gauge('muster_cluster_up', '1 if the last check of the cluster found no problem, else 0.', () =>
      Number(clusterUp()),
    );
  if (logDropped) {
    new Counter({
      name: 'muster_log_lines_dropped',
      help: 'Lost lines of the log, which was not read or could not be written.',
      registers,
      collect() {
        this.reset();
        this.inc(logDropped());
      },
    });
  }
  const calls = new Histogram({
    name: 'muster_cluster_call_duration_seconds',
    help: 'Time of the calls to the API server of a live cluster.',
    labelNames: ['verb', 'outcome'],
    buckets: CALL_BUCKETS,
    registers,
  });
  const clusterCall = (verb: string, outcome: string, milliseconds: number) =>
    calls.observe({ verb, outcome }, milliseconds / 1000);
  let registrar: RegistrarMetrics | undefined;
  return {
    ...createDecisionMetrics(registry, policy, tracing),
    text: async (accept = '') => {
      const text = await registry.metrics();
      if (accept.includes('application/openmetrics-text')) return { contentType: registry.contentType, text };
      return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, text: plainText(text) };
    },
    watch: ({ requestsInFlight, bounds }) => {
      gauge('muster_requests_in_flight', 'Requests whose answer is not sent yet.', requestsInFlight);
      for (const { name } of bounds()) {
        const bound = () => bounds().find((each) => each.name === name);
        const [, what = name, unit = ''] = /^(.*?)(_bytes)?$/.exec(name) ?? [];
        const help = boundHelp[name];
        gauge(`muster_${name}`, `Now: ${help}.`, () => bound()?.held ?? 0);
        gauge(`muster_${what}_limit${unit}`, `The most that is allowed: ${help}.`, () => bound()?.limit ?? 0);
      }
    },
    ...(events && { event: counter('muster_denial_events', EVENTS, 'outcome', eventOutcomes) }),
    ...(tracing && {
      spans: counter('muster_trace_spans_ended', 'Sampled spans by outcome.', 'outcome', spanOutcomes),
    }),
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
    handshakeFailed: counter('muster_handshakes_failed', HANDSHAKES, 'cause', handshakeFailures),
    callerRejected: () => callers.inc(),
    internalError: counter(
      'muster_internal_errors',
      'Internal errors; evaluation: those that muster_crashes_total counts by rule.',
      'source',
      internalErrorSources,
    ),
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
    clusterRead: counter('muster_cluster_reads', 'Reads of other objects in a live cluster.', 'outcome'),
    clusterCall,
    lock: counter('muster_locks', 'Uses of locks for identity writes in a live cluster.', 'outcome'),
    registrar: () => {
      registrar ??= createRegistrarMetrics(registry, CALL_BUCKETS);
      return registrar;
    },
  };
}

const EVENTS = 'Events of denied writes; dropped: too many waited.';

const HANDSHAKES =
  'Failed TLS handshakes; our_certificate: the caller does not accept it; caller_certificate: missing, or not of ' +
  'the client CA.';

function newRegistry(): OpenRegistry {
  return new Registry(Registry.OPENMETRICS_CONTENT_TYPE);
}

/**
 * Returns the memory of the process and its limit, which is that of the container, else the memory of the machine.
 */
export function memoryBounds(): readonly Bound[] {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  const limit = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
  return [
    { name: 'heap_bytes', held: used_heap_size, limit: heap_size_limit },
    { name: 'memory_bytes', held: residentMemory(), limit },
  ];
}

let lastResidentMemory = 0;

/** Returns the resident memory; where the process can open no more files, which reading it takes, that of before. */
function residentMemory(): number {
  try {
    lastResidentMemory = process.memoryUsage.rss();
  } catch {
    // A scrape has to show the other metrics, above all the number of open files.
  }
  return lastResidentMemory;
}

/** Exemplars, which only OpenMetrics has. */
const EXEMPLAR = / # \{trace_id="[0-9a-f]{32}",.*$/gm;

/** Converts to Prometheus' text format: `_total` is also in the comments of a counter, and there is no end mark. */
function plainText(openMetrics: string): string {
  return openMetrics
    .replace(/^# HELP (\S+) (.*)\n# TYPE \1 counter$/gm, '# HELP $1_total $2\n# TYPE $1_total counter')
    .replace(EXEMPLAR, '')
    .replace(/# EOF\n$/, '');
}
