/** The spans of requests, with a tracer that keeps them in memory. */
import { afterEach, expect, test } from '@jest/globals';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { createTracing } from '../../../../src/server/tracing/spans.ts';
import { requestOf } from '../../../support/reviews.ts';
import { decisionOf, finding, verdict } from '../verdicts.ts';

const exporter = new InMemorySpanExporter();
const tracingWith = (ratio: number) =>
  createTracing(
    new BasicTracerProvider({
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    }).getTracer('test'),
  );
const tracing = tracingWith(1);
const ended = () =>
  exporter.getFinishedSpans().map(({ name, attributes, status, events, parentSpanContext }) => ({
    name,
    attributes,
    status: status.code,
    parent: parentSpanContext?.spanId,
    events: events.map((event) => [event.name, event.attributes]),
  }));
afterEach(() => exporter.reset());

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const traceparent = (flags: string) => `00-${TRACE}-${PARENT}-${flags}`;
const start = (header?: string, from = tracing) => from.start('validate', header, performance.now());

const denied = () => {
  const found = verdict({ outcome: 'denied', findings: [finding({ message: 'a secret of jane' })] });
  return decisionOf(requestOf(), { outcome: 'denied', verdict: found });
};

test.each([
  ['no header', undefined, 1, [undefined, true]],
  ['no header, and a ratio of 0', undefined, 0, [undefined, false]],
  ['a sampled parent', traceparent('01'), 0, [PARENT, true]],
  ['a parent that is not sampled', traceparent('00'), 1, [PARENT, false]],
  ['a header that is none', '00-1-2-01', 1, [undefined, true]],
  ['a header that came twice', `${traceparent('01')}, ${traceparent('01')}`, 1, [undefined, true]],
] as const)('%s', async (_, header, ratio, [parent, isSampled]) => {
  const from = tracingWith(ratio);
  const span = start(header, from);
  const sent = await span.run(() => from.child('GET leases', {}, async (headers) => headers));
  span.end(undefined);
  expect(span.exemplar).toEqual(isSampled ? span.ids : undefined);
  expect(span.ids).toEqual({
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
  expect(ended().map((each) => each.name)).toEqual(isSampled ? ['GET leases', 'POST /validate'] : []);
  if (isSampled) expect(ended().at(-1)?.parent).toBe(parent);
  // The decision about sampling goes on to the API server, in the trace of the parent.
  expect(sent['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
  expect(sent['traceparent']?.endsWith('01')).toBe(isSampled);
  if (parent !== undefined) expect(sent['traceparent']).toContain(TRACE);
});

test('a decision: its resource, operation, outcome and rules, and no text', () => {
  start().end(denied());
  const attributes = {
    'http.request.method': 'POST',
    'http.route': '/validate',
    'http.response.status_code': 200,
    'muster.decision': 'denied',
    'muster.operation': 'CREATE',
    'muster.dry_run': false,
    'muster.group': 'multicluster.x-k8s.io',
    'muster.kind': 'ClusterClaim',
    'muster.rules': ['claim/id-syntax'],
  };
  expect(ended()).toEqual([{ name: 'POST /validate', attributes, status: 0, parent: undefined, events: [] }]);
});

test('a review of another kind leaves no text of its caller in the span', () => {
  const text = 'text-of-the-caller';
  const gvk = { group: text, version: text, kind: text };
  const sent = { ...requestOf(), kind: gvk, resource: { group: text, version: text, resource: text }, name: text };
  const decision = decisionOf(sent, { outcome: 'skipped', verdict: undefined });
  expect(decision.subject).toBeUndefined();
  start().end(decision);
  expect(JSON.stringify(ended())).not.toContain(text);
});

test('a request without a decision is an error', () => {
  start().end(undefined);
  expect(ended()[0]).toMatchObject({ status: 2, attributes: { 'http.response.status_code': 503 } });
});

test('a call and an event belong to their own request, also of two at once; outside of a request there is no span', async () => {
  const one = start();
  const two = start();
  const call = (name: string) => async () => {
    await new Promise(setImmediate);
    tracing.event('lock', { outcome: name });
    return tracing.child(name, {}, async () => {});
  };
  await Promise.all([one.run(call('first')), two.run(call('second')), call('none')()]);
  one.end(undefined);
  two.end(undefined);
  const spans = exporter.getFinishedSpans();
  const idOf = (label: (typeof one)['exemplar']) => label?.span_id;
  expect(spans.map(({ name, parentSpanContext }) => [name, parentSpanContext?.spanId])).toEqual([
    ['first', idOf(one.exemplar)],
    ['second', idOf(two.exemplar)],
    ['POST /validate', undefined],
    ['POST /validate', undefined],
  ]);
  expect(ended().flatMap(({ events }) => events)).toEqual([
    ['lock', { outcome: 'first' }],
    ['lock', { outcome: 'second' }],
  ]);
});

test('a failed call has the code of its error, and fails as before', async () => {
  const failure = Object.assign(new Error('the API server says: jane'), { code: 'forbidden' });
  const span = start();
  const call = span.run(() => tracing.child('GET leases', {}, () => Promise.reject(failure)));
  await expect(call).rejects.toBe(failure);
  expect(ended()).toMatchObject([{ attributes: { 'error.type': 'forbidden' }, status: 2, events: [] }]);
});
