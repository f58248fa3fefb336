/** Runs `muster scan`: reads a cluster or files, evaluates what is stored, and writes the findings where the flags say. */
import type { AccessFlags } from '../../cluster/live/access.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import type { Policy } from '../../engine/index.ts';
import { emitReport, type Output, parseOutputs } from '../output/emit.ts';
import { REPORT_FORMATS } from '../output/formats.ts';
import { type CheckReport, type FailOn, reportOf } from '../output/report.ts';
import { type ProgressLine, progressLine, showReading } from '../progress.ts';
import { loadPolicy, openClient, readStdin, UsageError } from '../shared.ts';
import type { Findings, Scan } from './results.ts';

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
  readonly exposeMetrics?: { readonly host: string; readonly port: number };
  /** Milliseconds. */
  readonly interval?: number;
}

const HOUR_MS = 3_600_000;

/** Scans once, or repeatedly with `--expose-metrics`. Sets the process's exit code. Throws UsageError, ConfigError. */
export async function scanCommand(flags: ScanFlags): Promise<void> {
  refuseUnclear(flags);
  const outputs = parseOutputs(flags.output, REPORT_FORMATS);
  const policy = await loadPolicy(flags.config);
  const client = flags.live ? await openClient(flags) : undefined;
  const scanOnce = (signal?: AbortSignal) => scanAndReport(flags, { outputs, policy, client, signal });
  try {
    if (flags.exposeMetrics === undefined) await scanOnce();
    else await scanRepeatedly(flags.exposeMetrics, flags.interval ?? HOUR_MS, scanOnce);
  } finally {
    client?.close();
  }
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

interface Scanning {
  readonly outputs: readonly Output[];
  readonly policy: Policy | undefined;
  /** Undefined: files are read. */
  readonly client: ApiClient | undefined;
  /** Ends the scan early. */
  readonly signal: AbortSignal | undefined;
}

async function scanAndReport(flags: ScanFlags, { outputs, policy, client, signal }: Scanning): Promise<CheckReport> {
  const { event = false, report = false, failOn } = flags;
  const line = progressLine(process.stderr, process.env);
  const scan: Scan = { policy, clock: Date.now, onProgress: line && showProgress(line) };
  const found = client
    ? await (await import('./live.ts')).scanCluster({ ...scan, ...flags, client, signal, withUids: event || report })
    : await (await import('./files.ts')).scanFiles({ ...scan, ...flags, stdin: readStdin, reading: showReading(line) });
  line?.end();
  const { objects, skipped } = found;
  const results = objects.map(({ result }) => result);
  const errors = [...found.errors, ...(flags.failOnNoMatch && results.length === 0 ? [NO_MATCH] : [])];
  if (signal?.aborted) return reportOf({ results, errors, skipped });
  const written = client ? await writeIntoCluster(client, { ...found, errors }, flags) : { errors: [], notes: [] };
  const collected = reportOf({ results, errors: [...errors, ...written.errors], skipped });
  const options = { command: 'muster scan', outputs, failOn, hasFiles: client === undefined };
  await emitReport(collected, [...found.notes, ...written.notes], options);
  return collected;
}

const NO_MATCH = {
  ...{ file: 'scan', line: 1, column: 1 },
  message: 'no object of a kind that muster evaluates was found (--fail-on-no-match)',
};

/** Shows the sum over all kinds. */
function showProgress(line: ProgressLine): NonNullable<Scan['onProgress']> {
  const kinds = new Map<string, { readonly count: number; readonly remaining: number }>();
  const sum = (of: 'count' | 'remaining') => [...kinds.values()].reduce((total, kind) => total + kind[of], 0);
  return (kind, count, remaining = 0) => {
    kinds.set(kind, { count, remaining });
    line.show(() => {
      const [done, rest] = [sum('count'), sum('remaining')];
      return `scanning ${kind}: ${done}${rest > 0 ? ` of at least ${done + rest}` : ''} objects`;
    });
  };
}

async function writeIntoCluster(client: ApiClient, found: Findings, { event, report }: ScanFlags) {
  const now = Date.now();
  const written = [
    ...(event ? [await (await import('./events.ts')).writeEvents(client, found.objects, now)] : []),
    ...(report ? [await (await import('./reports.ts')).writeReports(client, found, now)] : []),
  ];
  return { errors: written.flatMap(({ errors }) => errors), notes: written.flatMap(({ notes }) => notes) };
}

/** Scans until a signal. Then the exit code is 0, whatever the last scan found: the metrics show that. */
async function scanRepeatedly(
  address: NonNullable<ScanFlags['exposeMetrics']>,
  intervalMs: number,
  scanOnce: (signal: AbortSignal) => Promise<CheckReport>,
): Promise<void> {
  const { exposeMetrics } = await import('./metrics.ts');
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort());
  const log = (line: string) => process.stderr.write(`${line}\n`);
  await exposeMetrics({ address, intervalMs, scanOnce, signal: stop.signal, log });
  process.exitCode = 0;
}
