/** From the flags of `muster scan` to a run: what commander can't check alone. */
import type { AccessFlags } from '../../cluster/live/access.ts';
import { type Output, parseOutputs } from '../output/emit.ts';
import { REPORT_FORMATS } from '../output/formats.ts';
import type { FailOn } from '../output/report.ts';
import { UsageError } from '../shared.ts';
import { type Address, addressOf, durationOf } from './values.ts';

/** As commander delivers them. */
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
  /** `true`: without a value. */
  readonly exposeMetrics?: string | boolean;
  readonly interval?: string;
}

export interface ScanOptions {
  /** Undefined: the cluster. */
  readonly state: readonly string[] | undefined;
  readonly config: string | undefined;
  readonly pageSize: number;
  readonly failOn: FailOn;
  readonly failOnNoMatch: boolean;
  readonly outputs: readonly Output[];
  readonly events: boolean;
  readonly reports: boolean;
  /** Scans again and again, and serves what came of the last. */
  readonly metrics: { readonly address: Address; readonly intervalMs: number } | undefined;
}

/** Throws UsageError where the flags contradict each other or leave nothing to do. */
export function scanOptions(flags: ScanFlags): ScanOptions {
  const { live = false, state, event = false, report = false } = flags;
  if (!live && state === undefined) throw new UsageError('nothing to scan: give --live for a cluster, or --state PATH');
  if (live && state !== undefined) throw new UsageError('--live and --state go apart: scan the one, then the other');
  if (state?.includes('')) throw new UsageError('a path is empty: name a file, a folder, or "-"');
  if (state !== undefined && (event || report))
    throw new UsageError(`--${event ? 'event' : 'report'} needs --live: it writes into the cluster that is scanned`);
  return {
    state,
    config: flags.config,
    pageSize: flags.pageSize,
    failOn: flags.failOn,
    failOnNoMatch: flags.failOnNoMatch ?? false,
    outputs: parseOutputs(flags.output, REPORT_FORMATS),
    events: event,
    reports: report,
    metrics: metricsOf(flags),
  };
}

const EVERY = '1h';
const ANYWHERE = ':8080';

function metricsOf({ exposeMetrics, interval, state }: ScanFlags): ScanOptions['metrics'] {
  if (exposeMetrics === undefined || exposeMetrics === false) {
    if (interval === undefined) return undefined;
    throw new UsageError('--interval needs --expose-metrics: without it, one scan is made');
  }
  if (state?.includes('-'))
    throw new UsageError('standard input is read once: --expose-metrics needs files, or --live');
  const address = addressOf(exposeMetrics === true ? ANYWHERE : exposeMetrics);
  return { address, intervalMs: durationOf(interval ?? EVERY) };
}
