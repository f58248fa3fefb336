/**
 * Renders a report as JUnit: one test case for each write, which fails if `--fail-on` covers its outcome, and one for
 * each part that was not evaluated, where `--fail-on` covers that. The XML follows the schema of Jenkins, which GitLab,
 * Azure and others read too.
 */
import { escapeControls, shorten } from '../base/text.ts';
import type { Place, PlacedMessage } from '../input/place.ts';
import {
  type CheckFinding,
  type CheckReport,
  type CheckResult,
  covers,
  fails,
  failsForNote,
  type ReportContext,
} from './report.ts';
import {
  errorLine,
  findingLine,
  messageOf,
  nameOf,
  noteLine,
  relatedLine,
  reportedFindings,
  warningLine,
} from './text.ts';

/** One test. It passes unless it has a problem or was skipped. */
export interface JunitCase {
  /** The cases of a file, or of a cluster, are a test suite. */
  readonly suite: string;
  readonly name: string;
  readonly classname: string;
  readonly problem?: JunitProblem;
  /** Why it was skipped. */
  readonly skipped?: string;
  /** Other text. */
  readonly output?: string;
}

interface JunitProblem {
  /** `failure`: what was tested is wrong; `error`: it could not be tested. */
  readonly as: 'failure' | 'error';
  readonly type: string;
  readonly message: string;
  readonly details: string;
}

/**
 * Formats the document, by lines. Any text is escaped. Names are cut at 500 characters and made unique within a suite.
 */
export function* junitXml(name: string, cases: readonly JunitCase[]): Generator<string> {
  const { skipped: _, ...totals } = countsOf(cases);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites${attributes({ name, ...totals })}>\n`;
  for (const [file, ofFile] of Map.groupBy(cases, (one) => one.suite || '.')) {
    yield `  <testsuite${attributes({ name: named(file), ...countsOf(ofFile) })}>\n`;
    const seen = new Map<string, number>();
    for (const one of ofFile) yield caseXml(one, seen);
    yield '  </testsuite>\n';
  }
  yield '</testsuites>\n';
}

/** Renders the report, by lines. Each file is a test suite; if it can't be read, the suite has a test error. */
export function renderJunit(report: CheckReport, { command, failOn }: ReportContext): Iterable<string> {
  const results = report.results.map((result) => caseOf(result, fails(result, failOn)));
  const errors = report.errors.map((one) => inputCase(one, errorLine(one), { as: 'error', type: 'input' }));
  const ofWarnings = covers(failOn, 'warning') ? ({ as: 'failure', type: 'input' } as const) : undefined;
  const warnings = (report.warnings ?? []).map((one) => inputCase(one, warningLine(one), ofWarnings));
  const parts = (report.notes ?? []).filter((one) => failsForNote(one, failOn));
  const unevaluated = parts.map((one) => inputCase(one, noteLine(one), { as: 'failure', type: 'unevaluated' }));
  return junitXml(command, [...results, ...errors, ...warnings, ...unevaluated]);
}

/**
 * Returns the case of a message about the input.
 * @param details the line that text output has for it
 * @param problem undefined: the case passes
 */
export function inputCase(
  one: PlacedMessage,
  details: string,
  problem: Pick<JunitProblem, 'as' | 'type'> | undefined,
  classname = 'input',
): JunitCase {
  const { file, line, column, about = 'input', message } = one;
  const name = file === undefined ? about : `line ${line}, column ${column}`;
  const head = { suite: suiteOf(one), name, classname };
  return problem ? { ...head, problem: { ...problem, message, details } } : { ...head, output: details };
}

function suiteOf({ file, cluster }: Place): string {
  return file ?? cluster ?? '';
}

function caseOf(result: CheckResult, failed: boolean): JunitCase {
  const { cluster, context = 'cluster', apiVersion, kind, operation, outcome } = result;
  const findings = reportedFindings(result);
  const pages = new Set(findings.map(({ url }) => `More: ${url}`));
  const lines = [...findings.flatMap(linesOf(result)), ...pages].join('\n');
  const head = {
    suite: suiteOf(result) || context,
    name: `${nameOf(result)} (${operation})`,
    classname: `${cluster === undefined ? '' : `${cluster}.`}${apiVersion}.${kind}`,
  };
  if (failed) return { ...head, problem: { as: 'failure', ...summaryOf(findings), details: lines } };
  if (outcome === 'indeterminate') return { ...head, skipped: lines || 'could not be decided' };
  return lines === '' ? head : { ...head, output: lines };
}

function linesOf(result: CheckResult) {
  return (finding: CheckFinding) => [findingLine(result, finding), ...(finding.related ?? []).map(relatedLine)];
}

/** Summarizes a failure: the first finding that denies, else the first, and the number of others. */
function summaryOf(findings: readonly CheckFinding[]): Pick<JunitProblem, 'type' | 'message'> {
  const first = findings.find(({ action, outcome }) => action === 'deny' && outcome === undefined) ?? findings[0];
  if (first === undefined) return { type: 'indeterminate', message: 'could not be decided' };
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
  return { type: first.ruleId, message: `[${first.ruleId}] ${messageOf(first)}${more}` };
}

function caseXml(one: JunitCase, seen: Map<string, number>): string {
  const name = named(one.name);
  const classname = named(one.classname);
  const count = (seen.get(`${classname} ${name}`) ?? 0) + 1;
  seen.set(`${classname} ${name}`, count);
  const head = attributes({ classname, name: count === 1 ? name : `${name} #${count}` });
  return `    <testcase${head}>${contentOf(one)}</testcase>\n`;
}

function contentOf({ problem, skipped, output }: JunitCase): string {
  if (problem) {
    const { as, type, message, details } = problem;
    return `<${as}${attributes({ type, message })}>${escaped(details)}</${as}>`;
  }
  if (skipped !== undefined) return `<skipped>${escaped(skipped)}</skipped>`;
  return output === undefined ? '' : `<system-out>${escaped(output)}</system-out>`;
}

function countsOf(cases: readonly JunitCase[]) {
  const count = (as: string) => cases.filter(({ problem }) => problem?.as === as).length;
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  return { tests: cases.length, failures: count('failure'), errors: count('error'), skipped };
}

function named(name: string): string {
  return shorten(escapeControls(name), 500);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  const all = Object.entries(values).map(([name, value]) => ` ${name}="${escaped(escapeControls(String(value)))}"`);
  return all.join('');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text. XML can't represent most control characters and lone surrogates: these are shown as `\u0000`. */
function escaped(text: string): string {
  const hex = (char: string) => (char.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
  return text
    .replace(/(?!\n)[\p{Cc}\p{Cs}\ufffe\uffff]/gu, (char) => `\\u${hex(char)}`)
    .replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}
