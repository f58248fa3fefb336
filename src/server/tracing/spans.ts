/** The spans of admission requests. No attribute holds a text of a user, a part of an object or a credential. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { AdmissionTracing, Decision, RequestSpan } from '../observer.ts';

export interface Tracing extends AdmissionTracing {
  /**
   * Runs `work` in a span below that of the current request; outside of a request, without a span. Sent with a call,
   * `headers` join the spans of the called program to it.
   */
  child<T>(name: string, attributes: Attributes, work: (headers: Headers) => Promise<T>): Promise<T>;
  /** Adds an event to the span of the current request. */
  event(name: string, attributes: Attributes): void;
}

type Headers = Readonly<Record<string, string>>;

/** Creates the spans of a server with this tracer. */
export function createTracing(tracer: Tracer): Tracing {
  const current = new AsyncLocalStorage<Context>();
  const propagator = new W3CTraceContextPropagator();
  return {
    start(path, traceparent, startedAt) {
      // `tracestate` is left out: it may hold any text.
      const parent = propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
      const attributes = { 'http.request.method': 'POST', 'http.route': `/${path}` };
      // By the wall clock, as other programs do, with fractions of milliseconds.
      const startTime = Date.now() - (performance.now() - startedAt);
      const span = tracer.startSpan(`POST /${path}`, { kind: SpanKind.SERVER, attributes, startTime }, parent);
      const endTime = () => startTime + (performance.now() - startedAt);
      return requestSpan(span, endTime, (work) => current.run(trace.setSpan(parent, span), work));
    },
    async child(name, attributes, work) {
      const parent = current.getStore();
      if (parent === undefined) return work({});
      const kind = 'http.request.method' in attributes ? SpanKind.CLIENT : SpanKind.INTERNAL;
      const span = tracer.startSpan(name, { kind, attributes }, parent);
      const headers = {};
      propagator.inject(trace.setSpan(parent, span), headers, defaultTextMapSetter);
      try {
        return await work(headers);
      } catch (error) {
        span.setAttribute('error.type', codeOf(error)).setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    event(name, attributes) {
      const context = current.getStore();
      if (context !== undefined) trace.getSpan(context)?.addEvent(name, attributes);
    },
  };
}

function requestSpan(span: Span, endTime: () => number, run: RequestSpan['run']): RequestSpan {
  const { traceId, spanId } = span.spanContext();
  const ids = { trace_id: traceId, span_id: spanId };
  return {
    run,
    ids,
    exemplar: span.isRecording() ? ids : undefined,
    end(decision) {
      if (span.isRecording()) {
        span.setAttributes(decision === undefined ? REJECTED : attributesOf(decision));
        if (decision === undefined || decision.outcome === 'error') span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end(endTime());
    },
  };
}

const REJECTED: Attributes = { 'http.response.status_code': 503, 'error.type': 'rejected' };

/** Returns the attributes of a decision. Group and kind are of the catalogue, since a review may name any text. */
function attributesOf({ outcome, request, subject, verdict }: Decision): Attributes {
  const rules = [...(verdict?.findings ?? []), ...(verdict?.indeterminate ?? []), ...(verdict?.crashes ?? [])];
  return {
    'http.response.status_code': 200,
    'muster.decision': outcome,
    ...(request && { 'muster.operation': request.operation, 'muster.dry_run': request.dryRun }),
    ...(subject && { 'muster.group': subject.dialect.group, 'muster.kind': subject.dialect.kind }),
    ...(subject?.subresource && { 'muster.subresource': subject.subresource }),
    ...(rules.length > 0 && { 'muster.rules': [...new Set(rules.map(({ ruleId }) => ruleId))] }),
    ...(outcome === 'error' && { 'error.type': 'internal' }),
  };
}

/** Returns the code of a ClusterError, one of a few words; `internal` for any other error. */
function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : 'internal';
}
