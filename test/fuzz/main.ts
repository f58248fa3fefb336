/**
 * `npm run fuzz -- --runs N [--target T] [--seed S] [--input FILE] [--keep]`: fuzzes the decoder with engine, rules and response
 * (a target for each concept), the configuration and the YAML reader. Exit 1 if something broke.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { keepInputs, keptInputs } from './corpus.ts';
import { fuzz } from './fuzzer.ts';
import { instrument } from './instrument.ts';
import type { Target } from './target.ts';

/** Printed with `--json`. */
export interface FuzzRun {
  readonly reports: readonly FuzzReport[];
  /** Pieces of the sources that ran, and all of them. */
  readonly reached: number;
  readonly pieces: number;
}

interface FuzzReport {
  readonly target: string;
  readonly executions: number;
  readonly slowestMs: number;
  /** Rules that reported nothing. */
  readonly silent: readonly string[];
  readonly broken: readonly string[];
}

/** Instrumented before anything of it is loaded. */
const INSTRUMENTED = /\/src\/(server|engine|rules|config|documents)/;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20000' },
    target: { type: 'string' },
    seed: { type: 'string', default: '20261121' },
    input: { type: 'string' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

const LOADERS: Readonly<Record<string, () => Promise<Target>>> = {
  claim: async () => (await import('./targets/review.ts')).reviewTarget('claim'),
  inventory: async () => (await import('./targets/review.ts')).reviewTarget('inventory'),
  feature: async () => (await import('./targets/review.ts')).reviewTarget('feature'),
  configuration: async () => (await import('./targets/configuration.ts')).configuration,
  yaml: async () => (await import('./targets/yaml.ts')).yaml,
};

const chosen = values.target === undefined ? Object.keys(LOADERS) : [values.target];
const coverage = instrument(INSTRUMENTED);
const reached = new Set<number>();
const reports: FuzzReport[] = [];
for (const name of chosen) reports.push(await run(name));
const whole: FuzzRun = { reports, reached: reached.size, pieces: coverage.left().length };
if (values.json) process.stdout.write(`${JSON.stringify(whole)}\n`);
process.exitCode = reports.some(({ broken }) => broken.length > 0) ? 1 : 0;

async function run(name: string): Promise<FuzzReport> {
  const load = LOADERS[name];
  if (load === undefined) throw new Error(`no target "${name}"; there are ${Object.keys(LOADERS).join(', ')}`);
  coverage.clear();
  const target = await load();
  coverage.loaded();
  if (values.input !== undefined) await target.run(readFileSync(values.input));
  const runs = values.input === undefined ? Math.ceil(Number(values.runs) / chosen.length) : 0;
  const result = await fuzz({ target, coverage, runs, seed: Number(values.seed), corpus: keptInputs(name) });
  if (values.keep) keepInputs(name, await smallest(target, result.corpus));
  for (const index of result.reached) reached.add(index);
  const broken = result.broken.map(({ input, error }) => {
    const file = fileOf(name, input);
    const text = `${error instanceof Error ? error.stack : error}\n  npm run fuzz -- --target ${name} --input ${file}`;
    process.stderr.write(`broken: ${text}\n`);
    return text;
  });
  const { executions, slowestMs } = result;
  process.stderr.write(
    `${name}: ${executions} executions, ${result.reached.length} pieces reached, broken ${broken.length}\n`,
  );
  return { target: name, executions, slowestMs, silent: target.silent?.() ?? [], broken };
}

function fileOf(name: string, input: Buffer): string {
  const folder = join(tmpdir(), 'muster-fuzz');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}-${createHash('sha256').update(input).digest('hex').slice(0, 12)}`);
  writeFileSync(file, input);
  return file;
}

/** Returns few and short inputs that reach all that the corpus reaches. */
async function smallest(target: Target, corpus: readonly Buffer[]): Promise<Buffer[]> {
  const seeds = new Set(target.seeds().map((seed) => seed.toString('latin1')));
  const isSeed = (input: Buffer) => seeds.has(input.toString('latin1'));
  const inOrder = [...corpus].sort((a, b) => Number(isSeed(b)) - Number(isSeed(a)) || a.length - b.length);
  const covered = new Set<number>();
  const kept: Buffer[] = [];
  for (const input of inOrder) {
    coverage.clear();
    await target.run(input);
    const ran = coverage.pieces.map((_, index) => index).filter((index) => coverage.counters[index] !== 0);
    if (ran.every((index) => covered.has(index))) continue;
    for (const index of ran) covered.add(index);
    if (!isSeed(input)) kept.push(input);
  }
  return kept;
}
