/** Puts a scan together: what is read, what is judged by, and where the findings go. */
import type { ApiClient } from '../../cluster/live/client.ts';
import type { Policy } from '../../engine/index.ts';
import { emitReport } from '../output/emit.ts';
import { type CheckReport, reportOf } from '../output/report.ts';
import { progressLine, showReading } from '../progress.ts';
import { loadPolicy, readStdin, UsageError } from '../shared.ts';
import { type ScanFlags, type ScanOptions, scanOptions } from './options.ts';
import { progressOn } from './progress.ts';
import { runScan, type Scanned } from './run.ts';

/** One scan, or with `--expose-metrics` many. Sets the process's exit code. @throws UsageError, ConfigError */
export async function scan(flags: ScanFlags): Promise<void> {
  const options = scanOptions(flags);
  const policy = await loadPolicy(options.config);
  const client = options.state === undefined ? await openedCluster(flags) : undefined;
  const scanning: Scanning = { options, policy, client };
  try {
    if (options.metrics === undefined) await round(scanning, undefined);
    else await rounds(scanning, options.metrics);
  } finally {
    client?.close();
  }
}

interface Scanning {
  readonly options: ScanOptions;
  readonly policy: Policy | undefined;
  /** Undefined: files are read. */
  readonly client: ApiClient | undefined;
}

/** One scan with all that it writes. */
async function round({ options, policy, client }: Scanning, signal: AbortSignal | undefined): Promise<CheckReport> {
  const line = progressLine(process.stderr, process.env);
  const source = client
    ? { client, pageSize: options.pageSize, withUids: options.events || options.reports }
    : { state: options.state ?? [], stdin: readStdin, reading: showReading(line) };
  const { failOnNoMatch } = options;
  const found = await runScan({ source, policy, clock: Date.now, failOnNoMatch, progress: progressOn(line), signal });
  line?.end();
  // Whoever stops it wants no more of it.
  if (signal?.aborted) return found.report;
  const { errors, notes } = client ? await writtenInto(client, found, options) : { errors: [], notes: [] };
  const report = errors.length === 0 ? found.report : reportOf({ ...found, errors: [...found.errors, ...errors] });
  await tell(report, [...found.notes, ...notes], options);
  return report;
}

async function writtenInto(client: ApiClient, found: Scanned, { events, reports }: ScanOptions) {
  const [{ metIn }, { writeEvents }, { writeReports }] = await Promise.all([
    import('./met.ts'),
    import('./events.ts'),
    import('./reports.ts'),
  ]);
  const [objects, now] = [metIn(found), Date.now()];
  const written = [
    ...(events ? [await writeEvents(client, objects, now)] : []),
    ...(reports ? [await writeReports(client, { objects, errors: found.errors, now })] : []),
  ];
  return { errors: written.flatMap(({ errors }) => errors), notes: written.flatMap(({ notes }) => notes) };
}

function tell(report: CheckReport, notes: readonly string[], options: ScanOptions): Promise<void> {
  const { failOn, outputs, state } = options;
  return emitReport(report, notes, { command: 'muster scan', failOn, outputs, hasFiles: state !== undefined });
}

/** Ends well when it is told to end, whatever the last scan found: what that was, the metrics said. */
async function rounds(scanning: Scanning, metrics: NonNullable<ScanOptions['metrics']>): Promise<void> {
  const { exposeMetrics } = await import('./exporter.ts');
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort());
  await exposeMetrics({
    ...metrics,
    round: (signal) => round(scanning, signal),
    signal: stop.signal,
    say: (line) => process.stderr.write(`${line}\n`),
  });
  process.exitCode = 0;
}

/** A kubeconfig that can't be used is the caller's to mend. */
async function openedCluster(flags: ScanFlags): Promise<ApiClient> {
  const [{ openCluster }, { ClusterError }] = await Promise.all([
    import('../../cluster/live/client.ts'),
    import('../../cluster/live/errors.ts'),
  ]);
  try {
    return openCluster(flags);
  } catch (error) {
    if (error instanceof ClusterError) throw new UsageError(error.message);
    throw error;
  }
}
