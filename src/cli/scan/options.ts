/** Validates the flags of `muster scan`, as far as commander can't, and converts them to options. */
import type { AccessFlags } from '../../cluster/live/access.ts';
import { plain, shorten } from '../../engine/text.ts';
import type { Output } from '../output/emit.ts';
import type { FailOn } from '../output/report.ts';
import { UsageError } from '../shared.ts';

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

export interface ScanOptions extends Omit<ScanFlags, 'live' | 'output' | 'exposeMetrics' | 'interval'> {
  readonly outputs: readonly Output[];
  /** Scans again and again, and serves the findings of the last scan as metrics. */
  readonly metrics: { readonly address: Address; readonly intervalMs: number } | undefined;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Checks what commander can't check alone. @throws UsageError where flags contradict each other or leave nothing to do */
export function scanOptions(flags: ScanFlags, outputs: readonly Output[]): ScanOptions {
  const { live = false, state, event, report, output: _, exposeMetrics: __, interval: ___, ...rest } = flags;
  if (!live && state === undefined) throw new UsageError('nothing to scan: give --live for a cluster, or --state PATH');
  if (live && state !== undefined) throw new UsageError('--live and --state exclude each other: use one at a time');
  if (state?.includes('')) throw new UsageError('a path is empty: name a file, a folder, or "-"');
  if (state !== undefined && (event || report))
    throw new UsageError(`--${event ? 'event' : 'report'} needs --live: it writes into the cluster that is scanned`);
  return {
    ...rest,
    ...(state && { state }),
    event: event ?? false,
    report: report ?? false,
    outputs,
    metrics: metricsOf(flags),
  };
}

function metricsOf({ exposeMetrics, interval, state }: ScanFlags): ScanOptions['metrics'] {
  if (exposeMetrics === undefined || exposeMetrics === false) {
    if (interval === undefined) return undefined;
    throw new UsageError('--interval needs --expose-metrics: without it, one scan is made');
  }
  if (state?.includes('-'))
    throw new UsageError('standard input is read once: --expose-metrics needs files, or --live');
  return {
    address: addressOf(exposeMetrics === true ? ':8080' : exposeMetrics),
    intervalMs: durationOf(interval ?? '1h'),
  };
}

/** Reads `HOST:PORT`, `[IPV6]:PORT`, `:PORT` or `PORT`; without a host, all addresses. Port 0 picks a free one. */
function addressOf(text: string): Address {
  const [, bracketed, bare, port] = /^(?:\[([0-9a-fA-F:.]+)\]:|([^:[\]]*):)?(\d{1,5})$/.exec(text) ?? [];
  if (port !== undefined && Number(port) <= 65_535) return { host: bracketed || bare || '::', port: Number(port) };
  throw new UsageError(`--expose-metrics: "${shown(text)}" is no address; write HOST:PORT or :PORT`);
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Reads `90s`, `10m` or `1h`, from a second to a day; returns milliseconds. */
function durationOf(text: string): number {
  const [, count, unit] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? [];
  const duration = Number(count) * (UNITS[unit ?? ''] ?? Number.NaN);
  if (duration >= 1000 && duration <= 24 * 3_600_000) return duration;
  throw new UsageError(`--interval: "${shown(text)}" is no time from 1s to 24h; write 30s, 10m or 1h`);
}

function shown(text: string): string {
  return plain(shorten(text, 60));
}
