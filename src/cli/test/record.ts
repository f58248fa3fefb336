/** `muster test --record`: writes a suite of the current results. It is read back and evaluated before it is written. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { MOST_ENTRIES } from '../../config/schema.ts';
import { readDocuments } from '../../documents/index.ts';
import type { CheckError } from '../output/report.ts';
import { createFile, replaceFile } from '../output/safe-file.ts';
import { escapeText } from '../output/terminal.ts';
import { errorLine } from '../output/text.ts';
import { loadPolicy, readStdin, UsageError } from '../shared.ts';
import { composeSuite } from './compose.ts';
import { createEvaluator, type Result } from './evaluate.ts';
import { accessProblem, boundaryOf, createReferencedFiles, errorIn, isSuite } from './files.ts';
import type { RecordOptions } from './options.ts';
import { type Case, readSuite } from './read-suite.ts';
import { SUFFIXES } from './schema.ts';
import { collectWrites, type WriteSources } from './writes.ts';

export interface Recording extends WriteSources {
  /** Where the suite will be: its paths are relative to there. */
  readonly file: string;
  /** The configuration, as the suite is to name it. */
  readonly config: string | undefined;
}

export type Recorded =
  | { readonly text: string; readonly tests: number; readonly skipped: number }
  /** What could not be read or evaluated. Then there is no suite: it would look complete. */
  | { readonly errors: readonly CheckError[] };

/** Records a suite; overwrites a file only with --force. Sets the process's exit code. @throws UsageError, ConfigError */
export async function recordCommand(options: RecordOptions): Promise<void> {
  const { suite, force, config } = options;
  const exists = `${suite} exists already: --force overwrites it`;
  if (suite !== '-' && !isSuite(suite))
    throw new UsageError(
      `--record ${suite}: the file of a suite is named *${SUFFIXES[0]}, or muster test would not find it`,
    );
  if (!force && suite !== '-' && existsSync(suite)) throw new UsageError(exists);
  const policy = await loadPolicy(config);
  const boundary = boundaryOf(suite === '-' ? 'suite' : suite, []);
  const isOutside = config !== undefined && accessProblem(config, boundary) !== undefined;
  const file = suite === '-' ? 'recorded.muster-test.yaml' : suite;
  const named = config === undefined || isOutside ? undefined : pathFromSuite(file, config);
  const recorded = await recordSuite({ ...options, file, config: named, policy, stdin: readStdin, now: Date.now() });
  if ('errors' in recorded) {
    process.exitCode = 2;
    for (const line of [...recorded.errors.map(errorLine), 'nothing was recorded']) process.stderr.write(`${line}\n`);
    return;
  }
  const { text, tests, skipped } = recorded;
  if (suite === '-') process.stdout.write(text);
  else save(suite, text, force, exists);
  const outside = `${config} lies outside of ${boundary}, so the suite names no configuration: run it with --config ${config}`;
  if (isOutside) process.stderr.write(`note: ${escapeText(outside)}\n`);
  const left = skipped > 0 ? `; ${skipped} skipped, of kinds that muster does not evaluate` : '';
  const where = suite === '-' ? '' : `${escapeText(suite)}: `;
  process.stderr.write(`${where}${tests} test${tests === 1 ? '' : 's'} recorded${left}\n`);
}

/** Returns the text of a suite. @throws UsageError where there is nothing to record, or too much */
export async function recordSuite(recording: Recording): Promise<Recorded> {
  const { writes, errors, skipped } = await collectWrites(recording);
  if (errors.length > 0) return { errors };
  if (writes.length === 0) throw new UsageError('nothing to record: no object is of a kind that muster evaluates');
  if (writes.length > MOST_ENTRIES) {
    throw new UsageError(
      `${writes.length} writes are more than a suite has tests (${MOST_ENTRIES}): record them in parts`,
    );
  }
  const { config, now } = recording;
  const evaluate = createEvaluator(now);
  const results: Result[] = [];
  for (const one of await readBack(composeSuite({ config, now, writes }), recording)) {
    const evaluation = await evaluate(one);
    if ('crash' in evaluation) {
      const { ruleId, error } = evaluation.crash;
      const reason = error instanceof Error ? error.message : error;
      return { errors: [errorIn(one.name, `[${ruleId}] broke (a bug in muster): ${reason}`)] };
    }
    results.push(evaluation.result);
  }
  return { text: composeSuite({ config, now, writes }, results), tests: results.length, skipped };
}

/** Returns the cases that `muster test` will run. */
async function readBack(text: string, { file, policy, now }: Recording): Promise<readonly Case[]> {
  const { documents, errors: broken } = readDocuments(text, file);
  const document = documents[0];
  // The configuration is loaded already, and need not be where the suite will look for it.
  const files = { ...createReferencedFiles(now), policy: async () => (policy ? { value: policy } : { problems: [] }) };
  const reading = document && (await readSuite(document, { files, boundary: boundaryOf(file, []), policy, now }));
  const problem = [...broken, ...(reading?.errors ?? [])][0];
  if (reading && !problem) return reading.cases;
  throw new Error(`the recorded suite can't be read back: ${problem?.line}: ${problem?.message}`);
}

function save(file: string, text: string, force: boolean, exists: string): void {
  // A file that somebody else made in the meantime stays.
  const problem = force ? replaceFile(file, [text]) : createFile(file, [text]);
  if (problem === undefined) return;
  throw new UsageError(problem === 'EEXIST' ? exists : `can't write ${file}: ${problem}`);
}

/** A path relative to the folder of the suite. */
function pathFromSuite(suite: string, path: string): string {
  return isAbsolute(path) ? path : relative(dirname(suite), path).replaceAll('\\', '/');
}
