/** Runs `muster scan`: reads a cluster or files, evaluates what is stored, and writes the findings where the flags say. */
import type { ApiClient } from '../../cluster/live/client.ts';
import type { Policy } from '../../engine/index.ts';
import { emitReport } from '../output/emit.ts';
import { type CheckError, type CheckReport, reportOf } from '../output/report.ts';
import { type ProgressLine, progressLine, showReading } from '../progress.ts';
import { loadPolicy, readStdin, UsageError } from '../shared.ts';
import type { FileScan } from './files.ts';
import type { ScanOptions } from './options.ts';
import type { Findings, Scan } from './results.ts';

export interface ScanRun extends Scan {
  readonly source:
    | { readonly client: ApiClient; readonly pageSize: number; readonly withUids?: boolean }
    | Pick<FileScan, 'state' | 'stdin' | 'reading'>;
  readonly failOnNoMatch: boolean;
  /** Ends the scan early; what could not be read is then an error. */
  readonly signal?: AbortSignal | undefined;
}

/** Scans once, or repeatedly with `--expose-metrics`. Sets the process's exit code. @throws UsageError, ConfigError */
export async function runScanCommand(options: ScanOptions): Promise<void> {
  const policy = await loadPolicy(options.config);
  const client = options.state === undefined ? await openClient(options) : undefined;
  const scanOnce = (signal?: AbortSignal) => scanAndReport({ options, policy, client, signal });
  try {
    if (options.metrics === undefined) await scanOnce();
    else await scanRepeatedly(options.metrics, scanOnce);
  } finally {
    client?.close();
  }
}

/** Evaluates all that is stored. What can't be read is in the report's errors, and the rest is evaluated. */
export async function runScan({
  source,
  failOnNoMatch,
  ...scan
}: ScanRun): Promise<Findings & { report: CheckReport }> {
  const found =
    'client' in source
      ? await (await import('./live.ts')).scanCluster({ ...scan, ...source })
      : await (await import('./files.ts')).scanFiles({ ...scan, ...source });
  const errors = failOnNoMatch && found.results.length === 0 ? [...found.errors, NO_MATCH] : found.errors;
  return { ...found, errors, report: reportOf({ ...found, errors }) };
}

const NO_MATCH: CheckError = {
  ...{ file: 'scan', line: 1, column: 1 },
  message: 'no object of a kind that muster evaluates was found (--fail-on-no-match)',
};

interface Scanning {
  readonly options: ScanOptions;
  readonly policy: Policy | undefined;
  /** Undefined: files are read. */
  readonly client: ApiClient | undefined;
  readonly signal: AbortSignal | undefined;
}

async function scanAndReport({ options, policy, client, signal }: Scanning): Promise<CheckReport> {
  const line = progressLine(process.stderr, process.env);
  const source = client
    ? { client, pageSize: options.pageSize, withUids: options.event || options.report || false }
    : { state: options.state ?? [], stdin: readStdin, reading: showReading(line) };
  const failOnNoMatch = options.failOnNoMatch ?? false;
  const onProgress = line && showProgress(line);
  const found = await runScan({ source, policy, clock: Date.now, failOnNoMatch, onProgress, signal });
  line?.end();
  if (signal?.aborted) return found.report;
  const { errors, notes } = client ? await writeIntoCluster(client, found, options) : { errors: [], notes: [] };
  const report = errors.length === 0 ? found.report : reportOf({ ...found, errors: [...found.errors, ...errors] });
  const { failOn, outputs } = options;
  await emitReport(report, [...found.notes, ...notes], {
    command: 'muster scan',
    outputs,
    failOn,
    hasFiles: client === undefined,
  });
  return report;
}

/** Shows the sum over all kinds. */
function showProgress(line: ProgressLine): NonNullable<Scan['onProgress']> {
  const kinds = new Map<string, { readonly count: number; readonly remaining: number }>();
  return (kind, count, remaining = 0) => {
    kinds.set(kind, { count, remaining });
    line.show(() => {
      const all = [...kinds.values()];
      const done = all.reduce((sum, one) => sum + one.count, 0);
      const rest = all.reduce((sum, one) => sum + one.remaining, 0);
      return `scanning ${kind}: ${done}${rest > 0 ? ` of at least ${done + rest}` : ''} objects`;
    });
  };
}

async function writeIntoCluster(client: ApiClient, found: Findings, { event, report }: ScanOptions) {
  const [{ objectsIn }, { writeEvents }, { writeReports }] = await Promise.all([
    import('./findings.ts'),
    import('./events.ts'),
    import('./reports.ts'),
  ]);
  const [objects, now] = [objectsIn(found), Date.now()];
  const written = [
    ...(event ? [await writeEvents(client, objects, now)] : []),
    ...(report ? [await writeReports(client, { objects, errors: found.errors, now })] : []),
  ];
  return { errors: written.flatMap(({ errors }) => errors), notes: written.flatMap(({ notes }) => notes) };
}

/** Ends with exit code 0 on a signal, whatever the last scan found: the metrics say that. */
async function scanRepeatedly(
  metrics: NonNullable<ScanOptions['metrics']>,
  scanOnce: (signal: AbortSignal) => Promise<CheckReport>,
): Promise<void> {
  const { exposeMetrics } = await import('./metrics.ts');
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort());
  const log = (line: string) => process.stderr.write(`${line}\n`);
  await exposeMetrics({ ...metrics, scanOnce, signal: stop.signal, log });
  process.exitCode = 0;
}

/** A kubeconfig that can't be used is a usage error. */
async function openClient(options: ScanOptions): Promise<ApiClient> {
  const [{ openCluster }, { ClusterError }] = await Promise.all([
    import('../../cluster/live/client.ts'),
    import('../../cluster/live/errors.ts'),
  ]);
  try {
    return await openCluster(options);
  } catch (error) {
    if (error instanceof ClusterError) throw new UsageError(error.message);
    throw error;
  }
}
