/** Runs processes side by side in rounds, and returns what each took: the median of each figure. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A Node process to measure. */
export interface Contender {
  readonly args: readonly string[];
  /** The exit codes it may have. */
  readonly codes: readonly number[];
}

export interface Taken {
  readonly wallMs: number;
  /** User and system time of all its threads: what a busy machine changes least. */
  readonly cpuMs: number;
  /** The most of its memory that was resident at a time. */
  readonly peakMiB: number;
}

const PRELOADED = fileURLToPath(new URL('resources.js', import.meta.url));

/** The medians, in the order of the contenders. Throws where one ends otherwise than it may. */
export function measure<const T extends readonly Contender[]>(
  contenders: T,
  rounds: number,
  folder: string,
): { [K in keyof T]: Taken } {
  const taken = contenders.map((): Taken[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) taken[index]?.push(once(contender, folder));
  }
  return taken.map(medians) as { [K in keyof T]: Taken };
}

function once({ args, codes }: Contender, folder: string): Taken {
  const resources = join(folder, 'resources.json');
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--import', PRELOADED, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 2 ** 28,
    env: { ...process.env, BENCH_RESOURCES: resources },
  });
  const wallMs = performance.now() - begun;
  if (status === null || !codes.includes(status)) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return { wallMs, ...(JSON.parse(readFileSync(resources, 'utf8')) as Omit<Taken, 'wallMs'>) };
}

function medians(runs: readonly Taken[]): Taken {
  const median = (of: (one: Taken) => number) => {
    const sorted = runs.map(of).sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? 0;
  };
  return {
    wallMs: median(({ wallMs }) => wallMs),
    cpuMs: median(({ cpuMs }) => cpuMs),
    peakMiB: median(({ peakMiB }) => peakMiB),
  };
}
