/** `muster scan`: evaluates what is stored already, in a cluster or in files. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AccessFlags } from '../../cluster/live/access.ts';
import { plain, shorten } from '../../engine/text.ts';
import { addAccessFlags, exclusive, listedPaths, outputFlag } from '../flags.ts';
import type { Output } from '../output/emit.ts';
import { REPORT_FORMATS } from '../output/formats.ts';
import { FAIL_ON, type FailOn } from '../output/report.ts';
import { UsageError } from '../shared.ts';

const HELP = `
Examples:
  muster scan --live
  muster scan --live --context fleet --config muster.yaml -o json=report.json
  kubectl get clusterclaims,inventoryclusters -o yaml | muster scan --state -

Exit codes: 0 nothing that --fail-on names, 1 something, 2 bad usage, or not all could be read.`;

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

/** Adds the command to the program. What it needs to run is loaded when it runs. */
export function registerScan(program: Command): void {
  const command = program
    .command('scan')
    .summary('evaluate what is stored already')
    .description(
      'Evaluates the objects of a cluster, or of files, as they are stored: finds what admission let through, and what admission cannot see.',
    );
  addAccessFlags(command)
    .addOption(exclusive(new Option('--live', 'scan a cluster, read through kubeconfig'), ['--state']))
    .addOption(listedPaths('--state <path>', 'scan the objects in a file or folder, or - for standard input'))
    .addOption(new Option('--config <file>', 'the MusterConfiguration, as for serve'))
    .addOption(new Option('--page-size <count>', 'the most objects of a page').argParser(pageSize).default(500))
    .addOption(
      new Option('--fail-on <what>', 'exit 1 on this; each choice includes those before it')
        .choices(FAIL_ON)
        .default('denied'),
    )
    .addOption(new Option('--fail-on-no-match', 'an error where no object of a kind that muster evaluates is found'))
    .addOption(outputFlag(REPORT_FORMATS))
    .addOption(new Option('--event', 'write an Event on each object with findings'))
    .addOption(new Option('--report', 'write a ClusterReport and Reports (openreports.io)'))
    .addOption(new Option('--expose-metrics [address]', 'scan repeatedly, and serve /metrics there (default: ":8080")'))
    .addOption(new Option('--interval <time>', 'with --expose-metrics: the time between two scans (default: "1h")'))
    .addHelpText('after', HELP)
    .action(async (flags: ScanFlags) => {
      const [{ parseOutputs }, { runScanCommand }] = await Promise.all([
        import('../output/emit.ts'),
        import('./run.ts'),
      ]);
      await runScanCommand(scanOptions(flags, parseOutputs(flags.output, REPORT_FORMATS)));
    });
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

function pageSize(text: string): number {
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value >= 1 && value <= 10_000) return value;
  throw new InvalidArgumentError('It takes a number from 1 to 10000.');
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
