/** Renders a report as workflow commands, which GitHub shows as annotations of the lines. */
import {
  type CheckError,
  type CheckFinding,
  type CheckReport,
  type CheckResult,
  pathIn,
  type ReportContext,
} from './report.ts';
import { escapeText } from './terminal.ts';
import { errorLine, findingLine, messageOf, nameOf, reportedFindings, summaryLine } from './text.ts';

/** GitHub shows this many annotations of each level in one step, and drops the rest. */
const SHOWN = 10;

interface Annotation {
  readonly level: 'error' | 'warning';
  /** The order within a level: denials, undecided findings, warnings. */
  readonly rank: 0 | 1 | 2;
  /** The location, and its end on the same line, if any. */
  readonly at: {
    readonly line: number;
    readonly column: number;
    readonly endLine?: number;
    readonly endColumn?: number;
  };
  readonly file: string;
  readonly title: string;
  readonly message: string;
  /** The line for the log. */
  readonly logLine: string;
}

/**
 * Renders the commands, by lines, with what fails the run first. What exceeds GitHub's limit follows as plain text; the
 * summary is the last line. Users' text is escaped, so it can't begin a command.
 */
export function* renderGithub(report: CheckReport, { root, failOn }: ReportContext): Generator<string> {
  const all = [...report.errors.map(ofError), ...report.results.flatMap((result) => ofResult(result, failOn))];
  all.sort((a, b) => a.rank - b.rank);
  const rest: Annotation[] = [];
  for (const level of ['error', 'warning'] as const) {
    const these = all.filter((annotation) => annotation.level === level);
    for (const annotation of these.slice(0, SHOWN)) yield `${command(annotation, root)}\n`;
    for (const annotation of these.slice(SHOWN)) rest.push(annotation);
  }
  if (rest.length > 0) yield `${rest.length} more, which GitHub would not show as annotations:\n`;
  for (const { level, logLine } of rest) yield `${level} ${logLine}\n`;
  yield `${summaryLine(report)}\n`;
}

function ofError(error: CheckError): Annotation {
  const { file, message } = error;
  return { level: 'error', rank: 0, at: error, file, title: 'muster', message, logLine: errorLine(error) };
}

function ofResult(result: CheckResult, failOn: ReportContext['failOn']): Annotation[] {
  return reportedFindings(result).map((finding) => ({
    level: levelOf(finding, failOn),
    rank: finding.action !== 'deny' ? 2 : finding.outcome === 'indeterminate' ? 1 : 0,
    at: finding,
    file: result.file,
    title: `${finding.outcome ?? finding.action}: ${finding.ruleId}`,
    message: `${messageOf(finding)} (${nameOf(result)})`,
    logLine: findingLine(result, finding),
  }));
}

function levelOf({ action, outcome }: CheckFinding, failOn: ReportContext['failOn']): 'error' | 'warning' {
  if (action !== 'deny') return failOn === 'warning' ? 'error' : 'warning';
  return outcome === 'indeterminate' && failOn === 'denied' ? 'warning' : 'error';
}

/** Returns one command, with the properties in the order of GitHub's own toolkit. An end column needs the same line. */
function command({ level, file, at, title, message }: Annotation, root?: string): string {
  const { line, column, endLine, endColumn } = at;
  const path = (root !== undefined && pathIn(root, file)) || file || '.';
  const hasEnd = endLine === line && endColumn !== undefined;
  const location = hasEnd ? `endLine=${line},col=${column},endColumn=${endColumn}` : `col=${column}`;
  return `::${level} title=${property(title)},file=${property(path)},line=${line},${location}::${data(message)}`;
}

function data(text: string): string {
  return escapeText(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
