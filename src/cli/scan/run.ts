/**
 * Runs `muster scan`: reads clusters or files, evaluates the stored objects, and writes the findings to the outputs.
 */

import { UsageError } from '../../base/usage-error.ts';
import type { Policy } from '../../engine/index.ts';
import { createStoredEngine } from '../../engine/stored-objects.ts';
import { createRunComparison } from '../../evaluation/run-comparison.ts';
import { withCluster } from '../../input/objects.ts';
import { type Baseline, readBaseline } from '../../report/baseline.ts';
import { emitReport, type Output, parseOutputs, refuseInputs, refuseToReplace } from '../../report/emit.ts';
import { REPORT_FORMATS } from '../../report/formats.ts';
import { type CheckReport, type RunPart, reportOf, resultsIn } from '../../report/report.ts';
import { NO_MATCH, noteLines, nothingEvaluated } from '../notes.ts';
import { type ProgressLine, progressLine, showReading, writeSkipped } from '../progress.ts';
import { loadSettings, readStdin, reportFailure, stopSignal } from '../shared.ts';
import { type LiveScan, withinTime } from './limits.ts';
import { refuseUnclear, type ScanFlags } from './options.ts';
import type { ScanRegistrar } from './registrar.ts';
import { noteOn, type ScannedCluster, scanSideBySide, type Targets } from './side-by-side.ts';
import { openTargets, type TargetSource } from './targets.ts';

/** Scans once, or repeatedly with `--expose-metrics`. Sets the process's exit code. Throws UsageError, ConfigError. */
export async function scanCommand(flags: ScanFlags): Promise<void> {
  refuseUnclear(flags);
  const inputs = [...(flags.state ?? []), flags.providerFile, flags.config, flags.baseline];
  const outputs = parseOutputs(flags.output, REPORT_FORMATS, inputs);
  const loaded = await loadSettings(flags.config);
  const policy = loaded?.policy;
  const registrar =
    loaded?.policy.settings.registrar &&
    (await (await import('./registrar.ts')).openScanRegistrar(flags.config ?? '', loaded));
  const baseline = flags.baseline === undefined ? undefined : await readBaseline(flags.baseline);
  refuseInputs(registrar?.files, outputs);
  const source = await openTargets(flags);
  const scanOnce = (signal?: AbortSignal) =>
    scanAndReport(flags, { outputs, policy, registrar, baseline, source, signal });
  try {
    refuseInputs(source.files, outputs);
    if (flags.exposeMetrics === undefined) await scanOnce();
    else await scanRepeatedly(flags.exposeMetrics, flags.interval, scanOnce);
  } finally {
    source.close();
    registrar?.close();
  }
}

/** What the scans of a command share. */
interface Scanning {
  readonly registrar: ScanRegistrar | undefined;
  readonly outputs: readonly Output[];
  readonly policy: Policy | undefined;
  readonly baseline: Baseline | undefined;
  readonly source: TargetSource;
  /** Ends the scan early. */
  readonly signal: AbortSignal | undefined;
}

