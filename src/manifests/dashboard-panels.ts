/** The panels of the Grafana dashboard, in rows. A test compares every query with the metrics that a server has. */

interface Query {
  readonly expr: string;
  /** Of each series, such as `{{rule}}`. */
  readonly legend: string;
}

export interface Panel {
  readonly title: string;
  /** One or two sentences, which Grafana shows beside the title. */
  readonly description: string;
  /** Grafana's name of the unit, such as `s`, `reqps`, `bytes`, `percentunit`. */
  readonly unit: string;
  readonly queries: readonly Query[];
  /** One number in place of a graph. */
  readonly isNumber?: true;
}

/** Of writes, not of dry runs, such as those of `muster doctor` and of GitOps tools that compare. */
const WRITES = 'dry_run="false",';
/** Of the selected installation; the braces of further labels go in front of it. */
const WHERE = 'namespace=~"$namespace"';
const RATE = '$__rate_interval';

const rate = (metric: string, by: string, labels = '') =>
  `sum by (${by}) (rate(${metric}{${labels}${WHERE}}[${RATE}]))`;
const quantile = (q: number, metric: string, by: string, labels = '') =>
  `histogram_quantile(${q}, ${rate(`${metric}_bucket`, `${by}, le`, labels)})`;
const share = (held: string, limit: string) => `max by (pod) (${held}{${WHERE}} / ${limit}{${WHERE}})`;

