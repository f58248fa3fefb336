/** Runs suites: finds them, reads each as a whole, evaluates its cases, and reports. */

import { addAll } from '../../base/collections.ts';
import { escapeControls } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { errorAbout } from '../../documents/files.ts';
import { readDocuments } from '../../documents/index.ts';
import type { Policy } from '../../engine/index.ts';
import type { PlacedMessage } from '../../input/place.ts';
import { emitWithSummary, parseOutputs, refuseToReplace } from '../../report/emit.ts';
import { TEST_FORMATS } from '../../report/formats.ts';
import { jsonPieces } from '../../report/json.ts';
import { errorLine } from '../../report/text.ts';
import { publishedSchema } from '../../schema/schema.ts';
import { loadSettings } from '../shared.ts';
import { differencesOf } from './compare.ts';
import { evaluateCase, together } from './evaluate-case.ts';
import { boundaryOf, createReferencedFiles, findSuites, type SuiteContext, suiteText } from './files.ts';
import { type Case, readSuite } from './read-suite.ts';
import { KIND, suiteSchema } from './suite-schema.ts';
import {
  renderJunit,
  renderText,
  summaryLine,
  type TestReport,
  type TestResult,
  testExitCode,
  testReportOf,
} from './test-report.ts';

/** The flags of `muster test`, as commander delivers them. */
export interface TestFlags {
  readonly config?: string;
  readonly filter?: string;
  readonly output?: readonly string[];
  readonly record?: string;
  readonly force?: boolean;
  readonly state?: readonly string[];
  readonly deleted?: readonly string[];
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly schema?: boolean;
}

export interface TestRun {
  readonly paths: readonly string[];
  /** The policy of suites without a configuration. Default: that without a configuration. */
  readonly policy?: Policy | undefined;
  /** Only tests whose name contains this, in upper or lower case. */
  readonly filter?: string | undefined;
  /** Milliseconds since the epoch: one time for the whole run. */
  readonly now: number;
}

/** Runs `muster test`. Sets the process's exit code. @throws UsageError, ConfigError */
export async function runTestCommand(paths: readonly string[], { output, config, filter }: TestFlags): Promise<void> {
  if (paths.includes('')) throw new UsageError('a path is empty: name a suite or a folder');
  if (paths.includes('-'))
    throw new UsageError('a suite is read from a file, because it may refer to others: not from "-"');
  const outputs = parseOutputs(output, TEST_FORMATS, [...paths, config]);
  const settings = await loadSettings(config);
  const { report, warnings, files } = await runTests({ paths, filter, policy: settings?.policy, now: Date.now() });
  refuseToReplace(files, outputs);
  // Set before anything is written: a closed pipe ends the process with this code.
  process.exitCode = testExitCode(report);
  for (const line of [...warnings.map((one) => `warning: ${escapeControls(one)}`), ...report.errors.map(errorLine)])
    process.stderr.write(`${line}\n`);
  emitWithSummary(outputs, summaryLine(report), {
    text: (paint) => renderText(report, paint),
    json: () => jsonPieces(report),
    junit: () => renderJunit(report),
  });
}

/** Prints the JSON Schema of suites. */
export function printSchema(): void {
  process.stdout.write(`${JSON.stringify(publishedSchema(KIND, suiteSchema), null, 2)}\n`);
}

export interface Tested {
  readonly report: TestReport;
  readonly warnings: readonly string[];
  /** The suites, and the files that they refer to. */
  readonly files: readonly string[];
}

/**
 * Runs all suites. A suite with a problem is not run at all; the others are. Warnings are of configurations, one line
 * each.
 */
export async function runTests({ paths, policy, now, filter }: TestRun): Promise<Tested> {
  const { files, errors: unfound } = findSuites(paths);
  const referenced = createReferencedFiles(now);
  const { warnings } = referenced;
  const errors: PlacedMessage[] = [...unfound];
  const results: TestResult[] = [];
  let skipped = 0;
  const isAskedFor = ({ name }: Case) => name.toLowerCase().includes((filter ?? '').toLowerCase());
  for (const file of files) {
    const suites = await readFile(file, { files: referenced, boundary: boundaryOf(file, paths), policy, now });
    addAll(errors, suites.errors);
    addAll(warnings, suites.warnings);
    const cases = suites.cases.filter(isAskedFor);
    skipped += suites.cases.length - cases.length;
    for (const one of cases) {
      const run = await runCase(one, now);
      if ('errors' in run) addAll(errors, run.errors);
      else results.push(run);
    }
  }
  if (filter !== undefined && results.length + errors.length === 0)
    errors.push(errorAbout(files[0] ?? '', `no test has "${filter}" in its name (--filter)`));
  const report = testReportOf({ results, errors, skipped, suites: files.length });
  return { report, warnings, files: [...files, ...referenced.read] };
}

/** Reads all suites in a file. */
async function readFile(file: string, context: SuiteContext) {
  const errors: PlacedMessage[] = [];
  const refuse = (problem: string) => void errors.push(errorAbout(file, problem));
  const text = suiteText(file, context.boundary, refuse);
  if (text === undefined) return { cases: [], errors, warnings: [] };
  const { documents, errors: broken } = readDocuments(text, file);
  addAll(errors, broken);
  if (documents.length + broken.length === 0) refuse(`empty; expected a ${KIND}`);
  const suites = await Promise.all(documents.map((document) => readSuite(document, context)));
  return {
    cases: suites.flatMap(({ cases }) => cases),
    errors: [...errors, ...suites.flatMap((suite) => suite.errors)],
    warnings: suites.flatMap((suite) => suite.warnings),
  };
}

async function runCase(one: Case, now: number): Promise<TestResult | { readonly errors: readonly PlacedMessage[] }> {
  const { file, name } = one;
  const { line, column } = one.position;
  const { writes, errors } = await evaluateCase(one, now);
  if (errors.length > 0)
    return {
      errors: errors.map((error) => ({ file, line, column, ...error, message: `${error.message} (in "${name}")` })),
    };
  const differences = differencesOf(one, writes);
  const outcome = differences.length === 0 ? 'passed' : 'failed';
  const several = writes.length > 1 && { writes };
  return { file, line, column, name, outcome, got: together(writes), ...several, differences };
}
