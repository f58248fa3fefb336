/**
 * The alerts and the queries of the dashboard, evaluated by the real promtool: each alert with series that raise it,
 * and with series that don't.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { alertRules, alerts, dashboard } from '../../support/chart.ts';
import { newFolder } from '../../support/folder.ts';
import { promtool, whyNoPromtool } from './harness/index.ts';

const run = promisify(execFile);
const TARGET = 'namespace="muster-system",pod="muster-0",instance="10.0.0.7:8080",job="muster"';
/** Series that are there in every case: a server that is well. */
const WELL = [series('muster_build_info', '1x200'), series('muster_config_info{sha256="a"}', '1x200')];
const DAY = 86_400;

type Series = readonly [name: string, values: string];
/** Samples come every minute; `values` is in promtool's notation: `0+1x60` grows by 1 for 60 minutes. */
interface Case {
  readonly raised: readonly Series[];
  /** For an expression with `or`: what raises it by each of its other terms. */
  readonly orRaised?: readonly (readonly Series[])[];
  readonly quiet: readonly Series[];
  /** What else does not raise it. */
  readonly alsoQuiet?: readonly Series[];
  /** When the alert is looked at; default `2h`. */
  readonly at?: string;
  /** Without those of a server that is well. */
  readonly alone?: true;
}

interface UnitTest {
  readonly name: string;
  readonly own: readonly Series[];
  readonly others: readonly object[];
  readonly firing: number;
  readonly at: string | undefined;
}

/** A counter that grew once, two minutes before the alert is looked at: no reason to wake somebody up. */
const ONE_MORE = '0x118 1x62';
const DENIED = 'muster_scan_objects{resource="clusterclaims.multicluster.x-k8s.io",outcome="denied"}';
const bucket = (le: string, values: string): Series => [
  `muster_decision_duration_seconds_bucket{path="validate",le="${le}"}`,
  values,
];
/** A counter that grows, and one that stands still; others raise the alert by another term of the expression. */
const growing = (name: string, ...others: readonly string[]): Case => ({
  raised: [[name, '0+1x180']],
  orRaised: others.map((other) => [[other, '0+1x180']]),
  quiet: [name, ...others].map((each) => [each, '5x180']),
});
/** `muster_WHAT` in percent of its limit. */
const share = (what: string, unit: string, percent: number): readonly Series[] => [
  [`muster_${what}${unit}`, `${percent}x180`],
  [`muster_${what}_limit${unit}`, '100x180'],
];
const gauge = (name: string, raised: number | string, quiet: number | string): Case => ({
  raised: [[name, `${raised}x180`]],
  quiet: [[name, `${quiet}x180`]],
});

/** A certificate of ten hours, of which eight are left. */
const NOT_DUE: readonly Series[] = [
  ['muster_certificate_expiry_timestamp_seconds', `${10 * 3600}x180`],
  ['muster_certificate_due_timestamp_seconds', `${8 * 3600}x180`],
];

