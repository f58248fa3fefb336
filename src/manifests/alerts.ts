/** The alerts of a server and of `muster scan --expose-metrics`, for Prometheus. Each has a runbook, docs/runbooks/NAME.md, and a test with series that raise it and series that don't. */
import { SOON_DAYS } from '../engine/policy.ts';
import { HOMEPAGE } from '../rules/homepage.generated.ts';

/** An alert as it is decided on. */
interface Definition {
  /** `critical`: writes are refused, or will be within a day, so somebody is woken up. `warning`: fix it in working hours. */
  readonly severity: 'critical' | 'warning' | 'info';
  readonly expr: string;
  /** How long the expression must hold, such as `5m`. */
  readonly for: string;
  readonly summary: string;
  readonly description: string;
  /** The alert in whose runbook this one is described, too. */
  readonly runbookOf?: string;
}

const CERTIFICATE_LEFT = 'min by (namespace) (muster_certificate_expiry_timestamp_seconds > 0) - time()';

/** By name, without the `Muster` in front. */
const definitions: Readonly<Record<string, Definition>> = {
  Absent: {
    severity: 'critical',
    expr: 'absent(muster_build_info)',
    for: '5m',
    summary: 'No muster server is scraped.',
    description:
      'Prometheus finds no server. If none runs, the API server refuses guarded writes where the failure policy is Fail.',
  },
  TargetDown: {
    severity: 'warning',
    expr: 'up{job="muster"} == 0',
    for: '5m',
    summary: 'A muster server does not answer.',
    description:
      'Prometheus has not been able to scrape {{ $labels.instance }} for 5 minutes. Other servers, if any, carry the load.',
  },
  CertificateExpiresSoon: {
    severity: 'warning',
    expr: `${CERTIFICATE_LEFT} < 7 * 86400`,
    for: '1h',
    summary: 'The certificate of muster was not renewed.',
    description: 'It ends in {{ $value | humanizeDuration }}. Then the API server no longer calls muster.',
  },
  CertificateExpiresToday: {
    severity: 'critical',
    expr: `${CERTIFICATE_LEFT} < 86400`,
    for: '5m',
    summary: 'The certificate of muster ends within a day, or has ended.',
    description: 'Time left: {{ $value | humanizeDuration }}. At the end, the API server no longer calls muster.',
    runbookOf: 'CertificateExpiresSoon',
  },
  CertificateRefused: {
    severity: 'warning',
    expr: 'increase(muster_certificate_reloads_total{outcome="refused"}[1h]) > 0',
    for: '0m',
    summary: 'A new certificate or client CA is refused.',
    description: 'The old one stays in use on {{ $labels.instance }}. A server that starts now would have none.',
  },
  // One failure may be a scanner, or a caller that has read the old CA during a rotation. An API server tries again at each write.
  NotTrusted: {
    severity: 'critical',
    expr: 'sum by (namespace) (increase(muster_handshakes_failed_total{cause="our_certificate"}[10m])) > 3',
    for: '5m',
    summary: 'Callers do not accept the certificate of muster.',
    description:
      '{{ $value | humanize }} TLS handshakes failed for that in 10 minutes. If the API server is the caller, guarded writes fail where the failure policy is Fail.',
  },
  CallersRejected: {
    severity: 'warning',
    expr: `increase(muster_handshakes_failed_total{cause="caller_certificate"}[10m]) > 0
or increase(muster_callers_rejected_total[10m]) > 0`,
    for: '15m',
    summary: 'Callers without the right certificate are rejected.',
    description: 'Somebody else calls muster, or the certificate of an API server has changed.',
  },
  ConfigurationRefused: {
    severity: 'warning',
    expr: 'muster_config_last_reload_successful == 0',
    for: '5m',
    summary: 'The configuration on disk is refused.',
    description: 'The one before stays in effect on {{ $labels.instance }}. A server that starts now would fail.',
  },
  ConfigurationsDiffer: {
    severity: 'warning',
    expr: 'count by (namespace) (count by (namespace, sha256) (muster_config_info)) > 1',
    for: '15m',
    summary: 'The servers have different configurations.',
    description: 'The same write can get different verdicts, by the server that the API server happens to call.',
  },
  ExceptionsExpired: {
    severity: 'info',
    expr: 'max by (namespace) (muster_expired_exceptions) > 0',
    for: '1h',
    summary: 'Exceptions of the configuration have expired.',
    description: '{{ $value }} exceptions no longer have an effect. Remove them, or renew them with a new end.',
  },
  ExceptionsEndSoon: {
    severity: 'info',
    expr: 'max by (namespace) (muster_exceptions_ending_soon) > 0',
    for: '1h',
    summary: 'Exceptions of the configuration end soon.',
    description: `{{ $value }} exceptions end within ${SOON_DAYS} days. Then their objects are evaluated like all others.`,
    runbookOf: 'ExceptionsExpired',
  },
  InternalErrors: {
    severity: 'warning',
    expr: 'sum by (namespace, source) (increase(muster_internal_errors_total[10m])) > 0',
    for: '0m',
    summary: 'muster has a bug.',
    description:
      'An internal error in {{ $labels.source }}. A write that meets it is refused with code 500. The server goes on.',
  },
  InternalErrorsPersist: {
    severity: 'critical',
    expr: 'sum by (namespace) (increase(muster_internal_errors_total{source=~"evaluation|request"}[5m])) > 0',
    for: '15m',
    summary: 'A bug in muster keeps refusing writes.',
    description:
      'For 15 minutes, writes have been refused with code 500. Set the rule to ignore, or go back to the version before.',
    runbookOf: 'InternalErrors',
  },
  Indeterminate: {
    severity: 'critical',
    expr: 'sum by (namespace) (rate(muster_indeterminate_total[5m])) > 0',
    for: '10m',
    summary: 'Identity writes are refused with 503.',
    description: 'Rules cannot read the objects they need, or other identity writes hold the lock.',
  },
  ClusterDown: {
    severity: 'warning',
    expr: 'muster_cluster_up == 0',
    for: '10m',
    summary: 'A muster server cannot use its API server.',
    description: 'Reads or locks fail on {{ $labels.instance }}. Writes that need them get 503.',
  },
  LocksLost: {
    severity: 'warning',
    expr: 'sum by (namespace) (increase(muster_locks_total{outcome=~"failed|leaked"}[15m])) > 3',
    for: '5m',
    summary: 'Locks for identity writes fail or stay held.',
    description: 'Until a lock has expired, after 60 seconds, other identity writes of the same kind get 503.',
  },
  LocksContended: {
    severity: 'warning',
    expr: 'sum by (namespace) (increase(muster_locks_total{outcome="held"}[15m])) > 3',
    for: '15m',
    summary: 'Identity writes wait for each other in vain.',
    description: 'Several clients change the same ids at once. Those that do not get the lock in time get 503.',
  },
  Slow: {
    severity: 'warning',
    expr: `histogram_quantile(0.99, sum by (namespace, path, le) (rate(muster_decision_duration_seconds_bucket[5m]))) > 1`,
    for: '10m',
    summary: 'Verdicts take long.',
    description:
      'One in a hundred takes more than {{ $value | humanizeDuration }}. The API server gives up after 5 seconds.',
  },
  Overloaded: {
    severity: 'warning',
    expr: `sum by (namespace) (rate(muster_requests_rejected_total[5m])) > 0
or sum by (namespace) (rate(muster_connections_closed_total{cause="connections"}[5m])) > 0`,
    for: '5m',
    summary: 'muster rejects requests or connections for load.',
    description: 'More comes than the servers can take, or somebody floods them.',
  },
  LimitNear: {
    severity: 'warning',
    expr: `muster_memory_bytes / muster_memory_limit_bytes > 0.9
or muster_heap_bytes / muster_heap_limit_bytes > 0.9
or muster_body_bytes / muster_body_limit_bytes > 0.9
or muster_connections / muster_connections_limit > 0.9
or muster_cluster_connections / muster_cluster_connections_limit > 0.9`,
    for: '5m',
    summary: 'A muster server is near one of its limits.',
    description: '{{ $labels.instance }} uses {{ $value | humanizePercentage }} of it.',
  },
  EventLoopBlocked: {
    severity: 'warning',
    expr: 'nodejs_eventloop_lag_max_seconds{job="muster"} > 1',
    for: '5m',
    summary: 'A muster server stands still for more than a second.',
    description: '{{ $labels.instance }} has a CPU limit or no core to run on, or a request is costly to evaluate.',
  },
  LogLinesLost: {
    severity: 'info',
    expr: 'increase(muster_log_lines_dropped_total[10m]) > 0',
    for: '0m',
    summary: 'The log of muster has gaps.',
    description: 'What reads the log of {{ $labels.instance }} is slow, or its disk is full.',
  },
  InventoryWriteRate: {
    severity: 'info',
    expr: 'sum by (namespace, manager) (increase(muster_inventory_writes_above_rate_total[30m])) > 0',
    for: '1h',
    summary: 'A manager writes inventory objects too often.',
    description:
      'For an hour, {{ $labels.manager }} has written objects more often than once in 30 s: {{ $value | humanize }} writes too many in 30 minutes.',
  },
  ScanFindings: {
    severity: 'info',
    expr: 'max by (namespace, resource) (muster_scan_objects{outcome="denied"}) > 0',
    for: '5m',
    summary: 'Stored objects break rules.',
    description: '{{ $value }} {{ $labels.resource }} would be denied if they were written today.',
  },
  ScanIncomplete: {
    severity: 'warning',
    expr: 'max by (namespace) (muster_scan_errors) > 0',
    for: '2h',
    summary: 'The scan cannot read or evaluate all objects.',
    description: 'The last scan met {{ $value }} errors. What it could not read may break rules.',
  },
  // The longest interval is 24 hours. Before the first scan has ended, the time is 0.
  ScanStale: {
    severity: 'warning',
    expr: 'time() - max by (namespace) (muster_scan_end_timestamp_seconds) > 25 * 3600',
    for: '30m',
    summary: 'No scan has ended for more than a day.',
    description: 'Objects that break rules since then are not reported.',
  },
};

export interface Alert extends Definition {
  /** Such as `MusterSlow`. */
  readonly name: string;
  /** The file of its runbook in docs/runbooks, without its suffix. */
  readonly runbook: string;
}

export const alerts: readonly Alert[] = Object.entries(definitions).map(([name, definition]) => ({
  ...definition,
  name: `Muster${name}`,
  runbook: (definition.runbookOf ?? name).replace(/(?<=.)[A-Z]/g, '-$&').toLowerCase(),
}));

/** Returns the rule group that Prometheus reads. */
export function alertGroups() {
  const rules = alerts.map(({ name, severity, runbook, runbookOf: _, summary, description, ...rule }) => ({
    alert: name,
    ...rule,
    labels: { severity },
    annotations: { summary, description, runbook_url: `${HOMEPAGE}runbooks/${runbook}` },
  }));
  return [{ name: 'muster', rules }];
}
