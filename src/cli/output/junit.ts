/** Renders a report as JUnit: one test case for each write, which fails if `--fail-on` covers its outcome. */
import { type JunitCase, junitXml } from './junit-xml.ts';
import { type CheckError, type CheckReport, type CheckResult, fails, type ReportContext } from './report.ts';
import { errorLine, findingLine, messageOf, nameOf, reportedFindings } from './text.ts';

/** Renders the document, by lines. Each file is a test suite; errors of reading are test errors in it. */
export function renderJunit(report: CheckReport, { command, failOn }: ReportContext): Iterable<string> {
  const results = report.results.map((result) => caseOf(result, fails(result, failOn)));
  return junitXml(command, [...results, ...report.errors.map((error) => errorCase(error, 'input'))]);
}

/** Returns the case of an error: nothing could be tested there. */
export function errorCase(error: CheckError, classname: string): JunitCase {
  const { file, line, column, message } = error;
  const problem = { as: 'error', type: classname, message, details: errorLine(error) } as const;
  return { file, name: `line ${line}, column ${column}`, classname, problem };
}

function caseOf(result: CheckResult, failed: boolean): JunitCase {
  const { file, apiVersion, kind, operation, outcome } = result;
  const findings = reportedFindings(result);
  const lines = findings.map((finding) => findingLine(result, finding)).join('\n');
  const head = { file, name: `${nameOf(result)} (${operation})`, classname: `${apiVersion}.${kind}` };
  if (failed) return { ...head, problem: { as: 'failure', ...summaryOf(findings), details: lines } };
  if (outcome === 'indeterminate') return { ...head, skipped: lines || 'could not be decided' };
  return lines === '' ? head : { ...head, output: lines };
}

/** Summarizes a failure: the first finding that denies, else the first, and the number of others. */
function summaryOf(findings: ReturnType<typeof reportedFindings>): { readonly type: string; readonly message: string } {
  const first = findings.find(({ action, outcome }) => action === 'deny' && outcome === undefined) ?? findings[0];
  if (first === undefined) return { type: 'indeterminate', message: 'could not be decided' };
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
  return { type: first.ruleId, message: `[${first.ruleId}] ${messageOf(first)}${more}` };
}