async function scanAndReport(flags: ScanFlags, scanning: Scanning): Promise<CheckReport> {
  const { outputs, policy, registrar, baseline, source, signal } = scanning;
  const { failOn, parallel, timeout: timeoutMs, pageSize } = flags;
  const line = progressLine(process.stderr, process.env);
  const found = await source.find(signal);
  // If a cluster can't be opened, the run does not have every cluster.
  const isComplete = flags.complete === true && found.errors.length === 0;
  const comparison = createRunComparison({ policy, point: 'scan', isComplete });
  const filesRead = new Set<string>();
  const clusters = await scanSideBySide(found.targets, {
    engine: createStoredEngine(policy),
    comparison,
    onProgress: line && showProgress(line),
    reserveFor: registrar?.reserveFor,
    writesFindings: flags.event || flags.report,
    parallel,
    timeoutMs,
    pageSize,
    signal,
    reading: {
      stdin: readStdin,
      onFileRead: (file: string) => void filesRead.add(file),
      onReadProgress: showReading(line),
      listSkipped: flags.verbose ? writeSkipped(line) : undefined,
    },
  });
  try {
    line?.end();
    const placedNotes = clusters.flatMap((one) => one.placedNotes ?? []);
    const parts: readonly RunPart[] = [
      { notes: noteLines(placedNotes, flags.verbose === true) },
      found,
      { notes: registrar?.notes ?? [] },
      ...clusters,
      ...unopened(found),
      comparison.finish(),
    ];
    const results = resultsIn(parts);
    const noMatch = flags.failOnNoMatch && results.length === 0 ? [{ message: NO_MATCH }] : [];
    const filtered = baseline?.newIn(results);
    const written = await writeIntoClusters(clusters, flags, signal);
    const report = reportOf([...parts, { errors: noMatch }, ...written], filtered?.results);
    if (signal?.aborted) return report;
    const isEmpty = results.length + report.errors.length === 0;
    const notes = [
      ...parts.flatMap((part) => part.notes ?? []),
      ...(flags.state && !flags.quiet && isEmpty ? [nothingEvaluated(report.summary.skipped)] : []),
      ...(filtered ? [filtered.note] : []),
      ...written.flatMap((part) => part.notes ?? []),
    ];
    try {
      refuseToReplace([...filesRead, ...found.files], outputs);
      await emitReport(report, notes, { command: 'muster scan', outputs, failOn });
      return report;
    } catch (error) {
      // With metrics there is a next scan. By then, the disk may have space again.
      if (flags.exposeMetrics === undefined || !(error instanceof UsageError)) throw error;
      reportFailure(error);
      return { ...report, errors: [...report.errors, { message: error.message }] };
    }
  } finally {
    for (const { client } of clusters) client?.close();
  }
}

/** Returns the clusters of a fleet that could not be opened: the report has a summary of each. */
function unopened({ errors }: Targets) {
  return errors.flatMap(({ cluster }) => (cluster === undefined ? [] : { cluster, skipped: 0 }));
}

/** Returns a callback that shows the progress, summed over all kinds. */
function showProgress(line: ProgressLine): NonNullable<LiveScan['onProgress']> {
  const kinds = new Map<string, { readonly count: number; readonly remaining: number }>();
  const sum = (of: 'count' | 'remaining') => [...kinds.values()].reduce((total, kind) => total + kind[of], 0);
  return (kind, count, remaining = 0) => {
    kinds.set(kind, { count, remaining });
    line.show(() => {
      const done = sum('count');
      const rest = sum('remaining');
      return `scanning ${kind}: ${done}${rest > 0 ? ` of at least ${done + rest}` : ''} objects`;
    });
  };
}

/** Writes the findings of each cluster into it, until the signal, and within `--timeout` for each. */
async function writeIntoClusters(
  clusters: readonly ScannedCluster[],
  { event, report, timeout: timeoutMs }: ScanFlags,
  signal: AbortSignal | undefined,
): Promise<readonly RunPart[]> {
  const parts: RunPart[] = [];
  for (const { cluster, client, ...results } of clusters) {
    if (client === undefined || signal?.aborted) continue;
    const now = Date.now();
    const { client: until } = withinTime(client, { signal, timeoutMs }, 'did not take all findings');
    const written = [
      ...(event ? [await (await import('./events.ts')).writeEvents(until, results.entries, now)] : []),
      ...(report ? [await (await import('./openreports.ts')).writeOpenReports(until, results, now)] : []),
    ];
    for (const { errors, notes } of written)
      parts.push({ errors: errors.map((error) => withCluster(cluster, error)), notes: notes.map(noteOn(cluster)) });
  }
  return parts;
}

/** Scans until a signal. Then the exit code is 0, whatever the last scan found: the metrics show that. */
async function scanRepeatedly(
  address: NonNullable<ScanFlags['exposeMetrics']>,
  intervalMs: number,
  scanOnce: (signal: AbortSignal) => Promise<CheckReport>,
): Promise<void> {
  const { exposeMetrics } = await import('./metrics.ts');
  const log = (line: string) => process.stderr.write(`${line}\n`);
  await exposeMetrics({ address, intervalMs, scanOnce, signal: stopSignal(), log });
  process.exitCode = 0;
}
