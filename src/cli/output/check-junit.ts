/** A report as JUnit: one test for each write, which fails exactly when `--fail-on` names its outcome. */
import { type CheckError, type CheckReport, type CheckResult, fails } from '../check/report.ts';
import { version } from '../version.ts';
import { complaint, errorLine, findingLine, nameOf, toldIn } from './check-text.ts';
import { type JunitCase, junitXml } from './junit.ts';
import type { Reporting } from './report.ts';

/** The document, by lines. Suites are files, in the order of the report; what could not be read or judged is an error there. */
export function checkJunit(report: CheckReport, { command, failOn, now }: Reporting): Iterable<string> {
  const files = new Map<string, JunitCase[]>();
  const add = (file: string, one: JunitCase) => {
    const cases = files.get(file) ?? [];
    if (cases.push(one) === 1) files.set(file, cases);
  };
  for (const result of report.results) add(result.file, caseOf(result, fails(result, failOn)));
  for (const error of report.errors) add(error.file, caseOfError(error));
  const properties = { 'muster.version': version(), 'muster.fail-on': failOn };
  const suites = [...files].map(([name, cases]) => ({ name: name === '' ? '.' : name, cases }));
  return junitXml({ name: command, now, properties, suites });
}

function caseOf(result: CheckResult, failed: boolean): JunitCase {
  const told = toldIn(result);
  const lines = told.map((finding) => findingLine(result, finding)).join('\n');
  const head = { name: `${nameOf(result)} (${result.operation})`, classname: `${result.apiVersion}.${result.kind}` };
  if (failed) return { ...head, problem: { as: 'failure', ...summed(told), details: lines } };
  if (result.outcome === 'indeterminate') return { ...head, skipped: lines || 'could not be decided' };
  return lines === '' ? head : { ...head, output: lines };
}

/** What a list of tests shows of a failure: the first finding that weighs most, and how many more there are. */
function summed(told: ReturnType<typeof toldIn>): { readonly type: string; readonly message: string } {
  const first = told.find(({ action, outcome }) => action === 'deny' && outcome === undefined) ?? told[0];
  if (first === undefined) return { type: 'indeterminate', message: 'could not be decided' };
  const more = told.length > 1 ? ` (and ${told.length - 1} more)` : '';
  return { type: first.ruleId, message: `[${first.ruleId}] ${complaint(first)}${more}` };
}

function caseOfError(error: CheckError): JunitCase {
  const details = errorLine(error);
  const place = `line ${error.line}, column ${error.column}`;
  return { name: place, classname: 'input', problem: { as: 'error', type: 'input', message: error.message, details } };
}
