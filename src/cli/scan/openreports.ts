/**
 * Writes the findings of a scan as `openreports.io/v1alpha1`, which dashboards of policy engines read: a ClusterReport
 * for cluster-scoped objects, and a Report in each namespace that has findings.
 */

import { textAt } from '../../base/json.ts';
import { shorten } from '../../base/text.ts';
import { addressPath } from '../../cluster/live/api-paths.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { collectAll } from '../../cluster/live/list.ts';
import type { Entry } from '../../evaluation/results.ts';
import { SCAN } from '../../manifests/names.ts';
import type { CheckFinding } from '../../report/report.ts';
import { messageOf as messageOfFinding, placedMessage, reportedFindings } from '../../report/text.ts';
import type { Level } from '../../rules/rule.ts';
import type { ScanResults } from './kind-scan.ts';
import { repeatingRefused, type WriteProblems, worstFirst, writeEach } from './write-findings.ts';

const API = 'openreports.io/v1alpha1';
const LABELS = { 'app.kubernetes.io/name': 'muster', 'app.kubernetes.io/component': 'scan' } as const;
/** The most results of a report: each takes some 600 bytes, and etcd takes 1.5 MB. */
const MOST_RESULTS = 500;
/** The most namespaces that get a Report. */
const MOST_REPORTS = 200;
const LONGEST_MESSAGE = 500;
const SEVERITY: Readonly<Record<Level, string>> = { MUST: 'high', 'MUST†': 'medium', SHOULD: 'medium', ADVICE: 'low' };

type Reported = Pick<ScanResults, 'entries' | 'errors'>;

/**
 * Writes the reports, and deletes those of namespaces without findings.
 * @param now milliseconds since the epoch
 */
export async function writeOpenReports(
  client: ApiClient,
  { entries, errors }: Reported,
  now: number,
): Promise<WriteProblems> {
  // The namespace with the worst finding comes first.
  const namespaces = new Set(worstFirst(entries).map(({ result }) => result.namespace));
  namespaces.delete('');
  const write = (namespace: string) => {
    const own = entries.filter(({ result }) => result.namespace === namespace);
    return applyReport(client, namespace, contentOf({ entries: own, errors: namespace === '' ? errors : [] }, now));
  };
  const texts = { about: 'reports', messageOf };
  const failed = await writeEach(['', ...[...namespaces].slice(0, MOST_REPORTS)], write, texts);
  // A namespace that could not be read is not free of findings.
  if (errors.length + failed.length === 0)
    failed.push(...(await writeEach([namespaces], (reported) => deleteStale(client, reported), texts)));
  const left = namespaces.size - MOST_REPORTS;
  const notes = left > 0 ? [`${left} more namespaces have findings, but no Report from this scan`] : [];
  return { errors: failed, notes };
}

/** Returns all of a report but its name and scope. */
function contentOf({ entries, errors }: Reported, now: number) {
  const timestamp = { seconds: Math.floor(now / 1000), nanos: (now % 1000) * 1_000_000 };
  const failed = errors.map((error) => ({
    source: 'muster',
    policy: 'scan',
    result: 'error',
    timestamp,
    message: shorten(placedMessage(error), LONGEST_MESSAGE),
  }));
  const found = worstFirst(entries).flatMap((object) =>
    reportedFindings(object.result).map((finding) => ({ object, finding })),
  );
  const counts = { fail: 0, warn: 0, error: failed.length };
  for (const { finding } of found) counts[resultOf(finding)] += 1;
  const clean = entries.filter(({ result }) => reportedFindings(result).length === 0).length;
  const all = [...failed, ...found.map(({ object, finding }) => ({ ...entry(object, finding), timestamp }))];
  return {
    source: 'muster',
    configuration: { limits: { maxResults: MOST_RESULTS, statusFilter: ['fail', 'warn', 'error'] } },
    summary: { pass: clean, ...counts, skip: 0 },
    results: all.slice(0, MOST_RESULTS),
  };
}

function entry({ result, uid }: Entry, finding: CheckFinding) {
  const { apiVersion, kind, namespace, name } = result;
  const { ruleId, level, action, field, url } = finding;
  return {
    source: 'muster',
    policy: ruleId,
    category: ruleId.split('/')[0] ?? '',
    severity: SEVERITY[level],
    result: resultOf(finding),
    scored: action === 'deny',
    message: shorten(messageOfFinding(finding), LONGEST_MESSAGE),
    resources: [{ apiVersion, kind, name, ...(namespace && { namespace }), ...(uid && { uid }) }],
    properties: { level, action, field, url },
  };
}

function resultOf({ action, outcome }: CheckFinding): 'fail' | 'warn' | 'error' {
  if (outcome === 'indeterminate') return 'error';
  return action === 'deny' ? 'fail' : 'warn';
}

/** Creates or replaces a report by server-side apply: fields of an earlier scan that are missing now are removed. */
async function applyReport(client: ApiClient, namespace: string, content: object): Promise<void> {
  const scope = { apiVersion: 'v1', kind: 'Namespace', name: namespace };
  const body = {
    apiVersion: API,
    kind: namespace === '' ? 'ClusterReport' : 'Report',
    metadata: { name: SCAN, ...(namespace && { namespace }), labels: LABELS },
    ...(namespace && { scope }),
    ...content,
  };
  const path = `${reportPath(namespace)}?fieldManager=${SCAN}&force=true`;
  const call = repeatingRefused(client);
  await call({ method: 'PATCH', path, body, contentType: 'application/apply-patch+yaml' });
}

async function deleteStale(client: ApiClient, reported: ReadonlySet<string>): Promise<void> {
  const selector = Object.entries(LABELS).map(([key, value]) => `${key}=${value}`);
  const options = { path: addressPath({ apiVersion: API, plural: 'reports' }), selector: selector.join(',') };
  const stale = await collectAll(client, options, (object) => {
    const [name, namespace = ''] = ['name', 'namespace'].map((key) => textAt(object, ['metadata', key]));
    return name === SCAN && !reported.has(namespace) ? namespace : [];
  });
  for (const namespace of stale) {
    await repeatingRefused(client)({ method: 'DELETE', path: reportPath(namespace) }).catch((error) => {
      if (!(error instanceof ClusterError) || error.code !== 'not-found') throw error;
    });
  }
}

function reportPath(namespace: string): string {
  const scope = namespace === '' ? { plural: 'clusterreports' } : { plural: 'reports', namespace };
  return addressPath({ apiVersion: API, name: SCAN, ...scope });
}

function messageOf(error: ClusterError): string {
  if (error.absent === 'kind') return `the cluster does not serve ${API}: install its CRDs, or leave --report out`;
  if (error.code !== 'forbidden') return error.message;
  return `${error.message}: give the right to write reports of openreports.io (muster manifests --only scan)`;
}
