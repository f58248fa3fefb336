/** The TestReport: the result of `muster test` as JSON, as text and as JUnit. */

import { counted, escapeControls } from '../../base/text.ts';
import type { PlacedMessage } from '../../input/place.ts';
import { inputCase, type JunitCase, junitXml } from '../../report/junit.ts';
import { escapeFile, noColor, type Paint } from '../../report/terminal.ts';
import { errorLine } from '../../report/text.ts';
import type { TestDifference } from './compare.ts';
import type { Result, WriteResult } from './evaluate-case.ts';

export interface TestResult {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly name: string;
  readonly outcome: 'passed' | 'failed';
  /** Of all writes together. */
  readonly got: Result;
  /** Each write, if there are several. */
  readonly writes?: readonly WriteResult[];
  /** Empty where the test passed. */
  readonly differences: readonly TestDifference[];
}

export interface TestReport {
  readonly apiVersion: 'muster/v1alpha1';
  readonly kind: 'TestReport';
  readonly summary: Readonly<Record<'suites' | 'tests' | 'passed' | 'failed' | 'skipped' | 'errors', number>>;
  readonly results: readonly TestResult[];
  /** Problems of suites, and internal errors of rules. */
  readonly errors: readonly PlacedMessage[];
}

type Tests = Pick<TestReport, 'results' | 'errors'> & Pick<TestReport['summary'], 'suites' | 'skipped'>;

/** Returns the report of so many files, in which --filter skipped so many tests. */
export function testReportOf({ suites, skipped, results, errors }: Tests): TestReport {
  const passed = results.filter(({ outcome }) => outcome === 'passed').length;
  const failed = results.length - passed;
  const summary = { suites, tests: results.length, passed, failed, skipped, errors: errors.length };
  return { apiVersion: 'muster/v1alpha1', kind: 'TestReport', summary, results, errors };
}

/** Returns the exit code: 0 if all tests passed, 1 if some failed, 2 if some could not be run. */
export function testExitCode({ summary }: TestReport): 0 | 1 | 2 {
  if (summary.errors > 0) return 2;
  return summary.failed > 0 ? 1 : 0;
}

/**
 * Renders the report as text, by lines: each failed test with the answer to the requester below it, and a summary as
 * the last line. Errors go to standard error instead.
 */
export function* renderText(report: TestReport, paint: Paint = noColor): Generator<string> {
  for (const result of report.results) {
    if (result.outcome === 'passed') continue;
    yield `${failureLine(result, paint)}\n`;
    for (const line of messageLines(result)) yield `${paint(`    | ${line}`, 'dim')}\n`;
  }
  yield `${summaryLine(report)}\n`;
}

/** Renders the report as JUnit, by lines: a suite for each file. */
export function renderJunit({ results, errors }: TestReport): Iterable<string> {
  const ofErrors = errors.map((one) => inputCase(one, errorLine(one), { as: 'error', type: 'suite' }, 'suite'));
  return junitXml('muster test', [...results.map(caseOf), ...ofErrors]);
}

/** `file:line:column: FAIL "name": verdict: expected denied, got allowed; rules: …`, at the first difference. */
function failureLine(result: TestResult, paint: Paint = noColor): string {
  const { file, name, differences } = result;
  const { line, column } = differences[0] ?? result;
  const all = differences.map(differenceText).join('; ');
  return `${escapeFile(file)}:${line}:${column}: ${paint('FAIL', 'red')} "${escapeControls(name)}": ${all}`;
}

function messageLines({ got }: TestResult): readonly string[] {
  return got.message === '' ? [] : got.message.split('\n').map(escapeControls);
}

function differenceText({ what, expected, got }: TestDifference): string {
  return escapeControls(`${what}: expected ${expected}, got ${got}`);
}

/** Returns the counts of a report in one line. */
export function summaryLine({ summary }: Pick<TestReport, 'summary'>): string {
  const { suites, tests, passed, failed, skipped, errors } = summary;
  const rest = [...(skipped > 0 ? [`${skipped} skipped`] : []), counted(errors, 'error')].join(', ');
  return `${counted(tests, 'test')} in ${counted(suites, 'file')}: ${passed} passed, ${failed} failed; ${rest}`;
}

function caseOf(result: TestResult): JunitCase {
  const { file, name, differences } = result;
  if (result.outcome === 'passed') return { suite: file, name, classname: file };
  const message = differences.map(differenceText).join('; ');
  const details = [failureLine(result), ...messageLines(result)].join('\n');
  const type = differences[0]?.what ?? 'verdict';
  return { suite: file, name, classname: file, problem: { as: 'failure', type, message, details } };
}
