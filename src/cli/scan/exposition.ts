/** What came of the last scan, as OpenMetrics text. Labels are bounded by the catalogue and the dialects. */
import { dialectOf } from '../../api/dialects.ts';
import type { CheckReport, CheckResult } from '../output/report.ts';

/** The counters and the last round; of none, nothing but that nothing has run. */
export interface Rounds {
  readonly complete: number;
  readonly incomplete: number;
  readonly last?: { readonly report: CheckReport; readonly endedAt: number; readonly milliseconds: number };
}

export const CONTENT_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/** The whole text. Times are in seconds. */
export function exposition({ complete, incomplete, last }: Rounds): string {
  const runs = [
    { labels: { outcome: 'complete' }, value: complete },
    { labels: { outcome: 'incomplete' }, value: incomplete },
  ];
  const parts = [
    family('muster_scan_runs', 'counter', 'Scans made; incomplete: not all could be read.', runs, '_total'),
  ];
  if (last !== undefined) parts.push(...ofReport(last.report), ...ofRound(last));
  return `${parts.join('')}# EOF\n`;
}

function ofRound({ endedAt, milliseconds }: NonNullable<Rounds['last']>): string[] {
  const one = (value: number) => [{ labels: {}, value }];
  return [
    family('muster_scan_end_timestamp_seconds', 'gauge', 'When the last scan ended.', one(endedAt / 1000)),
    family('muster_scan_duration_seconds', 'gauge', 'How long the last scan took.', one(milliseconds / 1000)),
  ];
}

function ofReport({ results, errors }: CheckReport): string[] {
  const objects = new Tally();
  const findings = new Tally();
  for (const result of results) {
    objects.count({ dialect: dialectNameOf(result), outcome: result.outcome });
    for (const { ruleId, action, outcome } of result.findings)
      findings.count({ rule: ruleId, action: outcome ?? action });
  }
  return [
    family('muster_scan_objects', 'gauge', 'Objects judged by the last scan.', objects.samples()),
    family(
      'muster_scan_findings',
      'gauge',
      'Findings of the last scan, by rule and what they are.',
      findings.samples(),
    ),
    family('muster_scan_errors', 'gauge', 'What the last scan could not read or judge.', [
      { labels: {}, value: errors.length },
    ]),
  ];
}

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

class Tally {
  private readonly counts = new Map<string, number>();

  count(labels: Sample['labels']): void {
    const key = JSON.stringify(labels);
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  samples(): Sample[] {
    return [...this.counts].map(([key, value]) => ({ labels: JSON.parse(key) as Sample['labels'], value }));
  }
}

function family(name: string, type: string, help: string, samples: readonly Sample[], suffix = ''): string {
  const lines = samples.map(({ labels, value }) => `${name}${suffix}${braced(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

/** The values are names of ours: none needs escaping. */
function braced(labels: Sample['labels']): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function dialectNameOf({ apiVersion, kind }: CheckResult): string {
  return dialectOf(apiVersion.split('/')[0] ?? '', kind)?.name ?? 'other';
}