const cases: Readonly<Record<string, Case>> = {
  MusterAbsent: { raised: [], quiet: [['muster_build_info', '1x180']], alone: true },
  MusterTargetDown: gauge('up', 0, 1),
  MusterCertificateExpiresSoon: {
    ...gauge('muster_certificate_expiry_timestamp_seconds', 6 * DAY, 8 * DAY),
    alsoQuiet: NOT_DUE,
  },
  // The clock of the tests starts at 0.
  MusterCertificateExpiresToday: {
    ...gauge('muster_certificate_expiry_timestamp_seconds', DAY / 2, 3 * DAY),
    // All servers wait for a certificate.
    orRaised: [[['muster_certificate_expiry_timestamp_seconds', '0x180']]],
    alsoQuiet: NOT_DUE,
  },
  MusterCertificateRefused: gauge('muster_certificate_last_reload_successful', 0, 1),
  MusterNotTrusted: {
    raised: [[`muster_handshakes_failed_total{cause="our_certificate"}`, '0+1x180']],
    quiet: [[`muster_handshakes_failed_total{cause="our_certificate"}`, ONE_MORE]],
  },
  MusterCallersRejected: growing(
    'muster_callers_rejected_total',
    'muster_handshakes_failed_total{cause="caller_certificate"}',
  ),
  MusterConfigurationRefused: gauge('muster_config_last_reload_successful', 0, 1),
  MusterConfigurationsDiffer: {
    raised: [['muster_config_info{sha256="b"}', '1x180']],
    quiet: [['muster_config_info{sha256="a",pod="muster-1"}', '1x180']],
  },
  MusterExceptionsExpired: gauge('muster_expired_exceptions', 2, 0),
  MusterExceptionsEndSoon: gauge('muster_exceptions_ending_soon', 1, 0),
  MusterInternalErrors: growing('muster_internal_errors_total{source="ops"}'),
  MusterInternalErrorsPersist: {
    raised: [['muster_internal_errors_total{source="request"}', '0+1x180']],
    quiet: [
      ['muster_internal_errors_total{source="request"}', ONE_MORE],
      ['muster_internal_errors_total{source="ops"}', '0+1x180'],
    ],
  },
  MusterIndeterminate: growing('muster_indeterminate_total{rule="claim/id-stable"}'),
  MusterClusterDown: gauge('muster_cluster_up', 0, 1),
  MusterLocksLost: {
    raised: [['muster_locks_total{outcome="failed"}', '0+1x180']],
    quiet: [['muster_locks_total{outcome="held"}', '0+1x180']],
  },
  MusterLocksContended: {
    raised: [['muster_locks_total{outcome="held"}', '0+1x180']],
    quiet: [
      ['muster_locks_total{outcome="held"}', '0+1x2 3x178'],
      ['muster_locks_total{outcome="acquired"}', '0+9x180'],
    ],
  },
  MusterRegistrarConflicts: growing('muster_registrar_conflicts_total'),
  // A join that is confirmed within the next round.
  MusterRegistrarUnconfirmed: {
    raised: [['muster_registrar_unconfirmed_reservations', '1x180']],
    quiet: [['muster_registrar_unconfirmed_reservations', '0x118 1x2 0x60']],
  },
  MusterRegistrarUnreachable: {
    raised: [[`muster_registrar_call_duration_seconds_count{verb="list",outcome="timeout"}`, '0+1x180']],
    quiet: [
      [`muster_registrar_call_duration_seconds_count{verb="get",outcome="timeout"}`, '0+1x180'],
      [`muster_registrar_call_duration_seconds_count{verb="get",outcome="ok"}`, '0+1x180'],
      [`muster_registrar_call_duration_seconds_count{verb="create",outcome="conflict"}`, '0+1x180'],
    ],
  },
  MusterSlow: {
    raised: [bucket('1', '0+1x180'), bucket('2.5', '0+100x180'), bucket('+Inf', '0+100x180')],
    quiet: [bucket('1', '0+100x180'), bucket('2.5', '0+100x180'), bucket('+Inf', '0+100x180')],
  },
  MusterOverloaded: {
    raised: [['muster_requests_rejected_total{cause="evaluations"}', '0+1x180']],
    orRaised: [[['muster_connections_closed_total{cause="connections"}', '0+1x180']]],
    quiet: [
      ['muster_requests_rejected_total{cause="evaluations"}', '5x180'],
      ['muster_connections_closed_total{cause="slow_handshake"}', '0+1x180'],
    ],
  },
  MusterLimitNear: {
    raised: share('memory', '_bytes', 95),
    orRaised: [
      share('heap', '_bytes', 95),
      share('body', '_bytes', 95),
      share('connections', '', 95),
      share('cluster_connections', '', 95),
    ],
    quiet: [...share('memory', '_bytes', 85), ...share('body', '_bytes', 85), ...share('connections', '', 85)],
  },
  MusterEventLoopBlocked: gauge('nodejs_eventloop_lag_max_seconds', 1.5, 0.02),
  MusterLogLinesLost: growing('muster_log_lines_dropped_total'),
  MusterInventoryWriteRate: {
    raised: [['muster_inventory_writes_above_rate_total{manager="some-manager"}', '0+1x180']],
    // A storm of 20 minutes.
    quiet: [['muster_inventory_writes_above_rate_total{manager="some-manager"}', '0x80 0+5x20 100x80']],
  },
  MusterScanFindings: {
    raised: [[DENIED, '2x180']],
    quiet: [
      [DENIED, '0x180'],
      [DENIED.replace('denied', 'allowed'), '7x180'],
    ],
  },
  MusterScanIncomplete: gauge('muster_scan_errors', 1, 0),
  // Never: 26 hours later, no scan has ended; and the first did an hour ago.
  MusterScanStale: {
    raised: [['muster_scan_end_timestamp_seconds', '0x1600']],
    quiet: [['muster_scan_end_timestamp_seconds', `${25 * 3600}x1600`]],
    at: '26h',
  },
};

const reason = process.env['E2E'] === 'required' ? undefined : whyNoPromtool();
const suite = reason === undefined ? describe : describe.skip;

