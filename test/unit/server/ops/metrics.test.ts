import { describe, expect, jest, test } from '@jest/globals';
import { defaultPolicy, type Policy } from '../../../../src/engine/index.ts';
import { crashed, evaluated } from '../../../../src/server/admission/respond.ts';
import type { Bound } from '../../../../src/server/limits.ts';
import type { Decision } from '../../../../src/server/observer.ts';
import { createMetrics, type Metrics, memoryBounds } from '../../../../src/server/ops/metrics.ts';
import { type Fields, inventory, inventoryRequest, requestOf, UID } from '../../../support/reviews.ts';
import { crash, decisionOf, finding, request, unknown, verdict, warning } from '../verdicts.ts';

const NOW = 1_000_000;

function metricsOf(policy: Partial<Policy> = {}, tracing = false, clock = () => NOW): Metrics {
  return createMetrics({
    version: '1.2.3',
    policy: () => ({ ...defaultPolicy, ...policy }),
    certificate: () => ({ end: 90_000, due: 80_000, refused: false }),
    clock,
    process: false,
    tracing,
  });
}

/** The samples of a metric that are not zero, without histogram buckets. */
async function samples(metrics: Metrics, name: string): Promise<string[]> {
  const lines = (await metrics.text()).text.split('\n');
  return lines.filter((line) => line.startsWith(name) && !line.includes('_bucket') && !line.endsWith(' 0'));
}

