/** What the server tells of itself: what it holds against its limits, whom it turned away, what broke, how long it stood still. */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Counter, Gauge, Histogram, type OpenMetricsContentType, type Registry } from '@prometheus-io/client';
import {
  type Bound,
  type CloseCause,
  closeCauses,
  type RejectionCause,
  rejectionCauses,
} from '../admission/observer.ts';
import { type HandshakeFailure, handshakeFailures } from '../connections/handshake-failure.ts';
import { type FaultPlace, faultPlaces } from '../lifecycle/faults.ts';

export interface SelfMetricsOptions {
  /** Each thing that could grow, as it is now; asked whenever someone looks. The names are always the same. */
  readonly bounds?: () => readonly Bound[];
  /** Lines that the log has lost so far. */
  readonly logDropped?: () => number;
}

export interface SelfMetrics {
  /** A request was answered 503 for load. */
  shed(cause: RejectionCause): void;
  /** A connection was closed for load, or for being slow. */
  cut(cause: CloseCause): void;
  /** A TLS handshake failed. */
  handshakeFailed(cause: HandshakeFailure): void;
  /** A caller's good certificate has none of the names that are asked for. */
  callerRefused(): void;
  /** Something broke inside. */
  internalError(where: FaultPlace): void;
  /** The longest stall of the event loop in a second, in seconds. */
  lagged(seconds: number): void;
}

/** Seconds. A tenth of one is felt by nobody, one is felt by everybody who waits, five end most callers' patience. */
const LAG_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createSelfMetrics(
  registry: Registry<OpenMetricsContentType>,
  options: SelfMetricsOptions,
): SelfMetrics {
  const counter = <const L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter<L>({ name, help, labelNames, registers: [registry] });
  const shed = counter('muster_requests_shed', 'Requests turned away with HTTP 503 under load, by cause.', ['cause']);
  const cut = counter('muster_connections_cut', 'Connections closed under load or for being slow, by cause.', [
    'cause',
  ]);
  const handshakes = counter('muster_handshakes_failed', 'TLS handshakes that failed, by cause.', ['cause']);
  const callers = counter('muster_callers_refused', 'Callers whose certificate names no --client-name.', []);
  const errors = counter('muster_internal_errors', 'Failures inside muster, by where they happened.', ['where']);
  const lag = new Histogram({
    name: 'muster_event_loop_lag_seconds',
    help: 'The longest stall of the event loop, once a second.',
    buckets: LAG_BUCKETS,
    registers: [registry],
  });
  ceilings(registry, options);
  // From zero on: a rate sees the first of a kind only if it was there before.
  for (const cause of rejectionCauses) shed.inc({ cause }, 0);
  for (const cause of closeCauses) cut.inc({ cause }, 0);
  for (const cause of handshakeFailures) handshakes.inc({ cause }, 0);
  for (const where of faultPlaces) errors.inc({ where }, 0);
  return {
    shed: (cause) => shed.inc({ cause }),
    cut: (cause) => cut.inc({ cause }),
    handshakeFailed: (cause) => handshakes.inc({ cause }),
    callerRefused: () => callers.inc(),
    internalError: (where) => errors.inc({ where }),
    lagged: (seconds) => lag.observe(seconds),
  };
}

/** What the process itself takes, of what it may. */
export function memoryBounds(): readonly Bound[] {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  // Of the container where it has a limit, else of the machine.
  const memory = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
  return [
    { name: 'heap_bytes', held: used_heap_size, limit: heap_size_limit },
    { name: 'memory_bytes', held: process.memoryUsage.rss(), limit: memory },
  ];
}

/** Whether a label value is one of the first so many: no series grows for ever. */
export function atMost(limit: number): (value: string) => boolean {
  const values = new Set<string>();
  return (value) => {
    if (values.size < limit) values.add(value);
    return values.has(value);
  };
}

function ceilings(
  registry: Registry<OpenMetricsContentType>,
  { bounds = () => [], logDropped }: SelfMetricsOptions,
): void {
  const labelNames = ['what'] as const;
  const of = (value: (bound: Bound) => number) =>
    function collect(this: Gauge<'what'>): void {
      for (const bound of bounds()) this.set({ what: bound.name }, value(bound));
    };
  const [held, limit] = ['muster_held', 'muster_limit'];
  const registers = [registry];
  new Gauge({ name: held, help: 'What is held in memory now.', labelNames, registers, collect: of((one) => one.held) });
  new Gauge({ name: limit, help: 'The most of it.', labelNames, registers, collect: of((one) => one.limit) });
  if (logDropped === undefined) return;
  const dropped = new Counter({
    name: 'muster_log_lines_dropped',
    help: 'Lines of the log that were lost: nobody read it, or it could not be written.',
    registers,
    collect() {
      dropped.reset();
      dropped.inc(logDropped());
    },
  });
}
