/**
 * Sends spans to an OpenTelemetry collector, by OTLP over HTTP: in batches, from a bounded queue, and never on the path
 * of a request.
 */
import type { Tracer } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Bound } from '../limits.ts';
import type { SpanOutcome } from '../observer.ts';

interface ExportOptions {
  /** The URL of the collector; without a path, `/v1/traces` is added. */
  readonly endpoint: string;
  /** The share of requests without a parent span that are sampled, from 0 to 1. */
  readonly ratio: number;
  readonly version: string;
  /** The name of this server among its replicas. */
  readonly instance: string;
  /** Called with the number of spans that were sent, could not be sent, or did not fit into the queue. */
  readonly onSpans: (outcome: SpanOutcome, count: number, error?: Error) => void;
}

interface TraceExport {
  readonly tracer: Tracer;
  /** Returns the number of spans that are held, and its limit. */
  bound(): Bound;
  /** Sends the remaining spans, within so many milliseconds. Never rejects. */
  close(timeoutMs: number): Promise<void>;
}

/** The most spans that wait or are being sent: some 2 MB. */
const MOST_SPANS = 2048;
const BATCH = 512;
/** Milliseconds between two batches, unless one is full before. */
const INTERVAL_MS = 2000;
/** Milliseconds for one batch, including the retries of the exporter. */
const EXPORT_MS = 10_000;
const LIMITS = { attributeCountLimit: 16, attributeValueLengthLimit: 256, eventCountLimit: 16, linkCountLimit: 0 };

/** Creates the tracer and its export. The first batch opens the connection. */
export function createTraceExport({ endpoint, ratio, version, instance, onSpans }: ExportOptions): TraceExport {
  let held = 0;
  const exporter = new OTLPTraceExporter({ url: tracesUrl(endpoint), timeoutMillis: EXPORT_MS });
  const observed: SpanExporter = {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        held -= spans.length;
        onSpans(result.code === ExportResultCode.SUCCESS ? 'exported' : 'failed', spans.length, result.error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor(observed, {
    maxQueueSize: MOST_SPANS,
    maxExportBatchSize: BATCH,
    scheduledDelayMillis: INTERVAL_MS,
    exportTimeoutMillis: EXPORT_MS,
  });
  // The queue of the batches drops spans without a count, so the limit is enforced before it.
  const limited: SpanProcessor = {
    onStart: (span, context) => batches.onStart(span, context),
    onEnd: (span) => {
      if (held >= MOST_SPANS) return onSpans('dropped', 1);
      held += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
  const attributes = { 'service.name': 'muster', 'service.version': version, 'service.instance.id': instance };
  const provider = new BasicTracerProvider({
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    // Merged last, OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES of the environment have precedence.
    resource: defaultResource()
      .merge(resourceFromAttributes(attributes))
      .merge(detectResources({ detectors: [envDetector] })),
    spanLimits: LIMITS,
    spanProcessors: [limited],
  });
  return {
    tracer: provider.getTracer('muster', version),
    bound: () => ({ name: 'trace_spans', held, limit: MOST_SPANS }),
    async close(timeoutMs) {
      const late = new Promise<void>((resolve) => setTimeout(resolve, timeoutMs).unref());
      await Promise.race([provider.shutdown().catch(() => {}), late]);
    },
  };
}

/**
 * Returns the address for traces, by the rules of OTEL_EXPORTER_OTLP_ENDPOINT: without a path, that of the protocol is
 * added.
 */
function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url.href;
}
