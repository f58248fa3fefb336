/** Metrics of the server itself: what it holds against its limits, what it rejected, internal errors, event loop delay. */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Counter, Gauge, Histogram } from '@prometheus-io/client';
import {
  type Bound,
  type CloseCause,
  closeCauses,
  type RejectionCause,
  rejectionCauses,
} from '../admission/observer.ts';
import { type HandshakeFailure, handshakeFailures } from '../connections/handshake-failure.ts';
import { type InternalErrorSource, internalErrorSources } from '../lifecycle/internal-errors.ts';
import type { OpenRegistry } from './metrics.ts';

export interface ServerMetrics {
  /** Adds two gauges for each bound, `muster_NAME` and its limit, read at each scrape. The names are always the same. */
  watchBounds(bounds: () => readonly Bound[]): void;
  /** Counts a request that got HTTP 503 for load. */
  requestRejected(cause: RejectionCause): void;
  /** Counts a connection that was closed for load, or for being slow. */
  connectionClosed(cause: CloseCause): void;
  handshakeFailed(cause: HandshakeFailure): void;
  /** Counts a caller whose certificate has none of the accepted names. */
  callerRejected(): void;
  internalError(source: InternalErrorSource): void;
  /** Adds the longest delay of the event loop within a second, in seconds. */
  eventLoopDelay(seconds: number): void;
}

/** Seconds. Nobody notices a tenth of one; five exceed most callers' deadline. */
const DELAY_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createServerMetrics(registry: OpenRegistry, logDropped?: () => number): ServerMetrics {
  const registers = [registry];
  /** A counter with one label, from zero on for each of its values. */
  const counter = <L extends string>(name: string, help: string, label: L, values: readonly string[]) => {
    const made = new Counter<L>({ name, help, labelNames: [label], registers });
    for (const value of values) made.labels(value).inc(0);
    return made;
  };
  const rejected = counter(
    'muster_requests_rejected',
    'Requests answered with HTTP 503 under load.',
    'cause',
    rejectionCauses,
  );
  const closed = counter(
    'muster_connections_closed',
    'Connections closed without an answer, under load or for being slow.',
    'cause',
    closeCauses,
  );
  const handshakes = counter('muster_handshakes_failed', 'TLS handshakes that failed.', 'cause', handshakeFailures);
  const callers = new Counter({
    name: 'muster_callers_rejected',
    help: 'Callers whose certificate has none of the names of --client-name.',
    registers,
  });
  const errors = counter('muster_internal_errors', 'Internal errors, by source.', 'source', internalErrorSources);
  const delay = new Histogram({
    name: 'muster_event_loop_delay_seconds',
    help: 'The longest delay of the event loop, once a second.',
    buckets: DELAY_BUCKETS,
    registers,
  });
  if (logDropped !== undefined) {
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
    watchBounds: (bounds) => addBounds(registry, bounds),
    requestRejected: (cause) => rejected.inc({ cause }),
    connectionClosed: (cause) => closed.inc({ cause }),
    handshakeFailed: (cause) => handshakes.inc({ cause }),
    callerRejected: () => callers.inc(),
    internalError: (source) => errors.inc({ source }),
    eventLoopDelay: (seconds) => delay.observe(seconds),
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

function addBounds(registry: OpenRegistry, bounds: () => readonly Bound[]): void {
  const gauge = (name: string, help: string, value: () => number | undefined) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value() ?? 0);
      },
    });
  for (const { name } of bounds()) {
    const bound = () => bounds().find((each) => each.name === name);
    const what = name.replace(/_bytes$/, '');
    const unit = name.endsWith('_bytes') ? '_bytes' : '';
    const text = what.replaceAll('_', ' ');
    gauge(`muster_${name}`, `Now: ${text}${unit && ', in bytes'}.`, () => bound()?.held);
    gauge(
      `muster_${what}_limit${unit}`,
      `The most that is allowed: ${text}${unit && ', in bytes'}.`,
      () => bound()?.limit,
    );
  }
}
