/** What a scan writes into a cluster: Events and reports, each bounded, whatever was found. */
import { describe, expect, test } from '@jest/globals';
import { writeEvents } from '../../../../src/cli/scan/events.ts';
import { writeOpenReports } from '../../../../src/cli/scan/openreports.ts';
import type { ApiClient, ApiRequest } from '../../../../src/cluster/live/client.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';
import { type Entry, NOWHERE } from '../../../../src/evaluation/results.ts';
import type { PlacedMessage } from '../../../../src/input/place.ts';
import type { CheckResult } from '../../../../src/report/report.ts';
import { NOW } from '../../../support/command-line.ts';
import { finding, resultOf } from './fixtures.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it is about, and fails where they are not.
type Any = any;
const object = (name: string, more: Partial<CheckResult> = {}): Entry => ({
  uid: `uid-${name}`,
  result: resultOf(name, more),
  position: NOWHERE,
});
const many = (count: number, more: Partial<CheckResult> = {}) =>
  Array.from({ length: count }, (_, index) => object(`o-${index}`, more));

function clientOf(answer: (request: ApiRequest) => object): { client: ApiClient; calls: ApiRequest[] } {
  const calls: ApiRequest[] = [];
  const call: ApiClient['call'] = async (request) => {
    calls.push(request);
    const body = answer(request) as never;
    return { body, date: undefined };
  };
  return { client: { server: '', namespace: '', call, close: () => undefined }, calls };
}
const missing = () => new ClusterError('not-found', 'gone', { status: 404, absent: 'object' });
/** Answers 429 once to each of the methods. */
function refusingFirst(...methods: readonly string[]) {
  const left = new Set(methods);
  return ({ method }: ApiRequest): object => {
    if (left.delete(method)) throw new ClusterError('unavailable', 'too many requests', { status: 429 });
    return { items: [{ metadata: { name: 'muster-scan', namespace: 'clean' } }] };
  };
}

