/** What a scan leaves behind: Events, reports, metrics; each bounded, whatever was found. */
import { describe, expect, test } from '@jest/globals';
import type { CheckFinding, CheckReport, CheckResult } from '../../../src/cli/output/report.ts';
import { reportOf } from '../../../src/cli/output/report.ts';
import { writeEvents } from '../../../src/cli/scan/events.ts';
import { exposition } from '../../../src/cli/scan/exposition.ts';
import type { Met } from '../../../src/cli/scan/met.ts';
import { clusterReport, MOST_RESULTS, namespaceReports } from '../../../src/cli/scan/openreports.ts';
import { progressOn } from '../../../src/cli/scan/progress.ts';
import { writeReports } from '../../../src/cli/scan/reports.ts';
import type { ApiClient, ApiRequest } from '../../../src/cluster/live/client.ts';
import { ClusterError } from '../../../src/cluster/live/errors.ts';
import { NOW } from '../world.ts';

const finding = (more: Partial<CheckFinding> = {}): CheckFinding => ({
  ruleId: 'claim/reserved-name',
  level: 'MUST',
  action: 'deny',
  field: 'metadata.name',
  message: 'is reserved',
  line: 1,
  column: 1,
  ...more,
});
const met = (name: string, more: Partial<CheckResult> = {}): Met => ({
  uid: `uid-${name}`,
  result: {
    file: name,
    line: 1,
    column: 1,
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterClaim',
    namespace: '',
    name,
    operation: 'SCAN',
    subresource: '',
    outcome: 'denied',
    findings: [finding()],
    ...more,
  },
});
const many = (count: number, more: Partial<CheckResult> = {}) =>
  Array.from({ length: count }, (_, index) => met(`o-${index}`, more));

function clientOf(answer: (request: ApiRequest) => object): { client: ApiClient; calls: ApiRequest[] } {
  const calls: ApiRequest[] = [];
  const call: ApiClient['call'] = async (request) => {
    calls.push(request);
    return { status: 200, body: answer(request) as never, date: undefined };
  };
  return { client: { server: '', namespace: '', call, close: () => undefined }, calls };
}
const missing = () => new ClusterError('not-found', 'gone', { status: 404, absent: 'object' });