test('an exemplar of a traced request, in OpenMetrics alone', async () => {
  const metrics = metricsOf({}, true);
  const exemplar = { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' };
  metrics.decided(decisionOf(requestOf()), 3);
  metrics.decided(decisionOf(requestOf()), 30, exemplar);
  const linesIn = async (accept: string) =>
    (await metrics.text(accept)).text.split('\n').filter((line) => /^muster_decision_.*_bucket.*validate/.test(line));
  const open = await linesIn('application/openmetrics-text');
  const labels = `trace_id="${exemplar.trace_id}",span_id="${exemplar.span_id}"`;
  const [marked, ...others] = open.filter((line) => line.includes('#'));
  expect(marked).toContain(`le="0.05",path="validate"} 2 # {${labels}} 0.03 `);
  expect(others).toEqual([]);
  expect(await linesIn('')).toEqual(open.map((line) => line.split(' # ')[0]));
});

test('OpenMetrics for a scraper that asks for it, else the plain text format; also one after the other', async () => {
  const metrics = metricsOf();
  for (let n = 0; n < 2; n++) {
    const open = await metrics.text('application/openmetrics-text;version=1.0.0;q=0.6,text/plain;q=0.5');
    expect(open.contentType).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(open.text).toMatch(/# TYPE muster_decisions counter\nmuster_decisions_total\{[\s\S]*# EOF\n$/);
    const plain = await metrics.text('text/plain');
    expect(plain.contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(plain.text).toMatch(
      /# HELP muster_decisions_total .*\n# TYPE muster_decisions_total counter\nmuster_decisions_total\{/,
    );
    expect(plain.text).not.toContain('# EOF');
  }
});

test('a scrape shows the last known memory where no more files can be opened', async () => {
  const metrics = metricsOf();
  metrics.watch({ requestsInFlight: () => 0, bounds: memoryBounds });
  const [before] = await samples(metrics, 'muster_memory_bytes');
  const error = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  const rss = jest.spyOn(process.memoryUsage, 'rss').mockImplementation(() => {
    throw error;
  });
  expect(await samples(metrics, 'muster_memory_bytes')).toEqual([before]);
  rss.mockRestore();
});

test('process metrics are there unless declined', async () => {
  const whole = createMetrics({ version: '1', policy: () => defaultPolicy });
  expect(await samples(whole, 'process_resident_memory_bytes')).toHaveLength(1);
});

test('the version, and series from zero on, so that a rate sees the first of a kind', async () => {
  const { text } = await metricsOf().text();
  expect(text).toContain(`muster_build_info{version="1.2.3",node_version="${process.version}"} 1\n`);
  for (const series of [
    'muster_decisions_total{path="validate",resource="features.features.x-k8s.io",operation="DELETE",outcome="denied",dry_run="false"}',
    'muster_findings_total{rule="claim/value",action="deny",dry_run="false"}',
    'muster_indeterminate_total{rule="claim/value"}',
    'muster_crashes_total{rule="none"}',
    'muster_decision_duration_seconds_count{path="mutate"}',
    'muster_requests_rejected_total{cause="evaluations"}',
    'muster_internal_errors_total{source="evaluation"}',
    'muster_certificate_reloads_total{outcome="refused"}',
  ]) {
    expect(text).toContain(`${series} 0\n`);
  }
});

test('bounds: one gauge for what is held and one for its limit, with the unit at the end', async () => {
  const metrics = metricsOf();
  const bounds = (): readonly Bound[] => [
    { name: 'connections', held: 3, limit: 1024 },
    { name: 'body_bytes', held: 5, limit: 9 },
  ];
  metrics.watch({ requestsInFlight: () => 0, bounds });
  expect(await samples(metrics, 'muster_connections')).toEqual([
    'muster_connections 3',
    'muster_connections_limit 1024',
  ]);
  expect(await samples(metrics, 'muster_body')).toEqual(['muster_body_bytes 5', 'muster_body_limit_bytes 9']);
});

test('the last reload of the configuration: whether it succeeded, and when the last good one was', async () => {
  let now = NOW;
  const metrics = metricsOf({}, false, () => now);
  const last = () => samples(metrics, 'muster_config_last_reload');
  const at = (seconds: number) => `muster_config_last_reload_success_timestamp_seconds ${seconds}`;
  expect(await last()).toEqual(['muster_config_last_reload_successful 1', at(1000)]);
  now += 60_000;
  metrics.configurationReload('refused');
  expect(await last()).toEqual([at(1000)]);
  now += 60_000;
  metrics.configurationReload('applied');
  expect(await last()).toEqual(['muster_config_last_reload_successful 1', at(1120)]);
});

test('decisions and their time', async () => {
  const metrics = metricsOf();
  metrics.decided(decisionOf(requestOf()), 3);
  metrics.decided(decisionOf(requestOf({ operation: 'CONNECT' }), { outcome: 'skipped', verdict: undefined }), 1);
  metrics.decided(decisionOf({}, { outcome: 'unreadable', path: 'mutate', verdict: undefined }), 1);
  expect(await samples(metrics, 'muster_decisions_total')).toEqual([
    'muster_decisions_total{path="validate",resource="clusterclaims.multicluster.x-k8s.io",operation="CREATE",outcome="allowed",dry_run="false"} 1',
    'muster_decisions_total{path="validate",resource="none",operation="CONNECT",outcome="skipped",dry_run="false"} 1',
    'muster_decisions_total{path="mutate",resource="none",operation="none",outcome="unreadable",dry_run="false"} 1',
  ]);
  expect(await samples(metrics, 'muster_decision_duration_seconds_sum')).toEqual([
    'muster_decision_duration_seconds_sum{path="validate"} 0.004',
    'muster_decision_duration_seconds_sum{path="mutate"} 0.001',
  ]);
});

test('dry runs are counted apart from writes', async () => {
  const metrics = metricsOf();
  const whole = verdict({ findings: [finding()] });
  const over = { outcome: 'denied', verdict: whole } as const;
  metrics.decided(decisionOf(requestOf({ dryRun: true }), over), 1);
  metrics.decided(decisionOf(requestOf(), over), 1);
  for (const name of ['muster_decisions_total', 'muster_findings_total']) {
    const counted = (await samples(metrics, name)).map((line) => line.replace(/.*(dry_run="\w+")/, '$1'));
    expect(counted.sort()).toEqual(['dry_run="false"} 1', 'dry_run="true"} 1']);
  }
});

test('findings, unknowns and crashes by rule', async () => {
  const metrics = metricsOf();
  const whole = verdict({
    findings: [finding(), finding(), warning()],
    indeterminate: [unknown],
    silentUnknowns: ['claim/clusterset-requires-id'],
    crashes: [crash()],
  });
  metrics.decided(decisionOf(requestOf(), { verdict: whole }), 1);
  const failure = { reference: 'x', error: new Error('x') };
  metrics.decided(decisionOf(requestOf(), { failure, response: crashed(UID, 'x'), verdict: undefined }), 1);
  expect(await samples(metrics, 'muster_findings_total')).toEqual([
    'muster_findings_total{rule="claim/id-syntax",action="deny",dry_run="false"} 2',
    'muster_findings_total{rule="claim/id-length",action="warn",dry_run="false"} 1',
  ]);
  expect(await samples(metrics, 'muster_indeterminate_total')).toEqual([
    'muster_indeterminate_total{rule="claim/id-present-in-clusterset"} 1',
  ]);
  expect(await samples(metrics, 'muster_unknowns_ignored_total')).toEqual([
    'muster_unknowns_ignored_total{rule="claim/clusterset-requires-id"} 1',
  ]);
  expect(await samples(metrics, 'muster_crashes_total')).toEqual([
    'muster_crashes_total{rule="claim/value"} 1',
    'muster_crashes_total{rule="none"} 1',
  ]);
});

test('what would deny in mode enforce is counted apart from what only warns', async () => {
  const metrics = metricsOf();
  const findings = [finding({ action: 'warn', wouldDeny: true }), warning()];
  metrics.decided(decisionOf(requestOf(), { verdict: verdict({ findings }) }), 1);
  expect(await samples(metrics, 'muster_would_deny_total')).toEqual([
    'muster_would_deny_total{rule="claim/id-syntax",dry_run="false"} 1',
  ]);
});

test('requests in flight and rejected, reloads', async () => {
  const metrics = metricsOf();
  metrics.watch({ requestsInFlight: () => 1, bounds: () => [] });
  metrics.requestRejected('evaluations');
  metrics.configurationReload('applied');
  metrics.certificateReload('refused');
  expect(await samples(metrics, 'muster_requests')).toEqual([
    'muster_requests_rejected_total{cause="evaluations"} 1',
    'muster_requests_in_flight 1',
  ]);
  expect(await samples(metrics, 'muster_configuration_reloads')).toEqual([
    'muster_configuration_reloads_total{outcome="applied"} 1',
  ]);
  expect(await samples(metrics, 'muster_certificate')).toEqual([
    'muster_certificate_expiry_timestamp_seconds 90',
    'muster_certificate_due_timestamp_seconds 80',
    'muster_certificate_last_reload_successful 1',
    'muster_certificate_reloads_total{outcome="refused"} 1',
  ]);
});

test('exceptions that have expired or end soon are counted at the time of the scrape', async () => {
  const exception = { rules: new Set(['claim/value']), apiGroup: 'g', kind: 'K', name: 'n', reason: 'r' };
  const fortnight = 14 * 24 * 60 * 60 * 1000;
  const ends = [NOW - 1, NOW, NOW + 1, NOW + fortnight, NOW + fortnight + 1, NOW + fortnight * 2];
  const exceptions = ends.map((expires) => ({ ...exception, expires }));
  expect(await samples(metricsOf({ exceptions }), 'muster_expired_exceptions')).toEqual([
    'muster_expired_exceptions 2',
  ]);
  expect(await samples(metricsOf({ exceptions }), 'muster_exceptions_ending_soon')).toEqual([
    'muster_exceptions_ending_soon 2',
  ]);
});

describe('status writes of an inventory', () => {
  const managers = new Map([['some-manager', [{ user: 'mgr' }]]]);
  const { settings } = defaultPolicy;
  const configured = { settings: { ...settings, inventory: { managers } } };
  const write = (over: Fields = {}, object: Fields = inventory) =>
    inventoryRequest(object, { operation: 'UPDATE', oldObject: object, subResource: 'status', ...over });
  const refused = evaluated(request, verdict({ outcome: 'denied', findings: [finding()] }));

  test('are counted by configured manager', async () => {
    const metrics = metricsOf(configured);
    metrics.decided(decisionOf(write()), 1);
    metrics.decided(decisionOf(write()), 1);
    expect(await samples(metrics, 'muster_inventory_status_writes_total')).toEqual([
      'muster_inventory_status_writes_total{manager="some-manager"} 2',
    ]);
  });

  test.each<[string, Partial<Policy>, Fields, Partial<Decision>]>([
    [
      'a manager nobody configured',
      configured,
      write({}, { ...inventory, spec: { clusterManager: { name: 'constructor' } } }),
      {},
    ],
    ['no manager configured', {}, write(), {}],
    ['a dry run', configured, write({ dryRun: true }), {}],
    ['the main resource', configured, write({ subResource: '' }), {}],
    ['a refused write', configured, write(), { response: refused, outcome: 'denied' }],
    ['the mutating path', configured, write(), { path: 'mutate' }],
    [
      'a claim',
      configured,
      requestOf({ operation: 'UPDATE', oldObject: inventory, object: inventory, subResource: 'status' }),
      {},
    ],
  ])('%s is not', async (_, policy, sent, over) => {
    const metrics = metricsOf(policy);
    metrics.decided(decisionOf(sent, over), 1);
    expect(await samples(metrics, 'muster_inventory_status_writes_total')).toEqual([]);
  });
});

describe('writes of inventory objects above the rate', () => {
  const NAME = 'muster_inventory_writes_above_rate_total';
  const managers = new Map([['some-manager', [{ user: 'mgr' }]]]);
  const configured = { settings: { ...defaultPolicy.settings, inventory: { managers } } };
  const update = (over: Fields = {}) =>
    inventoryRequest(inventory, { operation: 'UPDATE', oldObject: inventory, ...over });
  const refused = evaluated(request, verdict({ outcome: 'denied', findings: [finding()] }));
  /** Two writes more than a burst. */
  const twelve = (metrics: Metrics, sent: Fields, over: Partial<Decision> = {}) => {
    for (let i = 0; i < 12; i += 1) metrics.decided(decisionOf(sent, over), 1);
  };

  test('are counted by configured manager, those of the object and of its status together', async () => {
    const metrics = metricsOf(configured);
    metrics.decided(decisionOf(inventoryRequest(inventory)), 1);
    twelve(metrics, update({ subResource: 'status' }));
    expect(await samples(metrics, NAME)).toEqual([`${NAME}{manager="some-manager"} 3`]);
  });

  test('are counted for each object of its own', async () => {
    const metrics = metricsOf(configured);
    for (let i = 0; i < 12; i += 1) {
      const metadata = { ...(inventory['metadata'] as Fields), name: `cluster-${i}` };
      metrics.decided(decisionOf(inventoryRequest({ ...inventory, metadata })), 1);
    }
    expect(await samples(metrics, NAME)).toEqual([]);
  });

  test('have no label of a manager that nobody configured', async () => {
    const metrics = metricsOf({});
    twelve(metrics, update());
    expect(await samples(metrics, NAME)).toEqual([`${NAME}{manager="other"} 2`]);
  });

  test('start at 0', async () => {
    const { text } = await metricsOf(configured).text();
    expect(text.split('\n').filter((line) => line.startsWith(NAME))).toEqual([
      `${NAME}{manager="some-manager"} 0`,
      `${NAME}{manager="other"} 0`,
    ]);
  });

  test.each<[string, Fields, Partial<Decision>]>([
    ['dry runs', update({ dryRun: true }), {}],
    ['refused writes', update(), { response: refused, outcome: 'denied' }],
    ['deletions', inventoryRequest(inventory, { operation: 'DELETE', object: null, oldObject: inventory }), {}],
    ['the mutating path', update(), { path: 'mutate' }],
    ['claims', requestOf(), {}],
  ])('%s are none', async (_, sent, over) => {
    const metrics = metricsOf(configured);
    twelve(metrics, sent, over);
    expect(await samples(metrics, NAME)).toEqual([]);
  });
});

test('the cluster: reads, locks, and whether it is in order, only where there is one', async () => {
  const metrics = createMetrics({
    version: '1',
    policy: () => defaultPolicy,
    clusterUp: () => true,
    process: false,
  });
  metrics.clusterRead('found');
  metrics.lock('acquired');
  metrics.clusterCall('update', 'conflict', 30);
  expect(await samples(metrics, 'muster_cluster')).toEqual([
    'muster_cluster_up 1',
    'muster_cluster_call_duration_seconds_sum{verb="update",outcome="conflict"} 0.03',
    'muster_cluster_call_duration_seconds_count{verb="update",outcome="conflict"} 1',
    'muster_cluster_reads_total{outcome="found"} 1',
  ]);
  expect(await samples(metrics, 'muster_locks_total')).toEqual(['muster_locks_total{outcome="acquired"} 1']);
  expect(await samples(metricsOf(), 'muster_cluster_up')).toEqual([]);
});
