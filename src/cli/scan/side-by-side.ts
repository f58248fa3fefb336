/**
 * Scans several clusters side by side, each within its own time: a cluster that fails or is slow does not affect the
 * others.
 */

import { setFlagsFromString } from 'node:v8';
import { dialects } from '../../api/dialects.ts';
import { addAll } from '../../base/collections.ts';
import { limitConcurrency } from '../../base/concurrency.ts';
import { errorMessage } from '../../base/text.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import type { PlacedMessage } from '../../input/place.ts';
import { NOTHING, type ScanResults } from './kind-scan.ts';
import type { LiveScan } from './limits.ts';
import type { FileReading } from './scan-files.ts';

/** A cluster of the scan. */
export interface ScanTarget {
  /** Undefined for a scan of one cluster, whose results need no name. */
  readonly cluster: string | undefined;
  /** Files and folders, or an API server. */
  readonly source: { readonly paths: readonly string[] } | ScannedApi;
}

interface ScannedApi {
  /** Several clients of one API server: the first is used by which something can be read. */
  readonly clients: readonly (() => ApiClient)[];
  /** Whether ClusterProfiles lead to the cluster, and not the kubeconfig. */
  readonly isOfFleet: boolean;
}

/** The clusters of one scan. */
export interface Targets {
  readonly targets: readonly ScanTarget[];
  /** Clusters of the fleet that can't be scanned, and why. */
  readonly errors: readonly PlacedMessage[];
  /** Notes for people, one line each. */
  readonly notes: readonly string[];
  /** Files that the exec plugins of the fleet may read, and other words of their command lines. */
  readonly files: readonly string[];
}

interface SideBySide extends Omit<LiveScan, 'cluster' | 'client' | 'isOfFleet'> {
  /** The number of clusters that are scanned at a time. */
  readonly parallel: number;
  /** How the files of targets are read. */
  readonly reading: FileReading;
}

export interface ScannedCluster extends ScanResults {
  readonly cluster: string | undefined;
  /** To write the findings into the cluster. Undefined where nothing is written, or where it can't be. */
  readonly client?: ApiClient;
}

/** Scans the targets; results are in their order. */
export async function scanSideBySide(targets: readonly ScanTarget[], options: SideBySide): Promise<ScannedCluster[]> {
  if (targets.some(({ source }) => 'clients' in source)) keepHeapSmall();
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
    if ('clients' in source) return await scanByFirst(cluster, source, options);
    const { scanFiles } = await import('./scan-files.ts');
    const { engine, comparison, reading } = options;
    const results = await scanFiles({ engine, comparison, cluster, state: source.paths, ...reading });
    return { cluster, ...results, notes: results.notes.map(noteOn(cluster)) };
  } catch (error) {
    if (cluster === undefined) throw error;
    // A failure of one cluster must not hide the results of the others.
    const reason = errorMessage(error);
    const message = error instanceof ClusterError ? reason : `a bug in muster: ${reason}`;
    const errors = [{ cluster, message }];
    options.comparison.begin(cluster).commit(new Map(dialects.map((dialect) => [dialect, message])));
    return { cluster, ...NOTHING, errors };
  }
}

/** Returns a function that makes the line of a note on a cluster. */
export function noteOn(cluster: string | undefined): (note: string) => string {
  return (note) => `note: ${cluster === undefined ? '' : `${cluster}: `}${note}`;
}

/** Scans by the first client by which something can be read. Failures of those before it are reported, too. */
async function scanByFirst(
  cluster: string | undefined,
  { clients, isOfFleet }: ScannedApi,
  options: SideBySide,
): Promise<ScannedCluster> {
  const { scanCluster } = await import('./live.ts');
  const failed: PlacedMessage[] = [];
  for (const [index, open] of clients.entries()) {
    const client = open();
    const results = await scanCluster({ ...options, client, cluster, isOfFleet });
    addAll(failed, results.errors);
    const isUsed = results.entries.length > 0 || results.errors.length === 0 || index === clients.length - 1;
    const scanned = { cluster, ...results, errors: failed, notes: results.notes.map(noteOn(cluster)) };
    if (isUsed && options.writesFindings) return { ...scanned, client };
    // There may be thousands of clusters: only the writing of their findings needs an open connection to each.
    client.close();
    if (isUsed) return scanned;
  }
  return { cluster, ...NOTHING };
}