suite('promtool', () => {
  const folder = newFolder().path;
  let program: string;
  beforeAll(async () => {
    program = await promtool();
    write('alerts.yaml', alertRules);
    for (const rule of alertRules.groups[0].rules)
      write(`${rule.alert}.yaml`, { groups: [{ name: rule.alert, rules: [rule] }] });
  });

  test('each alert has a case', () => {
    expect(Object.keys(cases).sort()).toEqual(alerts.map(({ name }) => name).sort());
  });

  test('the alerts and the queries of the dashboard are valid', async () => {
    const queries = dashboard.panels.flatMap(({ targets = [] }) => targets);
    const rules = queries.map(({ expr }, index) => ({
      record: `panel_${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    write('panels.yaml', { groups: [{ name: 'panels', rules }] });
    const { stdout } = await promtoolPrints('check', 'rules', 'alerts.yaml', 'panels.yaml');
    expect(stdout).toContain(`SUCCESS: ${alerts.length} rules found`);
    expect(stdout).toContain(`SUCCESS: ${queries.length} rules found`);
  });

  test('each alert is raised by what it is about, and by nothing else', async () => {
    const files = Object.entries(cases).map(([name, { raised, orRaised = [], quiet, alsoQuiet, alone, at }]) => {
      const others = alone ? [] : WELL;
      const raising = [raised, ...orRaised].map((own) => unitTest({ name, own, others, firing: 1, at }));
      const silent = [quiet, ...(alsoQuiet ? [alsoQuiet] : [])].map((own) =>
        unitTest({ name, own, others, firing: 0, at }),
      );
      // With its own rule alone: no rule reads what another one records, and all of them would take a minute.
      write(`${name}-tests.yaml`, {
        rule_files: [`${name}.yaml`],
        evaluation_interval: '1m',
        tests: [...raising, ...silent],
      });
      return `${name}-tests.yaml`;
    });
    const { stdout } = await promtoolPrints('test', 'rules', ...files);
    expect(stdout.match(/SUCCESS/g)).toHaveLength(alerts.length);
  });

  test('in one Prometheus for several clusters, they are told apart as the page says', async () => {
    const page = readFileSync('docs/operations.md', 'utf8');
    const [, own = '', several = ''] = / sed 's\/(.*?)\/(.*?)\/g'/.exec(page) ?? [];
    write('clusters.yaml', JSON.parse(JSON.stringify(alertRules).replaceAll(own, several)));
    const inCluster = (cluster: string, sha256: string) =>
      series(`muster_config_info{cluster="${cluster}",sha256="${sha256}"}`, '1x180');
    const input_series = [...WELL.slice(0, 1), inCluster('east', 'a'), inCluster('west', 'b')];
    const expr = 'count(ALERTS{alertname="MusterConfigurationsDiffer",alertstate="firing"}) or vector(0)';
    const rulesOf = (file: string, value: number) => ({
      rule_files: [file],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series,
          promql_expr_test: [{ expr, eval_time: '2h', exp_samples: [{ labels: '{}', value }] }],
        },
      ],
    });
    write('one.yaml', rulesOf('alerts.yaml', 1));
    write('several.yaml', rulesOf('clusters.yaml', 0));
    expect((await promtoolPrints('test', 'rules', 'one.yaml', 'several.yaml')).stdout).not.toMatch(/FAILED/);
  });

  /** How many servers or installations the alert is raised for at a time. */
  function unitTest({ name, own, others, firing, at = '2h' }: UnitTest) {
    return {
      name: `${name}: ${firing}`,
      interval: '1m',
      input_series: [...others, ...own.map(([metric, values]) => series(metric, values))],
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${name}",alertstate="firing"}) or vector(0)`,
          eval_time: at,
          exp_samples: [{ labels: '{}', value: firing }],
        },
      ],
    };
  }

  function write(name: string, content: object): void {
    // YAML reads JSON.
    writeFileSync(join(folder, name), JSON.stringify(content));
  }

  async function promtoolPrints(...args: readonly string[]): Promise<{ stdout: string }> {
    try {
      return await run(program, args, { cwd: folder });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`promtool ${args.join(' ')} failed:\n${stdout}${stderr}`);
    }
  }
});

/** A series with the labels that a ServiceMonitor adds, unless it has its own. */
function series(name: string, values: string): { readonly series: string; readonly values: string } {
  const [, metric = '', own = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(name) ?? [];
  const added = own.includes('pod=') ? TARGET.replace(/pod="[^"]*",/, '') : TARGET;
  return { series: `${metric}{${[own, added].filter(Boolean).join(',')}}`, values };
}
