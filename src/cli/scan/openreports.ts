/**
 * The findings as `openreports.io/v1alpha1`, which dashboards of policy engines read: a ClusterReport for objects without a
 * namespace, and a Report in each namespace that has findings.
 */
import { shorten } from '../../engine/text.ts';
import type { Level } from '../../rules/rule.ts';
import type { CheckError, CheckFinding } from '../output/report.ts';
import { reportedFindings } from '../output/text.ts';
import { inOrderOfWeight, type Met } from './met.ts';

/** Of every report, wherever it stands. */
export const REPORT_NAME = 'muster-scan';
export const REPORT_API = 'openreports.io/v1alpha1';
export const REPORT_LABELS = { 'app.kubernetes.io/name': 'muster', 'app.kubernetes.io/component': 'scan' } as const;
/** Results of a report: some 600 bytes each, and etcd takes 1.5 MB. */
export const MOST_RESULTS = 500;

const LONGEST_MESSAGE = 500;
const SEVERITY: Readonly<Record<Level, string>> = { MUST: 'high', 'MUST†': 'medium', SHOULD: 'medium', ADVICE: 'low' };

export interface OpenReport {
  readonly apiVersion: typeof REPORT_API;
  readonly kind: 'ClusterReport' | 'Report';
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels: typeof REPORT_LABELS };
  readonly [member: string]: unknown;
}

/** The ClusterReport. @param errors what could not be scanned; @param now milliseconds since the epoch */
export function clusterReport(objects: readonly Met[], errors: readonly CheckError[], now: number): OpenReport {
  const mine = objects.filter(({ result }) => result.namespace === '');
  const failed = errors.map(({ file, message }) => ({
    source: 'muster',
    policy: 'scan',
    result: 'error',
    message: shorten(`${file}: ${message}`, LONGEST_MESSAGE),
    timestamp: timestampOf(now),
  }));
  return { ...body(mine, failed, now), kind: 'ClusterReport', metadata: { name: REPORT_NAME, labels: REPORT_LABELS } };
}

/** A Report for each namespace with findings, the weightiest first. */
export function namespaceReports(objects: readonly Met[], now: number): readonly OpenReport[] {
  const byNamespace = new Map<string, Met[]>();
  for (const met of objects) {
    const { namespace } = met.result;
    if (namespace === '') continue;
    const known = byNamespace.get(namespace);
    if (known === undefined) byNamespace.set(namespace, [met]);
    else known.push(met);
  }
  const order = new Set(inOrderOfWeight(objects).map(({ result }) => result.namespace));
  order.delete('');
  return [...order].map((namespace) => ({
    ...body(byNamespace.get(namespace) ?? [], [], now),
    kind: 'Report',
    metadata: { name: REPORT_NAME, namespace, labels: REPORT_LABELS },
    scope: { apiVersion: 'v1', kind: 'Namespace', name: namespace },
  }));
}

function body(objects: readonly Met[], failed: readonly object[], now: number) {
  const told = inOrderOfWeight(objects).flatMap((met) =>
    reportedFindings(met.result).map((finding) => ({ met, finding })),
  );
  const counts = { fail: 0, warn: 0, error: failed.length };
  for (const { finding } of told) counts[resultOf(finding)] += 1;
  const clean = objects.filter(({ result }) => reportedFindings(result).length === 0).length;
  const results = told.slice(0, MOST_RESULTS - failed.length).map(({ met, finding }) => entryOf(met, finding, now));
  return {
    apiVersion: REPORT_API,
    source: 'muster',
    configuration: { limits: { maxResults: MOST_RESULTS, statusFilter: ['fail', 'warn', 'error'] } },
    summary: { pass: clean, ...counts, skip: 0 },
    results: [...failed, ...results],
  } as const;
}

function entryOf({ result, uid }: Met, finding: CheckFinding, now: number) {
  const { apiVersion, kind, namespace, name } = result;
  const { ruleId, level, action, field, message } = finding;
  return {
    source: 'muster',
    policy: ruleId,
    category: ruleId.split('/')[0] ?? '',
    severity: SEVERITY[level],
    result: resultOf(finding),
    scored: action === 'deny',
    message: shorten(field === '' ? message : `${field}: ${message}`, LONGEST_MESSAGE),
    resources: [{ apiVersion, kind, name, ...(namespace && { namespace }), ...(uid && { uid }) }],
    properties: { level, action, field },
    timestamp: timestampOf(now),
  };
}

function resultOf({ action, outcome }: CheckFinding): 'fail' | 'warn' | 'error' {
  if (outcome === 'indeterminate') return 'error';
  return action === 'deny' ? 'fail' : 'warn';
}

function timestampOf(now: number) {
  return { seconds: Math.floor(now / 1000), nanos: (now % 1000) * 1_000_000 };
}
