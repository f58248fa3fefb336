/** A TestReport as text: a line for each test that failed, what was said below it, and a summary as the last line. */
import { escapeFile, escapeText, noColor, type Paint } from '../output/terminal.ts';
import type { Difference } from './compare.ts';
import type { TestReport, TestResult } from './report.ts';

/** The report on standard output, by lines. Errors are no part of it: they go to standard error. */
export function* testLines(report: TestReport, paint: Paint = noColor): Generator<string> {
  for (const result of report.results) {
    if (result.outcome === 'passed') continue;
    yield `${failureLine(result, paint)}\n`;
    for (const line of toldIn(result)) yield `${paint(`    | ${line}`, 'dim')}\n`;
  }
  yield `${summaryLine(report)}\n`;
}

/** `file:line:column: FAIL "name": verdict: expected denied, got allowed; rules: …` at the first thing that differs. */
export function failureLine(result: TestResult, paint: Paint = noColor): string {
  const { file, name, differences } = result;
  const { line, column } = differences[0] ?? result;
  const all = differences.map(differenceIn).join('; ');
  return `${escapeFile(file)}:${line}:${column}: ${paint('FAIL', 'red')} "${escapeText(name)}": ${all}`;
}

/** What the requester was told, by lines. */
export function toldIn({ got }: TestResult): readonly string[] {
  return got.message === '' ? [] : got.message.split('\n').map(escapeText);
}

/** `rules: expected claim/value, got none` */
export function differenceIn({ what, expected, got }: Difference): string {
  return escapeText(`${what}: expected ${expected}, got ${got}`);
}

/** What it all came to, in one line. */
export function summaryLine({ summary }: TestReport): string {
  const { suites, tests, passed, failed, skipped, errors } = summary;
  const rest = [...(skipped > 0 ? [`${skipped} left out`] : []), counted(errors, 'error')];
  return `${counted(tests, 'test')} in ${counted(suites, 'file')}: ${passed} passed, ${failed} failed; ${rest.join(', ')}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
