/** Runs suites: finds them, reads each as a whole, evaluates its cases, and reports. */
import { publishedSchema } from '../../config/schema-reader.ts';
import { readDocuments } from '../../documents/index.ts';
import type { Policy } from '../../engine/index.ts';
import { emit, parseOutputs } from '../output/emit.ts';
import { TEST_FORMATS } from '../output/formats.ts';
import { jsonPieces } from '../output/json.ts';
import { type CheckError, errorOf } from '../output/report.ts';
import { escapeText } from '../output/terminal.ts';
import { errorLine } from '../output/text.ts';
import { loadPolicy } from '../shared.ts';
import { differencesOf } from './compare.ts';
import { evaluateCase } from './evaluate.ts';
import { boundaryOf, createReferencedFiles, errorIn, findSuites, suiteText } from './files.ts';
import type { TestFlags } from './options.ts';
import { type Case, readSuite, type SuiteContext } from './read-suite.ts';
import { exitCodeOf, renderJunit, renderText, reportOf, type TestReport, type TestResult } from './report.ts';
import { KIND, suiteSchema } from './schema.ts';

export interface TestRun {
  readonly paths: readonly string[];
  /** The policy of suites without a configuration. Default: that without a configuration. */
  readonly policy?: Policy | undefined;
  /** Only tests whose name contains this, in upper or lower case. */
  readonly filter?: string | undefined;
  /** Milliseconds since the epoch: one time for the whole run. */
  readonly now: number;
}

/** The report, and the warnings of configurations, one line each. */
export interface Tested {
  readonly report: TestReport;
  readonly warnings: readonly string[];
}

/** Runs `muster test`. Sets the process's exit code. @throws UsageError, ConfigError */
export async function runTestCommand(paths: readonly string[], { output, config, filter }: TestFlags): Promise<void> {
  const outputs = parseOutputs(output, TEST_FORMATS);
  const policy = await loadPolicy(config);
  const now = Date.now();
  const { report, warnings } = await runTests({ paths, filter, policy, now });
  // Set before anything is written: a closed pipe ends the process with this code.
  process.exitCode = exitCodeOf(report);
  for (const line of [...warnings.map((one) => `warning: ${escapeText(one)}`), ...report.errors.map(errorLine)])
    process.stderr.write(`${line}\n`);
  emit(outputs, {
    text: (paint) => renderText(report, paint),
    json: () => jsonPieces(report),
    junit: () => renderJunit(report),
  });
}

/** Prints the JSON Schema of suites. */
export function printSchema(): void {
  process.stdout.write(`${JSON.stringify(publishedSchema(KIND, suiteSchema), null, 2)}\n`);
}

/** Runs all suites. A suite with a problem is not run at all; the others are. */
export async function runTests(run: TestRun): Promise<Tested> {
  const { paths, policy, now, filter } = run;
  const { files, errors } = findSuites(paths);
  const referenced = createReferencedFiles(now);
  const collected: Collected = { results: [], errors: [...errors], warnings: referenced.warnings, skipped: 0 };
  for (const file of files) {
    const context = { files: referenced, boundary: boundaryOf(file, paths), policy, now };
    for (const one of await readFile(file, context, collected)) await runCase(one, run, collected);
  }
  const { results } = collected;
  if (filter !== undefined && results.length + collected.errors.length === 0)
    collected.errors.push(errorIn(files[0] ?? '', `no test has "${filter}" in its name (--filter)`));
  return { report: reportOf({ ...collected, suites: files.length }), warnings: collected.warnings };
}

interface Collected {
  readonly results: TestResult[];
  readonly errors: CheckError[];
  readonly warnings: string[];
  skipped: number;
}

/** Returns the cases of all suites in a file. */
async function readFile(file: string, context: SuiteContext, into: Collected): Promise<readonly Case[]> {
  const text = suiteText(file, context.boundary);
  if ('problems' in text) {
    into.errors.push(...text.problems.map((problem) => errorIn(file, problem)));
    return [];
  }
  const { documents, errors } = readDocuments(text.value, file);
  into.errors.push(...errors.map(errorOf));
  if (documents.length + errors.length === 0) into.errors.push(errorIn(file, `empty; expected a ${KIND}`));
  const suites = await Promise.all(documents.map((document) => readSuite(document, context)));
  into.errors.push(...suites.flatMap((suite) => suite.errors));
  into.warnings.push(...suites.flatMap((suite) => suite.warnings));
  return suites.flatMap(({ cases }) => cases);
}

async function runCase(one: Case, { filter = '', now }: TestRun, into: Collected): Promise<void> {
  const { file, name, position } = one;
  const { line, column } = position;
  if (!name.toLowerCase().includes(filter.toLowerCase())) {
    into.skipped++;
    return;
  }
  const got = await evaluateCase(one, now);
  if ('problem' in got) {
    into.errors.push({ file, line, column, message: got.problem });
    return;
  }
  const differences = differencesOf(one, got);
  const outcome = differences.length === 0 ? 'passed' : 'failed';
  into.results.push({ file, line, column, name, outcome, got, differences });
}