/** The rows, by title. */
export const rows: Readonly<Record<string, readonly Panel[]>> = {
  Overview: [
    number('Servers', 'none', 'Servers that Prometheus scrapes.', `count(muster_build_info{${WHERE}})`),
    number(
      'Verdicts',
      'reqps',
      'Of all servers, a second, without dry runs.',
      `sum(rate(muster_decisions_total{${WRITES}${WHERE}}[${RATE}]))`,
    ),
    number(
      'Denied',
      'reqps',
      'Writes that were denied, a second, without dry runs.',
      `sum(rate(muster_decisions_total{outcome="denied",${WRITES}${WHERE}}[${RATE}]))`,
    ),
    number(
      'Time of a verdict (p99)',
      's',
      '99 of 100 requests take less, from their first byte to the answer.',
      `histogram_quantile(0.99, sum by (le) (rate(muster_decision_duration_seconds_bucket{${WHERE}}[${RATE}])))`,
    ),
    number(
      'Certificate ends in',
      's',
      'Of the server whose certificate ends first.',
      `min(muster_certificate_expiry_timestamp_seconds{${WHERE}} > 0) - time()`,
    ),
    number(
      'Configurations',
      'none',
      'Different configurations in use. More than 1: servers disagree, or one has not yet read a change.',
      `count(count by (sha256) (muster_config_info{${WHERE}}))`,
    ),
  ],
  Verdicts: [
    graph(
      'Verdicts by outcome',
      'reqps',
      'Indeterminate and error: the write was refused and not decided. Without dry runs.',
      [rate('muster_decisions_total', 'outcome', WRITES), '{{outcome}}'],
    ),
    graph('Verdicts by resource', 'reqps', 'All writes that called muster, allowed ones too, without dry runs.', [
      rate('muster_decisions_total', 'resource, operation', WRITES),
      '{{operation}} {{resource}}',
    ]),
    graph('Findings that deny', 'reqps', 'By rule, without dry runs. A write can have several findings.', [
      rate('muster_findings_total', 'rule', `action="deny",${WRITES}`),
      '{{rule}}',
    ]),
    graph(
      'Findings that warn or are only counted',
      'reqps',
      'By rule, without dry runs. In the mode warn or audit, all findings are here.',
      [rate('muster_findings_total', 'rule, action', `action=~"warn|audit",${WRITES}`), '{{rule}} ({{action}})'],
    ),
    graph(
      'Inventory writes above the rate',
      'reqps',
      'By manager: writes of an object beyond one in 30 s on average and bursts of 10.',
      [rate('muster_inventory_writes_above_rate_total', 'manager'), '{{manager}}'],
    ),
  ],
  Latency: [
    graph(
      'Time of a verdict',
      's',
      'From the first byte of a request to its answer. The API server gives up after 5 s.',
      [quantile(0.5, 'muster_decision_duration_seconds', 'path'), 'p50 {{path}}'],
      [quantile(0.99, 'muster_decision_duration_seconds', 'path'), 'p99 {{path}}'],
    ),
    graph('Longest pause of the event loop', 's', 'How long a server could do nothing else.', [
      `max by (pod) (nodejs_eventloop_lag_max_seconds{job="muster",${WHERE}})`,
      '{{pod}}',
    ]),
  ],
  'Writes that were not decided': [
    graph(
      'Indeterminate (503), by rule',
      'reqps',
      'Another object could not be read, or another write held the lock.',
      [rate('muster_indeterminate_total', 'rule'), '{{rule}}'],
    ),
    graph(
      'Internal errors',
      'reqps',
      'Bugs of muster. The log has each of them, with a reference.',
      [rate('muster_internal_errors_total', 'source'), '{{source}}'],
      [rate('muster_crashes_total', 'rule'), 'rule {{rule}}'],
    ),
    graph(
      'Rejected for load',
      'reqps',
      'Requests answered by 503, and connections closed, because a limit was reached.',
      [rate('muster_requests_rejected_total', 'cause'), 'request: {{cause}}'],
      [rate('muster_connections_closed_total', 'cause'), 'connection: {{cause}}'],
    ),
    graph(
      'Failed handshakes and rejected callers',
      'reqps',
      'our_certificate: the caller does not trust muster. caller_certificate: muster does not trust the caller.',
      [rate('muster_handshakes_failed_total', 'cause'), '{{cause}}'],
      [rate('muster_callers_rejected_total', 'namespace'), 'name of the caller'],
    ),
  ],
  'API server': [
    graph(
      'Calls by verb and outcome',
      'reqps',
      'Calls of muster to the API server: reads of claims, writes of locks.',
      [rate('muster_cluster_call_duration_seconds_count', 'verb, outcome'), '{{verb}} {{outcome}}'],
    ),
    graph('Time of a call (p99)', 's', 'An identity write waits for three or four such calls.', [
      quantile(0.99, 'muster_cluster_call_duration_seconds', 'verb'),
      '{{verb}}',
    ]),
    graph(
      'Locks',
      'reqps',
      'held: another identity write had the lock. failed, leaked: it could not be written or released.',
      [rate('muster_locks_total', 'outcome'), '{{outcome}}'],
    ),
    graph(
      'The cluster is as muster needs it',
      'none',
      '1: claims can be read and locks be written. 0: the log says what is missing.',
      [`min by (pod) (muster_cluster_up{${WHERE}})`, '{{pod}}'],
    ),
  ],
  Servers: [
    graph(
      'Share of a limit',
      'percentunit',
      'At 100 %, further requests or connections are rejected; memory: the container is killed.',
      [share('muster_memory_bytes', 'muster_memory_limit_bytes'), 'memory {{pod}}'],
      [share('muster_heap_bytes', 'muster_heap_limit_bytes'), 'heap {{pod}}'],
      [share('muster_connections', 'muster_connections_limit'), 'connections {{pod}}'],
      [share('muster_body_bytes', 'muster_body_limit_bytes'), 'bodies {{pod}}'],
    ),
    graph('Processor time', 'none', 'In cores. A server uses one core at most, and a little for garbage collection.', [
      `sum by (pod) (rate(process_cpu_seconds_total{job="muster",${WHERE}}[${RATE}]))`,
      '{{pod}}',
    ]),
    graph(
      'Reloads',
      'none',
      'Changed files that came into effect, or were refused. After a refusal the old content stays in use.',
      [
        `sum by (outcome) (increase(muster_configuration_reloads_total{${WHERE}}[${RATE}]))`,
        'configuration {{outcome}}',
      ],
      [`sum by (outcome) (increase(muster_certificate_reloads_total{${WHERE}}[${RATE}]))`, 'certificate {{outcome}}'],
    ),
    graph('Lines of the log that were lost', 'none', 'Nobody read the log for a while. Verdicts do not wait for it.', [
      `sum by (pod) (increase(muster_log_lines_dropped_total{${WHERE}}[${RATE}]))`,
      '{{pod}}',
    ]),
  ],
  'Stored objects': [
    graph(
      'Objects that break rules',
      'none',
      'Found by the last scan, by resource. Only with `muster scan --expose-metrics`.',
      [`max by (resource) (muster_scan_objects{outcome="denied",${WHERE}})`, '{{resource}}'],
    ),
    graph('Time since the last scan', 's', 'More than a day: scans fail, or none runs.', [
      `time() - max by (namespace) (muster_scan_end_timestamp_seconds{${WHERE}} > 0)`,
      '{{namespace}}',
    ]),
  ],
};

function number(title: string, unit: string, description: string, expr: string): Panel {
  return { title, unit, description, queries: [{ expr, legend: title }], isNumber: true };
}

type TitledQuery = readonly [expr: string, legend: string];

function graph(title: string, unit: string, description: string, ...queries: readonly TitledQuery[]): Panel {
  return { title, unit, description, queries: queries.map(([expr, legend]) => ({ expr, legend })) };
}