describe('Events', () => {
  test('at most 100, what is denied first; the rest is said', async () => {
    const { client, calls } = clientOf(() => ({}));
    const warned = many(60, { outcome: 'allowed', findings: [finding({ action: 'warn' })] });
    const { errors, notes } = await writeEvents(
      client,
      [...warned, ...many(70, { kind: 'Feature', namespace: 'a' })],
      NOW,
    );
    expect(errors).toEqual([]);
    expect(notes).toEqual(['note: 30 more objects have findings, and no Event of this scan']);
    expect(calls).toHaveLength(100);
    expect(calls.slice(0, 70).every(({ path }) => path.includes('/namespaces/a/events/'))).toBe(true);
    expect(new Set(calls.map(({ path }) => path)).size).toBe(100);
  });

  test('one that is gone is made anew; what is clean or audited has none', async () => {
    const { client, calls } = clientOf(({ method }) => {
      if (method === 'PATCH') throw missing();
      return {};
    });
    const audited = met('quiet', { outcome: 'allowed', findings: [finding({ action: 'audit' })] });
    await writeEvents(client, [met('a'), audited, met('clean', { findings: [] })], NOW);
    expect(calls.map(({ method }) => method)).toEqual(['PATCH', 'POST']);
    expect(calls[1]?.body).toMatchObject({
      type: 'Warning',
      metadata: { namespace: 'default' },
      involvedObject: { kind: 'ClusterClaim', name: 'a', uid: 'uid-a' },
      message: '[claim/reserved-name] metadata.name: is reserved',
      lastTimestamp: '2026-06-01T12:00:00Z',
    });
  });

  test('a long message is cut, and the text of users escaped', async () => {
    const { client, calls } = clientOf(() => ({}));
    const findings = Array.from({ length: 99 }, () => finding({ message: `\u001b[31m${'x'.repeat(100)}` }));
    await writeEvents(client, [met('a', { findings })], NOW);
    const { message } = (calls[0]?.body ?? {}) as { message: string };
    expect(message.length).toBeLessThanOrEqual(1024);
    expect(message).not.toContain('\u001b');
  });

  test('what is refused three times is refused for good, and told once', async () => {
    const { client, calls } = clientOf(() => {
      throw new ClusterError('forbidden', 'no', { status: 403 });
    });
    const { errors } = await writeEvents(client, many(5), NOW);
    expect(calls).toHaveLength(3);
    expect(errors).toEqual([
      {
        file: 'events',
        line: 1,
        column: 1,
        message: 'no: give the right to create and patch events (muster manifests --only scan)',
      },
    ]);
  });

  test('a namespace in which Events may not be written is asked once, noted, and in nobody’s way', async () => {
    const { client, calls } = clientOf(({ path }) => {
      if (/\/namespaces\/[ab]\//.test(path)) throw new ClusterError('forbidden', 'no', { status: 403 });
      return {};
    });
    const objects = ['a', 'b', 'c', 'a'].flatMap((namespace) => many(5, { namespace }));
    const { errors, notes } = await writeEvents(client, [...objects, ...many(5)], NOW);
    expect(errors).toEqual([]);
    expect(notes).toEqual([
      'note: no Event for 15 objects in a, b: this account may not write Events there; bind the ClusterRole muster-scan-events to it in these namespaces (docs/scan.md)',
    ]);
    expect(calls).toHaveLength(12);
  });

  test('a namespace on its way out takes no Event, and that is no error', async () => {
    const ending = 'unable to create new content in namespace a because it is being terminated';
    const { client, calls } = clientOf(({ path }) => {
      if (path.includes('/namespaces/a/')) throw new ClusterError('forbidden', ending, { status: 403 });
      return {};
    });
    const objects = [...many(5, { namespace: 'a' }), ...many(5, { namespace: 'b' })];
    expect(await writeEvents(client, objects, NOW)).toEqual({ errors: [], notes: [] });
    expect(calls).toHaveLength(10);
  });
});

describe('reports', () => {
  test('what has no namespace, with what could not be scanned', () => {
    const error = { file: 'features', line: 1, column: 1, message: 'forbidden' };
    const report = clusterReport(
      [met('a'), met('b', { findings: [], outcome: 'allowed' }), met('c', { namespace: 'n' })],
      [error],
      NOW,
    );
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

  test('bounded, and counted whole', () => {
    const report = clusterReport(many(700), [], NOW) as unknown as { summary: { fail: number }; results: unknown[] };
    expect([report.summary.fail, report.results.length]).toEqual([700, MOST_RESULTS]);
    expect(JSON.stringify(report).length).toBeLessThan(1_000_000);
  });

  test('a namespace with findings has one, the weightiest first', () => {
    const warned = met('w', {
      namespace: 'warned',
      outcome: 'allowed',
      findings: [finding({ action: 'warn', level: 'SHOULD' })],
    });
    const unknown = met('u', {
      namespace: 'unknown',
      outcome: 'indeterminate',
      findings: [finding({ outcome: 'indeterminate' })],
    });
    const reports = namespaceReports(
      [warned, unknown, met('d', { namespace: 'denied' }), met('x'), met('c', { namespace: 'clean', findings: [] })],
      NOW,
    );
    expect(reports.map(({ metadata, summary }) => [metadata.namespace, summary])).toEqual([
      ['denied', { pass: 0, fail: 1, warn: 0, error: 0, skip: 0 }],
      ['unknown', { pass: 0, fail: 0, warn: 0, error: 1, skip: 0 }],
      ['warned', { pass: 0, fail: 0, warn: 1, error: 0, skip: 0 }],
    ]);
  });

  test('at most 200 are written; ours of clean namespaces go, others stay', async () => {
    const list = ['clean', 'n-1'].map((namespace) => ({ metadata: { name: 'muster-scan', namespace } }));
    const { client, calls } = clientOf(({ method }) =>
      method === 'GET' ? { items: [...list, { metadata: { name: 'theirs', namespace: 'x' } }] } : {},
    );
    const objects = Array.from({ length: 250 }, (_, index) => met(`o-${index}`, { namespace: `n-${index}` }));
    const { notes } = await writeReports(client, { objects, errors: [], now: NOW });
    expect(notes).toEqual(['note: 50 more namespaces have findings, and no Report of this scan']);
    expect(calls.filter(({ method }) => method === 'PATCH')).toHaveLength(201);
    expect(calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([
      '/apis/openreports.io/v1alpha1/namespaces/clean/reports/muster-scan',
    ]);
  });

  test('after a scan that could not read all, none is taken away', async () => {
    const { client, calls } = clientOf(() => ({ items: [{ metadata: { name: 'muster-scan', namespace: 'a' } }] }));
    await writeReports(client, { objects: [], errors: [{ file: 'x', line: 1, column: 1, message: 'y' }], now: NOW });
    expect(calls.map(({ method }) => method)).toEqual(['PATCH']);
  });
});

describe('metrics', () => {
  const report: CheckReport = reportOf({
    results: [met('a').result, met('b').result, met('c', { findings: [], outcome: 'allowed' }).result],
    errors: [{ file: 'x', line: 1, column: 1, message: 'y' }],
    skipped: 0,
  });

  test('of the last scan, as OpenMetrics: each family once, HELP and TYPE before its samples, an end', () => {
    const text = exposition({ complete: 2, incomplete: 1, last: { report, endedAt: NOW, milliseconds: 1500 } });
    const lines = text.trimEnd().split('\n');
    expect(lines.at(-1)).toBe('# EOF');
    const types = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2]);
    expect(new Set(types).size).toBe(types.length);
    for (const line of lines.slice(0, -1))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[\w/-]+"(,\w+="[\w/-]+")*\})? [\d.]+)$/);
    expect(lines).toContain('muster_scan_runs_total{outcome="incomplete"} 1');
    expect(lines).toContain('muster_scan_objects{dialect="cluster-claim",outcome="denied"} 2');
    expect(lines).toContain('muster_scan_findings{rule="claim/reserved-name",action="deny"} 2');
    expect(lines).toContain('muster_scan_errors 1');
    expect(lines).toContain('muster_scan_duration_seconds 1.5');
  });

  test('before the first scan there is nothing to tell of one', () => {
    expect(exposition({ complete: 0, incomplete: 0 })).not.toContain('muster_scan_objects');
  });
});

describe('progress', () => {
  test('is the sum over all kinds, and of none where there is no line', () => {
    const shown: string[] = [];
    const progress = progressOn({ show: (text) => void shown.push(text()), end: () => undefined });
    progress?.tell('a', 100, 900);
    progress?.tell('b', 50, undefined);
    progress?.tell('a', 1000, 0);
    expect(shown).toEqual([
      'scanning a: 100 of at least 1000 objects',
      'scanning b: 150 of at least 1050 objects',
      'scanning a: 1050 objects',
    ]);
    expect(progressOn(undefined)).toBeUndefined();
  });
});
