/** Runs `muster scan`: reads a cluster or files, evaluates what is stored, and writes the findings where the flags say. */
import type { ApiClient } from '../../cluster/live/client.ts';
import type { Policy } from '../../engine/index.ts';
import { emitReport, type Output, parseOutputs } from '../output/emit.ts';
import { REPORT_FORMATS } from '../output/formats.ts';
import { type CheckReport, reportOf } from '../output/report.ts';
import { type ProgressLine, progressLine, showReading } from '../progress.ts';
import { loadPolicy, openClient, readStdin } from '../shared.ts';
import { type Address, refuseUnclear, type ScanFlags } from './options.ts';
import type { Findings, Scan } from './results.ts';

const HOUR_MS = 3_600_000;

/** Scans once, or repeatedly with `--expose-metrics`. Sets the process's exit code. Throws UsageError, ConfigError. */
export async function scanCommand(flags: ScanFlags): Promise<void> {
  refuseUnclear(flags);
  const outputs = parseOutputs(flags.output, REPORT_FORMATS);
  const policy = await loadPolicy(flags.config);
  const client = flags.live ? await openClient(flags) : undefined;
  const scanOnce = (signal?: AbortSignal) => scanAndReport({ flags, outputs, policy, client, signal });
  try {
    if (flags.exposeMetrics === undefined) await scanOnce();
    else await scanRepeatedly(flags.exposeMetrics, flags.interval ?? HOUR_MS, scanOnce);
  } finally {
    client?.close();
  }
}

interface Scanning {
  readonly flags: ScanFlags;
  readonly outputs: readonly Output[];
  readonly policy: Policy | undefined;
  /** Undefined: files are read. */
  readonly client: ApiClient | undefined;
  /** Ends the scan early. */
  readonly signal: AbortSignal | undefined;
}

async function scanAndReport({ flags, outputs, policy, client, signal }: Scanning): Promise<CheckReport> {
  const { event = false, report = false, failOn } = flags;
  const line = progressLine(process.stderr, process.env);
  const scan: Scan = { policy, clock: Date.now, onProgress: line && showProgress(line) };
  const found = client
    ? await (await import('./live.ts')).scanCluster({ ...scan, ...flags, client, signal, withUids: event || report })
    : await (await import('./files.ts')).scanFiles({ ...scan, ...flags, stdin: readStdin, reading: showReading(line) });
  line?.end();
  const results = found.objects.map(({ result }) => result);
  const errors = [...found.errors];
  if (flags.failOnNoMatch && results.length === 0) errors.push(NO_MATCH);
  const { skipped } = found;
  if (signal?.aborted) return reportOf({ results, errors, skipped });
  const written = client ? await writeIntoCluster(client, { ...found, errors }, flags) : { errors: [], notes: [] };
  const collected = reportOf({ results, errors: [...errors, ...written.errors], skipped });
  const hasFiles = client === undefined;
  await emitReport(collected, [...found.notes, ...written.notes], {
    command: 'muster scan',
    outputs,
    failOn,
    hasFiles,
  });
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
  address: Address,
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