describe('Events', () => {
  test('at most 100 are written, denied objects first; a note counts the rest', async () => {
    const { client, calls } = clientOf(() => ({}));
    const warned = many(60, { outcome: 'allowed', findings: [finding({ action: 'warn' })] });
    const objects = [...warned, ...many(70, { kind: 'Feature', namespace: 'a' })];
    const notes = ['30 more objects have findings, but no Event from this scan'];
    expect(await writeEvents(client, objects, NOW)).toEqual({ errors: [], notes });
    expect(calls).toHaveLength(100);
    expect(calls.slice(0, 70).every(({ path }) => path.includes('/namespaces/a/events/'))).toBe(true);
    expect(new Set(calls.map(({ path }) => path)).size).toBe(100);
  });

  test('an Event that has expired is created again; clean and audited objects have none', async () => {
    const { client, calls } = clientOf(({ method }) => {
      if (method === 'PATCH') throw missing();
      return {};
    });
    const audited = object('audited', { outcome: 'allowed', findings: [finding({ action: 'audit' })] });
    await writeEvents(client, [object('a'), audited, object('clean', { findings: [] })], NOW);
    expect(calls.map(({ method }) => method)).toEqual(['PATCH', 'POST']);
    expect(calls[1]?.body).toMatchObject({
      type: 'Warning',
      metadata: { namespace: 'default' },
      involvedObject: { kind: 'ClusterClaim', name: 'a', uid: 'uid-a' },
      message: '[claim/reserved-name] metadata.name: is reserved',
      lastTimestamp: '2026-06-01T12:00:00Z',
    });
  });

  test('a long message is cut, and control characters are escaped', async () => {
    const { client, calls } = clientOf(() => ({}));
    const findings = Array.from({ length: 99 }, () => finding({ message: `\u001b[31m${'x'.repeat(100)}` }));
    await writeEvents(client, [object('a', { findings })], NOW);
    const { message } = (calls[0]?.body ?? {}) as { message: string };
    expect(message.length).toBeLessThanOrEqual(1024);
    expect(message).not.toContain('\u001b');
  });

  test('one that is refused for a moment, as by a limit of their rate, is written again', async () => {
    const { client, calls } = clientOf(refusingFirst('PATCH'));
    expect(await writeEvents(client, many(2), NOW)).toEqual({ errors: [], notes: [] });
    expect(calls.map(({ path }) => path)).toEqual([calls[0]?.path, calls[0]?.path, calls[2]?.path]);
  });

  test('one that was created although no answer came is updated', async () => {
    let isCreated = false;
    const { client, calls } = clientOf(({ method }) => {
      if (method === 'PATCH' && !isCreated) throw missing();
      if (method === 'PATCH') return {};
      if (isCreated) throw new ClusterError('conflict', 'exists', { status: 409 });
      isCreated = true;
      throw new ClusterError('unavailable', 'no answer of etcd', { status: 504 });
    });
    expect(await writeEvents(client, many(1), NOW)).toEqual({ errors: [], notes: [] });
    expect(calls.map(({ method }) => method)).toEqual(['PATCH', 'POST', 'POST', 'PATCH']);
  });

  test('after three failures no more are tried, and one cause is one error', async () => {
    const { client, calls } = clientOf(() => {
      throw new ClusterError('forbidden', 'no', { status: 403 });
    });
    const { errors } = await writeEvents(client, many(5), NOW);
    expect(calls).toHaveLength(3);
    const message = 'no: give the right to create and patch events (muster manifests --only scan)';
    expect(errors).toEqual([{ about: 'events', message }]);
  });

  test('a namespace in which Events are forbidden is tried once and noted; the others get theirs', async () => {
    const { client, calls } = clientOf(({ path }) => {
      if (/\/namespaces\/[ab]\//.test(path)) throw new ClusterError('forbidden', 'no', { status: 403 });
      return {};
    });
    const objects = ['a', 'b', 'c', 'a'].flatMap((namespace) => many(5, { namespace }));
    const { errors, notes } = await writeEvents(client, [...objects, ...many(5)], NOW);
    expect(errors).toEqual([]);
    expect(notes).toEqual([
      expect.stringMatching(/^no Event for 15 objects in a, b: .* bind the ClusterRole muster-scan-events to it/),
    ]);
    expect(calls).toHaveLength(12);
    const one = await writeEvents(client, many(1, { namespace: 'a' }), NOW);
    expect(one.notes).toEqual([expect.stringMatching(/^no Event for 1 object in a: /)]);
  });

  test.each([
    ['is being deleted', 'forbidden', 'unable to create new content in namespace a because it is being terminated'],
    ['is deleted', 'not-found', 'namespaces "a" not found'],
  ] as const)('a namespace that %s takes no Event, which is no error', async (_, code, message) => {
    const { client, calls } = clientOf(({ path }) => {
      if (path.includes('/namespaces/a/')) throw new ClusterError(code, message);
      return {};
    });
    const objects = [...many(5, { namespace: 'a' }), ...many(5, { namespace: 'b' })];
    expect(await writeEvents(client, objects, NOW)).toEqual({ errors: [], notes: [] });
    expect(calls.filter(({ path }) => path.includes('/namespaces/b/'))).toHaveLength(5);
  });
});

describe('reports', () => {
  /** The reports that are written. */
  async function reportsOf(objects: readonly Entry[], errors: readonly PlacedMessage[] = []): Promise<Any[]> {
    const { client, calls } = clientOf(() => ({ items: [] }));
    await writeOpenReports(client, { entries: objects, errors }, NOW);
    return calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
  }

  test('the ClusterReport has cluster-scoped objects, and what could not be scanned', async () => {
    const error = { about: 'features', message: 'forbidden' };
    const clean = object('b', { findings: [], outcome: 'allowed' });
    const [report] = await reportsOf([object('a'), clean, object('c', { namespace: 'n' })], [error]);
    expect(report).toMatchObject({
      apiVersion: 'openreports.io/v1alpha1',
      kind: 'ClusterReport',
      metadata: { name: 'muster-scan' },
      summary: { pass: 1, fail: 1, warn: 0, error: 1, skip: 0 },
      results: [
        { policy: 'scan', result: 'error', message: 'features: forbidden' },
        { policy: 'claim/reserved-name', category: 'claim', severity: 'high', result: 'fail', scored: true },
      ],
    });
  });

  test('a report counts all findings and lists 500', async () => {
    const [report] = await reportsOf(many(700));
    expect([report?.summary.fail, report?.results.length]).toEqual([700, 500]);
    expect(JSON.stringify(report).length).toBeLessThan(1_000_000);
    const errors = Array.from({ length: 600 }, (_, index) => ({ about: `object ${index}`, message: 'unread' }));
    const [failed] = await reportsOf(many(700), errors);
    expect([failed?.summary.error, failed?.results.length]).toEqual([600, 500]);
  });

  test('each namespace with findings has a Report, the worst first', async () => {
    const [, ...reports] = await reportsOf([
      object('w', { namespace: 'warned', outcome: 'allowed', findings: [finding({ action: 'warn' })] }),
      object('u', {
        namespace: 'unknown',
        outcome: 'indeterminate',
        findings: [finding({ outcome: 'indeterminate' })],
      }),
      object('d', { namespace: 'denied' }),
      object('x'),
      object('c', { namespace: 'clean', findings: [] }),
    ]);
    expect(reports.map(({ metadata, summary }) => [metadata.namespace, summary])).toEqual([
      ['denied', { pass: 0, fail: 1, warn: 0, error: 0, skip: 0 }],
      ['unknown', { pass: 0, fail: 0, warn: 0, error: 1, skip: 0 }],
      ['warned', { pass: 0, fail: 0, warn: 1, error: 0, skip: 0 }],
    ]);
  });

  test('at most 200 Reports are written; ours of clean namespaces are deleted, those of others stay', async () => {
    const list = ['clean', 'n-1'].map((namespace) => ({ metadata: { name: 'muster-scan', namespace } }));
    const { client, calls } = clientOf(({ method }) =>
      method === 'GET' ? { items: [...list, { metadata: { name: 'theirs', namespace: 'x' } }] } : {},
    );
    const objects = Array.from({ length: 250 }, (_, index) => object(`o-${index}`, { namespace: `n-${index}` }));
    const { notes } = await writeOpenReports(client, { entries: objects, errors: [] }, NOW);
    expect(notes).toEqual(['50 more namespaces have findings, but no Report from this scan']);
    expect(calls.filter(({ method }) => method === 'PATCH')).toHaveLength(201);
    expect(calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([
      '/apis/openreports.io/v1alpha1/namespaces/clean/reports/muster-scan',
    ]);
  });

  test('one that is refused for a moment is written, or deleted, again', async () => {
    const { client, calls } = clientOf(refusingFirst('PATCH', 'DELETE'));
    expect(await writeOpenReports(client, { entries: [], errors: [] }, NOW)).toEqual({ errors: [], notes: [] });
    expect(calls.map(({ method }) => method)).toEqual(['PATCH', 'PATCH', 'GET', 'DELETE', 'DELETE']);
  });

  test('one is written once where nothing can be reached, as the scan of each such cluster ends with it', async () => {
    const { client, calls } = clientOf(() => {
      throw new ClusterError('unreachable', 'refused');
    });
    const { errors } = await writeOpenReports(client, { entries: [], errors: [{ message: 'refused' }] }, NOW);
    expect([errors.length, calls.length]).toEqual([1, 1]);
  });

  test('after a scan that could not read all, none is deleted', async () => {
    const { client, calls } = clientOf(() => ({ items: [{ metadata: { name: 'muster-scan', namespace: 'a' } }] }));
    await writeOpenReports(client, { entries: [], errors: [{ file: 'x', line: 1, column: 1, message: 'y' }] }, NOW);
    expect(calls.map(({ method }) => method)).toEqual(['PATCH']);
  });
});
