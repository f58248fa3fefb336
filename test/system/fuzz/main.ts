/**
 * `npm run fuzz -- --runs N [--target T] [--seed S] [--input FILE]`: fuzzes the decoder with engine, rules and response
 * (a target for each concept), the configuration and the YAML reader, alone and beside kubectl's. Exit 1 if something
 * broke.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { concepts } from '../../../src/api/dialects.ts';
import { fuzz } from './fuzzer.ts';
import { instrument } from './instrument.ts';
import { keptInputs, type Target } from './target.ts';

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
  },
});

const reviewTargets = concepts.map((concept) => [
  concept,
  async () => (await import('./targets/review.ts')).reviewTarget(concept),
]);

const LOADERS: Readonly<Record<string, () => Promise<Target | undefined>>> = {
  ...Object.fromEntries(reviewTargets),
  configuration: async () => (await import('./targets/configuration.ts')).configuration,
  yaml: async () => (await import('./targets/yaml.ts')).yaml,
  kubectl: async () => (await import('./targets/kubectl.ts')).kubectlTarget(),
};

const chosen = values.target === undefined ? Object.keys(LOADERS) : [values.target];
const coverage = instrument(INSTRUMENTED);
const reached = new Set<number>();
const reports: FuzzReport[] = [];
for (const name of chosen) reports.push(...(await run(name)));
const whole: FuzzRun = { reports, reached: reached.size, pieces: coverage.left().length };
if (values.json) process.stdout.write(`${JSON.stringify(whole)}\n`);
process.exitCode = reports.some(({ broken }) => broken.length > 0) ? 1 : 0;

async function run(name: string): Promise<FuzzReport[]> {
  const load = LOADERS[name];
  if (load === undefined) throw new Error(`no target "${name}"; there are ${Object.keys(LOADERS).join(', ')}`);
  coverage.clear();
  const target = await load();
  if (target === undefined) {
    process.stderr.write(`${name}: left out, since Go is not installed\n`);
    return [];
  }
  coverage.loaded();
  if (values.input !== undefined) await target.run(readFileSync(values.input));
  const runs = values.input === undefined ? Math.ceil(Number(values.runs) / chosen.length) : 0;
  const result = await fuzz({ target, coverage, runs, seed: Number(values.seed), corpus: keptInputs(name) });
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
  target.close?.();
  return [{ target: name, executions, slowestMs, silent: target.silent?.() ?? [], broken }];
}

function fileOf(name: string, input: Buffer): string {
  const folder = join(tmpdir(), 'muster-fuzz');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}-${createHash('sha256').update(input).digest('hex').slice(0, 12)}`);
  writeFileSync(file, input);
  return file;
}
