/** What `bench:check` and `bench:scan` found last, as it is kept beside this file. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, platform, release } from 'node:os';
import type { Taken } from '../check/measure.ts';

interface Run {
  readonly date: string;
  readonly machine: string;
  readonly count: number;
  readonly rounds: number;
}

/** Each beside what reading alone takes. */
export interface Pair {
  readonly bare: Taken;
  readonly muster: Taken;
}

export interface CheckRun extends Run {
  readonly mebibytes: number;
  readonly folder: Pair;
  readonly file: Pair;
  /** One small manifest, beside a Node that does nothing. */
  readonly single: Pair;
}

export interface ScanRun extends Run {
  readonly scan: Pair;
}

export interface Runs {
  readonly check: CheckRun;
  readonly scan: ScanRun;
}

const fileOf = (name: keyof Runs) => new URL(`./last-run.${name}.json`, import.meta.url);

/** Undefined where none was kept yet. */
export function lastRunOf<K extends keyof Runs>(name: K): Runs[K] | undefined {
  return existsSync(fileOf(name)) ? (JSON.parse(readFileSync(fileOf(name), 'utf8')) as Runs[K]) : undefined;
}

export function keepRun<K extends keyof Runs>(name: K, run: Runs[K]): void {
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value);
  writeFileSync(fileOf(name), `${JSON.stringify(run, rounded, 2)}\n`);
}

/** When and where: `rounds` and `count` are the run's own. */
export function runOf(count: number, rounds: number): Run {
  const [processor, ...more] = cpus();
  const machine = `${processor?.model.trim()}, ${more.length + 1} cores, ${platform()} ${release()}, Node ${process.version}`;
  return { date: new Date().toISOString().slice(0, 10), machine, count, rounds };
}
