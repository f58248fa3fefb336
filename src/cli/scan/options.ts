/** The flags of `muster scan` as commander parses them, and which of them go together. */
import type { AccessFlags } from '../../cluster/live/access.ts';
import type { FailOn } from '../output/report.ts';
import { UsageError } from '../shared.ts';

export interface ScanFlags extends AccessFlags {
  readonly live?: boolean;
  readonly state?: readonly string[];
  readonly config?: string;
  readonly pageSize: number;
  readonly failOn: FailOn;
  readonly failOnNoMatch?: boolean;
  readonly output?: readonly string[];
  readonly event?: boolean;
  readonly report?: boolean;
  /** Scans repeatedly, and serves the findings of the last scan as metrics. */
  readonly exposeMetrics?: Address;
  /** Milliseconds. */
  readonly interval?: number;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Throws UsageError if flags contradict each other or leave nothing to do. */
export function refuseUnclear({ live, state, event, report, exposeMetrics, interval }: ScanFlags): void {
  if (!live && state === undefined) throw new UsageError('nothing to scan: give --live for a cluster, or --state PATH');
  if (live && state !== undefined) throw new UsageError('--live and --state exclude each other: use one at a time');
  if (state?.includes('')) throw new UsageError('a path is empty: name a file, a folder, or "-"');
  if (state !== undefined && (event || report))
    throw new UsageError(`--${event ? 'event' : 'report'} needs --live: it writes into the cluster that is scanned`);
  if (exposeMetrics === undefined && interval !== undefined)
    throw new UsageError('--interval needs --expose-metrics: without it, one scan is made');
  if (exposeMetrics !== undefined && state?.includes('-'))
    throw new UsageError('standard input is read once: --expose-metrics needs files, or --live');
}
