/** One scan, of a cluster or of files, as a report. */
import type { ApiClient } from '../../cluster/live/client.ts';
import type { Policy } from '../../engine/index.ts';
import { type CheckError, type CheckReport, type CheckResult, reportOf } from '../output/report.ts';
import type { Progress } from './progress.ts';
import type { StateScan } from './state.ts';

/** What every scan takes. */
export interface Scan {
  /** Default: what holds without a configuration. */
  readonly policy?: Policy | undefined;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly progress?: Progress | undefined;
}

export interface ScanRun extends Scan {
  readonly source:
    | { readonly client: ApiClient; readonly pageSize: number; readonly withUids?: boolean }
    | Pick<StateScan, 'state' | 'stdin' | 'reading'>;
  readonly failOnNoMatch: boolean;
  /** Ends the scan early; what could not be read is then an error. */
  readonly signal?: AbortSignal | undefined;
}

export interface Findings {
  readonly results: readonly CheckResult[];
  readonly errors: readonly CheckError[];
  /** By index of the result, where they were asked for. */
  readonly uids: readonly (string | undefined)[];
  /** For people. */
  readonly notes: readonly string[];
  /** Objects of kinds muster does not judge. */
  readonly skipped: number;
}

export interface Scanned extends Findings {
  readonly report: CheckReport;
}

/** Judges all that is stored. What can't be read is in the report's errors, and the rest is judged. */
export async function runScan({ source, failOnNoMatch, ...scan }: ScanRun): Promise<Scanned> {
  const found =
    'client' in source
      ? await (await import('./live.ts')).scanCluster({ ...scan, ...source })
      : await (await import('./state.ts')).scanState({ ...scan, ...source });
  const errors = failOnNoMatch && found.results.length === 0 ? [...found.errors, NO_MATCH] : found.errors;
  return { ...found, errors, report: reportOf({ ...found, errors }) };
}

const NO_MATCH: CheckError = {
  file: 'scan',
  line: 1,
  column: 1,
  message: 'nothing of a kind that muster judges was found (--fail-on-no-match)',
};
