/** Tables of a run, for the terminal and for docs/performance.md alike. */
import { median, table } from '../../../support/figures.ts';
import type { Loaded } from './load/job.ts';
import { overall, type Results, type ServerResult } from './results.ts';
import { hadTheCore, reached } from './targets.ts';

/** A row for each server. */
export function figuresTable(results: Results): string {
  const [low = '16', high = '64'] = Object.keys(Object.values(results.servers)[0]?.closed ?? {});
  const head = [
    'server',
    ...[`req/s at ${low}`, `at ${high}`, 'CPU a request', `p50, p99, p99.9 at ${low}`],
    ...['CPU a request', 'p50, p99, p99.9'].map((what) => `${what} at ${results.rate.toLocaleString('en')}/s`),
    ...['resident after', 'cold start'],
  ];
  const rows = Object.values(results.servers).map((server) => [
    server.label,
    rate(server.closed[low]),
    rate(server.closed[high]),
    figure(
      overall(server.closed[low] ?? [], ({ serverCpuMicros }) => serverCpuMicros),
      'µs',
      0,
    ),
    times(server.closed[low] ?? []),
    figure(
      overall(server.open, ({ serverCpuMicros }) => serverCpuMicros),
      'µs',
      0,
    ),
    times(server.open),
    resident(server),
    figure(median(server.coldStartMs), 'ms', 0),
  ]);
  return table(head, rows);
}

/** A row for each target this run can tell of. */
export function targetsTable(results: Results): string {
  const rows = reached(results).map(({ target, ratio, share }) => [
    target.what,
    target.atLeast === undefined ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`,
    ratio.toFixed(2),
    share >= 1 ? 'yes' : 'no',
  ]);
  return table(['what', 'target', 'ratio', 'reached'], rows);
}

/** A row for who is asked about a create through a real API server. */
export function createsTable({ creates = {} }: Results): string {
  const rows = Object.entries(creates).map(([asked, at]) => {
    const added = asked === 'none' ? '' : figure(at - (creates.none ?? Number.NaN), 'ms', 2);
    return [asked, figure(at, 'ms', 2), added];
  });
  return table(['asked', 'p50 of a create', 'added'], rows);
}

/** A row for each kind of write of a cluster's identity. */
export function identityTable({ identityWrites = {} }: Results): string {
  const rows = Object.entries(identityWrites).map(([kind, { milliseconds, calls }]) => [
    kind,
    `${milliseconds.toFixed(1)} ms`,
    String(calls),
  ]);
  return table(['write', 'p50', 'calls to the API server'], rows);
}

/** Whether some server did not have its core to itself: then requests a second tell little. */
export function disturbed({ servers }: Results): boolean {
  return !Object.values(servers).every(({ closed }) => Object.values(closed).every(hadTheCore));
}

const NOT_MEASURED = 'not measured';

function rate(windows: readonly Loaded[] = []): string {
  const perSecond = overall(windows, ({ requestsPerSecond }) => requestsPerSecond);
  return perSecond === undefined ? NOT_MEASURED : Math.round(perSecond).toLocaleString('en');
}

function times(windows: readonly Loaded[]): string {
  if (windows.length === 0) return NOT_MEASURED;
  const one = (of: (loaded: Loaded) => number) => (overall(windows, of) ?? Number.NaN).toFixed(2);
  return `${one(({ latency }) => latency.p50)}, ${one(({ latency }) => latency.p99)}, ${one(({ latency }) => latency.p999)} ms`;
}

function resident({ memory }: ServerResult): string {
  return figure(memory && memory.residentBytes / 2 ** 20, 'MiB', 0);
}

function figure(value: number | undefined, unit: string, digits: number): string {
  return value === undefined || Number.isNaN(value) ? 'unknown' : `${value.toFixed(digits)} ${unit}`;
}
