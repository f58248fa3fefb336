/** What a run of the benchmark found, as it is kept in last-run.json. */
import { readFileSync, writeFileSync } from 'node:fs';
import { median } from '../../../support/figures.ts';
import type { Loaded } from './load/job.ts';

export type ServerId = 'bare' | 'echo' | 'go' | 'muster';

export interface ServerResult {
  readonly label: string;
  /** Windows of the closed loop, one a round, by connections. */
  readonly closed: Readonly<Record<string, readonly Loaded[]>>;
  /** Windows of the open loop. */
  readonly open: readonly Loaded[];
  /** Milliseconds from its start to its first right answer, at each start. */
  readonly coldStartMs: readonly number[];
  readonly memory: Memory | undefined;
}

export interface Memory {
  readonly requests: number;
  readonly residentBytes: number;
}

/** One kind of write of a cluster's identity, at the median. */
export interface IdentityWrite {
  readonly milliseconds: number;
  /** To the API server, of muster, for one write. */
  readonly calls: number;
}

/** Who is asked about a create; `none`: nobody. */
export type Asked = ServerId | 'none';
/** Milliseconds of a create through a real API server at the median, by who is asked. */
export type Medians = Readonly<Partial<Record<Asked, number>>>;

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly system: string;
  readonly node: string;
  /** Whether server and generator had a core each to themselves. */
  readonly pinned: boolean;
}

export interface Results {
  readonly date: string;
  readonly form: 'full' | 'short';
  readonly rate: number;
  readonly machine: Machine;
  readonly servers: Readonly<Partial<Record<ServerId, ServerResult>>>;
  readonly creates?: Medians;
  readonly identityWrites?: Readonly<Record<string, IdentityWrite>>;
}

const FILE = new URL('./last-run.json', import.meta.url);

export function lastRun(): Results {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

export function keep(results: Results): void {
  writeFileSync(FILE, `${JSON.stringify(results, rounded, 1)}\n`);
}

/** The median of one figure over windows; undefined where a window lacks it. */
export function overall(
  windows: readonly Loaded[],
  figure: (window: Loaded) => number | undefined,
  pick: (values: readonly number[]) => number = median,
): number | undefined {
  const values = windows.map(figure);
  return values.length === 0 || values.includes(undefined) ? undefined : pick(values as number[]);
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}
