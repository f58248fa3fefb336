/**
 * Scans several clusters side by side, each within its own time: a cluster that fails or is slow does not affect the
 * others.
 */

import { setFlagsFromString } from 'node:v8';
import { dialects } from '../../api/dialects.ts';
import { addAll } from '../../base/add-all.ts';
import { limitConcurrency } from '../../base/concurrency.ts';
import { messageOf } from '../../base/text.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import type { PlacedMessage } from '../../input/place.ts';
import { type Findings, NOTHING } from './kind-scan.ts';
import type { LiveScan } from './limits.ts';

/** A cluster of the scan. */
export interface ScanTarget {
  /** Undefined for a scan of one cluster, whose results need no name. */
  readonly cluster: string | undefined;
  /** Files and folders, or the ways to open an API server: one is used if nothing can be read by those before it. */
  readonly source: { readonly paths: readonly string[] } | { readonly ways: readonly ScanAccess[] };
}

interface ScanAccess {
  open(): ApiClient;
  /** Whether a ClusterProfile leads to the cluster, and not the kubeconfig. */
  readonly isOfFleet: boolean;
}

/** The clusters of one scan. */
export interface Targets {
  readonly targets: readonly ScanTarget[];
  /** Clusters of the fleet that can't be scanned, and why. */
  readonly errors: readonly PlacedMessage[];
  /** Notes for people, one line each. */
  readonly notes: readonly string[];
}

interface SideBySide extends Omit<LiveScan, 'cluster' | 'client' | 'isOfFleet'> {
  /** The number of clusters that are scanned at a time. */
  readonly parallel: number;
  /** Scans the files of a target. */
  readonly scanPaths: (paths: readonly string[], cluster: string | undefined) => Promise<Findings>;
}

export interface ScannedCluster {
  readonly cluster: string | undefined;
  readonly findings: Findings;
  /** To write the findings into the cluster. Undefined where nothing is written, or where it can't be. */
  readonly client?: ApiClient;
}

/** Scans the targets; results are in their order. */
export async function scanSideBySide(targets: readonly ScanTarget[], options: SideBySide): Promise<ScannedCluster[]> {
  if (targets.some(({ source }) => 'ways' in source)) keepHeapSmall();
  const inTurn = limitConcurrency(options.parallel);
  return Promise.all(targets.map((target) => inTurn(() => scanTarget(target, options))));
}

/** A scan of an API server drops its objects at once and keeps little of each: 100,000 take 100 MB less this way. */
function keepHeapSmall(): void {
  // Otherwise V8 lets the space for young objects grow with what survives in it, up to 128 MB.
  setFlagsFromString('--semi-space-growth-factor=1');
  // The kept facts grow slowly, so the space for old objects need not double ahead of them.
  setFlagsFromString('--heap-growing-percent=30');
}

async function scanTarget({ cluster, source }: ScanTarget, options: SideBySide): Promise<ScannedCluster> {
  try {
    if ('ways' in source) return await scanByFirst(cluster, source.ways, options);
    return { cluster, findings: await options.scanPaths(source.paths, cluster) };
  } catch (error) {
    if (cluster === undefined) throw error;
    // A failure of one cluster must not hide the results of the others.
    const reason = messageOf(error);
    const message = error instanceof ClusterError ? reason : `a bug in muster: ${reason}`;
    const errors = [{ cluster, message }];
    options.comparison.begin(cluster).commit(new Map(dialects.map((dialect) => [dialect, message])));
    return { cluster, findings: { ...NOTHING, errors } };
  }
}

/** Scans by the first way by which something can be read. Failures of the ways before it are reported, too. */
async function scanByFirst(
  cluster: string | undefined,
  ways: readonly ScanAccess[],
  options: SideBySide,
): Promise<ScannedCluster> {
  const { scanCluster } = await import('./live.ts');
  const failed: PlacedMessage[] = [];
  for (const [index, { open, isOfFleet }] of ways.entries()) {
    const client = open();
    const findings = await scanCluster({ ...options, client, cluster, isOfFleet });
    addAll(failed, findings.errors);
    const isUsed = findings.objects.length > 0 || findings.errors.length === 0 || index === ways.length - 1;
    const scanned = { cluster, findings: { ...findings, errors: failed } };
    if (isUsed && options.withUids) return { ...scanned, client };
    // There may be thousands of clusters: only the writing of their findings needs an open connection to each.
    client.close();
    if (isUsed) return scanned;
  }
  return { cluster, findings: NOTHING };
}
