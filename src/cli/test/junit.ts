/** A TestReport as JUnit: one test for each test, one suite for each file. */

import { type JunitCase, junitXml } from '../output/junit-xml.ts';
import { errorLine } from '../output/text.ts';
import { version } from '../shared.ts';
import type { TestReport, TestResult } from './report.ts';
import { differenceIn, failureLine, toldIn } from './text.ts';

/** The document, by lines. `now` in milliseconds since the epoch. */
export function testJunit(report: TestReport, now: number): Iterable<string> {
  const files = new Map<string, JunitCase[]>();
  const add = (file: string, one: JunitCase) => {
    const cases = files.get(file) ?? [];
    if (cases.push(one) === 1) files.set(file, cases);
  };
  for (const result of report.results) add(result.file, caseOf(result));
  for (const error of report.errors) {
    const { file, line, column, message } = error;
    const problem = { as: 'error', type: 'suite', message, details: errorLine(error) } as const;
    add(file, { name: `line ${line}, column ${column}`, classname: file, problem });
  }
  const suites = [...files].map(([name, cases]) => ({ name: name === '' ? '.' : name, cases }));
  return junitXml({ name: 'muster test', now, properties: { 'muster.version': version() }, suites });
}

function caseOf(result: TestResult): JunitCase {
  const { file, name, differences } = result;
  const head = { name, classname: file };
  if (result.outcome === 'passed') return head;
  const message = differences.map(differenceIn).join('; ');
  const details = [failureLine(result), ...toldIn(result)].join('\n');
  return { ...head, problem: { as: 'failure', type: differences[0]?.what ?? 'verdict', message, details } };
}
