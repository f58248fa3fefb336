/**
 * Writes the findings of a scan as `openreports.io/v1alpha1`, which dashboards of policy engines read: a ClusterReport for
 * cluster-scoped objects, and a Report in each namespace that has findings.
 */
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { listAll, type Page } from '../../cluster/live/list.ts';
import { shorten } from '../../engine/text.ts';
import { textAt } from '../../rules/json.ts';
import type { JsonObject, Level } from '../../rules/rule.ts';
import type { CheckError, CheckFinding } from '../output/report.ts';
import { reportedFindings } from '../output/text.ts';
import { type ScannedObject, type Written, worstFirst, writeEach } from './findings.ts';

const NAME = 'muster-scan';
const API = 'openreports.io/v1alpha1';
const LABELS = { 'app.kubernetes.io/name': 'muster', 'app.kubernetes.io/component': 'scan' } as const;
/** The most results of a report: each takes some 600 bytes, and etcd takes 1.5 MB. */
const MOST_RESULTS = 500;
/** The most namespaces that get a Report. */
const MOST_REPORTS = 200;
const LONGEST_MESSAGE = 500;
const SEVERITY: Readonly<Record<Level, string>> = { MUST: 'high', 'MUST†': 'medium', SHOULD: 'medium', ADVICE: 'low' };

export interface Reporting {
  readonly objects: readonly ScannedObject[];
  /** What could not be scanned. */
  readonly errors: readonly CheckError[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Writes the reports, and deletes those of namespaces without findings. */
export async function writeReports(client: ApiClient, reporting: Reporting): Promise<Written> {
  const inNamespaces = namespaceReports(reporting);
  const wanted = [clusterReport(reporting), ...inNamespaces.slice(0, MOST_REPORTS)];
  const errors = { file: 'reports', messageOf };
  const failed = await writeEach(wanted, (report) => apply(client, report), errors);
  // A namespace that could not be read is not free of findings.
  if (reporting.errors.length + failed.length === 0) {
    const current = new Set(inNamespaces.map(({ metadata }) => metadata.namespace));
    failed.push(...(await writeEach([current], (namespaces) => deleteStale(client, namespaces), errors)));
  }
  const left = inNamespaces.length - MOST_REPORTS;
  const notes = left > 0 ? [`note: ${left} more namespaces have findings, but no Report from this scan`] : [];
  return { errors: failed, notes };
}

interface OpenReport {
  readonly kind: 'ClusterReport' | 'Report';
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels: typeof LABELS };
  readonly [member: string]: unknown;
}

function clusterReport({ objects, errors, now }: Reporting): OpenReport {
  const clusterScoped = objects.filter(({ result }) => result.namespace === '');
  const failed = errors.map(({ file, message }) => ({
    ...{ source: 'muster', policy: 'scan', result: 'error', timestamp: timestampOf(now) },
    message: shorten(`${file}: ${message}`, LONGEST_MESSAGE),
  }));
  return { ...body(clusterScoped, failed, now), kind: 'ClusterReport', metadata: { name: NAME, labels: LABELS } };
}

/** A Report for each namespace with findings; that with the worst finding first. */
function namespaceReports({ objects, now }: Reporting): readonly OpenReport[] {
  const namespaces = new Set(worstFirst(objects).map(({ result }) => result.namespace));
  namespaces.delete('');
  return [...namespaces].map((namespace) => ({
    ...body(
      objects.filter(({ result }) => result.namespace === namespace),
      [],
      now,
    ),
    kind: 'Report',
    metadata: { name: NAME, namespace, labels: LABELS },
    scope: { apiVersion: 'v1', kind: 'Namespace', name: namespace },
  }));
}

function body(objects: readonly ScannedObject[], failed: readonly object[], now: number) {
  const all = worstFirst(objects).flatMap((object) =>
    reportedFindings(object.result).map((finding) => ({ object, finding })),
  );
  const counts = { fail: 0, warn: 0, error: failed.length };
  for (const { finding } of all) counts[resultOf(finding)] += 1;
  const clean = objects.filter(({ result }) => reportedFindings(result).length === 0).length;
  const results = all.slice(0, MOST_RESULTS - failed.length).map(({ object, finding }) => entry(object, finding, now));
  return {
    apiVersion: API,
    source: 'muster',
    configuration: { limits: { maxResults: MOST_RESULTS, statusFilter: ['fail', 'warn', 'error'] } },
    summary: { pass: clean, ...counts, skip: 0 },
    results: [...failed, ...results],
  } as const;
}

function entry({ result, uid }: ScannedObject, finding: CheckFinding, now: number) {
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

/** Creates or replaces a report by server-side apply: fields of an earlier scan that are missing now are removed. */
async function apply(client: ApiClient, report: OpenReport): Promise<void> {
  const path = `${pathOf(report.metadata.namespace)}/${NAME}?fieldManager=${NAME}&force=true`;
  await client.call({ method: 'PATCH', path, body: report, contentType: 'application/apply-patch+yaml' });
}

async function deleteStale(client: ApiClient, current: ReadonlySet<string | undefined>): Promise<void> {
  const selector = Object.entries(LABELS).map(([key, value]) => `${key}=${value}`);
  let found: JsonObject[] = [];
  const reader = {
    begin: () => {
      found = [];
    },
    take: ({ items }: Page) => {
      for (const { object } of items) found.push(object);
    },
  };
  await listAll(client, { path: `/apis/${API}/reports`, pageSize: 500, selector: selector.join(',') }, reader);
  for (const { metadata } of found) {
    const namespace = textAt(metadata, ['namespace']);
    if (textAt(metadata, ['name']) !== NAME || namespace === undefined || current.has(namespace)) continue;
    await client.call({ method: 'DELETE', path: `${pathOf(namespace)}/${NAME}` }).catch(unlessNotFound);
  }
}

function pathOf(namespace: string | undefined): string {
  const scope = namespace === undefined ? 'clusterreports' : `namespaces/${encodeURIComponent(namespace)}/reports`;
  return `/apis/${API}/${scope}`;
}

function unlessNotFound(error: unknown): void {
  if (!(error instanceof ClusterError) || error.code !== 'not-found') throw error;
}

function messageOf(error: ClusterError): string {
  if (error.absent === 'kind') return `the cluster does not serve ${API}: install its CRDs, or leave --report out`;
  if (error.code !== 'forbidden') return error.message;
  return `${error.message}: give the right to write reports of openreports.io (muster manifests --only scan)`;
}
