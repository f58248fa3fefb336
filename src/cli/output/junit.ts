/** Renders a report as JUnit: one test case for each write, which fails if `--fail-on` covers its outcome. */
import { version } from '../shared.ts';
import { type JunitCase, junitXml } from './junit-xml.ts';
import { type CheckError, type CheckReport, type CheckResult, fails, type ReportContext } from './report.ts';
import { errorLine, findingLine, messageOf, nameOf, reportedFindings } from './text.ts';

/** Renders the document, by lines. Each file is a test suite; errors of reading are test errors in it. */
export function renderJunit(report: CheckReport, { command, failOn, now }: ReportContext): Iterable<string> {
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
  const findings = reportedFindings(result);
  const lines = findings.map((finding) => findingLine(result, finding)).join('\n');
  const head = { name: `${nameOf(result)} (${result.operation})`, classname: `${result.apiVersion}.${result.kind}` };
  if (failed) return { ...head, problem: { as: 'failure', ...summaryOf(findings), details: lines } };
  if (result.outcome === 'indeterminate') return { ...head, skipped: lines || 'could not be decided' };
  return lines === '' ? head : { ...head, output: lines };
}

/** Summarizes a failure: the first finding that denies, else the first, and the number of others. */
function summaryOf(findings: ReturnType<typeof reportedFindings>): { readonly type: string; readonly message: string } {
  const first = findings.find(({ action, outcome }) => action === 'deny' && outcome === undefined) ?? findings[0];
  if (first === undefined) return { type: 'indeterminate', message: 'could not be decided' };
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
  return { type: first.ruleId, message: `[${first.ruleId}] ${messageOf(first)}${more}` };
}

function caseOfError(error: CheckError): JunitCase {
  const details = errorLine(error);
  const name = `line ${error.line}, column ${error.column}`;
  return { name, classname: 'input', problem: { as: 'error', type: 'input', message: error.message, details } };
}
