/**
 * `npm run fuzz -- --runs N [--target T] [--seed S] [--input FILE] [--keep]`: fuzzes the decoder with engine, rules and response
 * (a target for each concept), the configuration and the YAML reader. Exit 1 where something broke.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { keepInputs, keptInputs } from './corpus.ts';
import { type FuzzResult, fuzz } from './fuzzer.ts';
import { instrument } from './instrument.ts';
import type { Target } from './target.ts';
import { watchdog } from './watchdog.ts';

/** What is told of a run as JSON (`--json`), for the test that records it. */
export interface FuzzReport {
  readonly target: string;
  readonly executions: number;
  readonly seconds: number;
  /** Pieces of the sources that ran. */
  readonly reached: number;
  readonly slowestMs: number;
  readonly said: string;
  readonly broken: readonly { readonly file: string; readonly error: string }[];
}

/** Instrumented before anything of it is loaded. */
const ROOMS = /\/(src\/(server|engine|rules|config|documents)|test\/fuzz\/targets\/planted-fault)/;

const OPTIONS = {
  help: { type: 'boolean', default: false },
  runs: { type: 'string', default: '20000' },
  target: { type: 'string' },
  seed: { type: 'string', default: '20261121' },
  input: { type: 'string' },
  json: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  blind: { type: 'boolean', default: false },
} as const;

const USAGE = 'npm run fuzz -- --runs N [--target T] [--seed S] [--input FILE] [--keep] [--json]';
const values = given();

function given() {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    for (const flag of ['runs', 'seed'] as const) {
      if (!/^\d{1,9}$/.test(values[flag])) throw new Error(`--${flag} takes a number, not "${values[flag]}"`);
    }
    return values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}\n`);
    return process.exit(2);
  }
}
if (values.help) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}

const LOADERS: Readonly<Record<string, () => Promise<Target>>> = {
  claim: async () => (await import('./targets/review.ts')).reviewTarget('claim'),
  inventory: async () => (await import('./targets/review.ts')).reviewTarget('inventory'),
  feature: async () => (await import('./targets/review.ts')).reviewTarget('feature'),
  configuration: async () => (await import('./targets/configuration.ts')).configuration,
  yaml: async () => (await import('./targets/yaml.ts')).yaml,
  planted: async () => (await import('./targets/planted.ts')).planted,
};

const chosen =
  values.target === undefined ? Object.keys(LOADERS).filter((name) => name !== 'planted') : [values.target];
const coverage = instrument(ROOMS);
const reached = new Set<number>();
const reports: FuzzReport[] = [];
for (const name of chosen) reports.push(await run(name));
const left = coverage.left();
process.stderr.write(`reached in all: ${reached.size} of ${left.length} pieces of ${chosen.length} targets' sources\n`);
if (values.json) process.stdout.write(`${JSON.stringify({ reports, reached: reached.size, pieces: left.length })}\n`);
process.exitCode = reports.some(({ broken }) => broken.length > 0) ? 1 : 0;

async function run(name: string): Promise<FuzzReport> {
  const load = LOADERS[name];
  if (load === undefined) throw new Error(`no target "${name}"; there are ${Object.keys(LOADERS).join(', ')}`);
  coverage.clear();
  const target = await load();
  coverage.loaded();
  if (values.input !== undefined) await target.run(readFileSync(values.input));
  const dog = watchdog(join(crashes(), `${name}-endless`));
  const result = await fuzz({
    target,
    coverage,
    runs: values.input === undefined ? Math.ceil(Number(values.runs) / chosen.length) : 0,
    seed: Number(values.seed),
    corpus: keptInputs(name),
    guided: !values.blind,
    watch: dog.watch,
  });
  await dog.stop();
  if (values.keep) keepInputs(name, await smallest(target, result.corpus));
  return told(target, result);
}

function told(target: Target, result: FuzzResult): FuzzReport {
  const broken = result.broken.map(({ input, error }) => {
    const file = join(crashes(), `${target.name}-${createHash('sha256').update(input).digest('hex').slice(0, 12)}`);
    writeFileSync(file, input);
    process.stderr.write(
      `broken: ${error instanceof Error ? error.stack : error}\n  npm run fuzz -- --target ${target.name} --input ${file}\n`,
    );
    return { file, error: String(error) };
  });
  const { executions, seconds, slowestMs } = result;
  for (const index of result.reached) reached.add(index);
  const said = target.reached?.() ?? '';
  process.stderr.write(
    `${target.name}: ${executions} executions, ${Math.round(executions / seconds)}/s, ${result.reached.length} pieces reached, corpus ${result.corpus.length}, slowest ${Math.round(slowestMs)} ms, broken ${broken.length}${said && `; ${said}`}\n`,
  );
  return { target: target.name, executions, seconds, reached: result.reached.length, slowestMs, said, broken };
}

/** As few and as short inputs as reach all that the corpus reaches. */
async function smallest(target: Target, corpus: readonly Buffer[]): Promise<Buffer[]> {
  const known = new Set(target.seeds().map((seed) => seed.toString('latin1')));
  const reached = new Set<number>();
  const kept: Buffer[] = [];
  const inOrder = [...corpus].sort(
    (a, b) => Number(known.has(b.toString('latin1'))) - Number(known.has(a.toString('latin1'))) || a.length - b.length,
  );
  for (const input of inOrder) {
    coverage.clear();
    await target.run(input);
    const fresh = coverage.pieces
      .map((_, index) => index)
      .filter((index) => coverage.counters[index] !== 0 && !reached.has(index));
    if (fresh.length === 0) continue;
    for (const index of fresh) reached.add(index);
    if (!known.has(input.toString('latin1'))) kept.push(input);
  }
  return kept;
}

function crashes(): string {
  const folder = join(tmpdir(), 'muster-fuzz');
  mkdirSync(folder, { recursive: true });
  return folder;
}
