/** Puts the reports of a scan into its cluster, in place of those of the scan before. */
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { listAll, type Page } from '../../cluster/live/list.ts';
import { textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import type { CheckError } from '../output/report.ts';
import { attemptEach } from './attempts.ts';
import type { Written } from './events.ts';
import type { Met } from './met.ts';
import {
  clusterReport,
  namespaceReports,
  type OpenReport,
  REPORT_API,
  REPORT_LABELS,
  REPORT_NAME,
} from './openreports.ts';

/** Namespaces that get a Report of their own. */
const MOST_REPORTS = 200;
const ROOT = `/apis/${REPORT_API}`;

export interface Reported {
  readonly objects: readonly Met[];
  /** What could not be scanned. */
  readonly errors: readonly CheckError[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Writes them, and takes away those of namespaces that have become clean. */
export async function writeReports(client: ApiClient, { objects, errors, now }: Reported): Promise<Written> {
  const inNamespaces = namespaceReports(objects, now);
  const wanted = [clusterReport(objects, errors, now), ...inNamespaces.slice(0, MOST_REPORTS)];
  const told = { file: 'reports', messageOf };
  const failed = await attemptEach(wanted, (report) => apply(client, report), told);
  const current = new Set(inNamespaces.map(({ metadata }) => metadata.namespace));
  // What could not be looked at has not become clean.
  const stale = errors.length + failed.length > 0 ? [] : [current];
  failed.push(...(await attemptEach(stale, (namespaces) => removeStale(client, namespaces), told)));
  const left = inNamespaces.length - MOST_REPORTS;
  return {
    errors: failed,
    notes: left > 0 ? [`note: ${left} more namespaces have findings, and no Report of this scan`] : [],
  };
}

/** Creates or replaces: what this manager wrote before and does not write now goes. */
async function apply(client: ApiClient, report: OpenReport): Promise<void> {
  const path = `${pathOf(report.metadata.namespace)}/${REPORT_NAME}?fieldManager=muster-scan&force=true`;
  await client.call({ method: 'PATCH', path, body: report, contentType: 'application/apply-patch+yaml' });
}

async function removeStale(client: ApiClient, current: ReadonlySet<string | undefined>): Promise<void> {
  const selector = Object.entries(REPORT_LABELS).map(([key, value]) => `${key}=${value}`);
  let found: JsonObject[] = [];
  const reader = {
    begin: () => {
      found = [];
    },
    take: async ({ items }: Page) => void found.push(...items),
  };
  await listAll(client, { path: `${ROOT}/reports`, pageSize: 500, selector: selector.join(',') }, reader);
  for (const { metadata } of found) {
    const namespace = textAt(metadata, ['namespace']);
    if (textAt(metadata, ['name']) !== REPORT_NAME || namespace === undefined || current.has(namespace)) continue;
    await client.call({ method: 'DELETE', path: `${pathOf(namespace)}/${REPORT_NAME}` }).catch(unlessGone);
  }
}

function pathOf(namespace: string | undefined): string {
  return namespace === undefined
    ? `${ROOT}/clusterreports`
    : `${ROOT}/namespaces/${encodeURIComponent(namespace)}/reports`;
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ClusterError) || error.code !== 'not-found') throw error;
}

function messageOf(error: ClusterError): string {
  if (error.absent === 'kind')
    return `the cluster does not serve ${REPORT_API}: install its CRDs, or leave --report out`;
  if (error.code !== 'forbidden') return error.message;
  return `${error.message}: give the right to write reports of openreports.io (muster manifests --only scan)`;
}
