/** Runs processes side by side in rounds, and returns what each took. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../../../support/figures.ts';

/** A process to measure. */
export interface Contender {
  /** The path of a program; by default Node. */
  readonly program?: string;
  readonly args: readonly string[];
  /** The exit codes it may have. */
  readonly codes: readonly number[];
}

export interface Taken {
  readonly wallMs: number;
  /** User and system time of all its threads: what a busy machine changes least. */
  readonly cpuMs: number;
  /** The most of its memory that was resident at a time; NaN for a program that is not Node. */
  readonly peakMiB: number;
}

const PRELOADED = fileURLToPath(new URL('resources.js', import.meta.url));

/**
 * Returns what they took, in their order: of each figure the median of the rounds, or what `choose` returns for it.
 * @throws where one ends otherwise than it may
 */
export function measure<const T extends readonly Contender[]>(
  contenders: T,
  rounds: number,
  folder: string,
  choose: (figures: readonly number[]) => number = median,
): { [K in keyof T]: Taken } {
  const taken = contenders.map((): Taken[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) taken[index]?.push(once(contender, folder));
  }
  return taken.map((runs) => chosen(runs, choose)) as { [K in keyof T]: Taken };
}

function once({ program, args, codes }: Contender, folder: string): Taken {
  const resources = join(folder, 'resources.json');
  // The shell says at its end what its children took.
  const command = program
    ? ['/bin/sh', '-c', '"$@" >&2; code=$?; times; exit $code', 'sh', program, ...args]
    : [process.execPath, '--import', PRELOADED, ...args];
  const begun = performance.now();
  const { status, stdout, stderr } = spawnSync(command[0] ?? '', command.slice(1), {
    stdio: ['ignore', program ? 'pipe' : 'ignore', 'pipe'],
    maxBuffer: 2 ** 28,
    env: { ...process.env, BENCH_RESOURCES: resources },
  });
  const wallMs = performance.now() - begun;
  if (status === null || !codes.includes(status)) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  if (program) return { wallMs, cpuMs: childrenMs(String(stdout)), peakMiB: Number.NaN };
  return { wallMs, ...(JSON.parse(readFileSync(resources, 'utf8')) as Omit<Taken, 'wallMs'>) };
}

/** The second line of `times`: user and system time of the children, as `0m1.230s`. */
function childrenMs(times: string): number {
  const parts = [...(times.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0);
}

function chosen(runs: readonly Taken[], choose: (figures: readonly number[]) => number): Taken {
  const of = (figure: keyof Taken) => choose(runs.map((run) => run[figure]));
  return { wallMs: of('wallMs'), cpuMs: of('cpuMs'), peakMiB: of('peakMiB') };
}
