/** A report as workflow commands, which GitHub shows as annotations beside the lines they speak of. */
import type { CheckError, CheckFinding, CheckReport, CheckResult } from '../check/report.ts';
import { complaint, errorLine, findingLine, nameOf, summaryLine, toldIn } from './check-text.ts';
import { type Reporting, within } from './report.ts';
import { shown } from './shown.ts';

/** GitHub shows so many of each level in one step, and drops the rest without a word. */
const SHOWN = 10;

interface Annotation {
  readonly level: 'error' | 'warning';
  /** What comes first within its level: what denies, what is unknown, what warns. */
  readonly rank: 0 | 1 | 2;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  readonly title: string;
  readonly message: string;
  /** The same for the log. */
  readonly plainly: string;
}

/**
 * The commands, by lines: what fails the run first, at most 10 of a level. What is beyond that stands in the log as text;
 * the summary is the last line. No text of users can begin a command of its own.
 */
export function* githubLines(report: CheckReport, { root, failOn }: Reporting): Generator<string> {
  const all = [...report.errors.map(ofError), ...report.results.flatMap((result) => ofResult(result, failOn))];
  all.sort((a, b) => a.rank - b.rank);
  const rest: Annotation[] = [];
  for (const level of ['error', 'warning'] as const) {
    const these = all.filter((annotation) => annotation.level === level);
    for (const annotation of these.slice(0, SHOWN)) yield `${command(annotation, root)}\n`;
    for (const annotation of these.slice(SHOWN)) rest.push(annotation);
  }
  if (rest.length > 0) yield `${rest.length} more, which GitHub would not show as annotations:\n`;
  for (const { level, plainly } of rest) yield `${level} ${plainly}\n`;
  yield `${summaryLine(report)}\n`;
}

function ofError(error: CheckError): Annotation {
  const { file, line, column, message } = error;
  const said = { title: 'muster', message: shown(message), plainly: errorLine(error) };
  return { level: 'error', rank: 0, file, line, column, ...said };
}

function ofResult(result: CheckResult, failOn: Reporting['failOn']): Annotation[] {
  return toldIn(result).map((finding) => ({
    level: levelOf(finding, failOn),
    rank: finding.action !== 'deny' ? 2 : finding.outcome === 'indeterminate' ? 1 : 0,
    file: result.file,
    line: finding.line,
    column: finding.column,
    ...(finding.endLine !== undefined && { endLine: finding.endLine }),
    ...(finding.endColumn !== undefined && { endColumn: finding.endColumn }),
    title: `${finding.outcome ?? finding.action}: ${finding.ruleId}`,
    message: `${complaint(finding)} (${nameOf(result)})`,
    plainly: findingLine(result, finding),
  }));
}

function levelOf({ action, outcome }: CheckFinding, failOn: Reporting['failOn']): 'error' | 'warning' {
  if (action !== 'deny') return failOn === 'warning' ? 'error' : 'warning';
  return outcome === 'indeterminate' && failOn === 'denied' ? 'warning' : 'error';
}

/** The properties in the order in which GitHub's own toolkit writes them. Columns count only on one and the same line. */
function command({ level, file, line, column, endLine, endColumn, title, message }: Annotation, root?: string): string {
  const path = (root !== undefined && within(root, file)) || file || '.';
  const ends = endLine === line && endColumn !== undefined;
  const place = ends
    ? `line=${line},endLine=${line},col=${column},endColumn=${endColumn}`
    : `line=${line},col=${column}`;
  return `::${level} title=${property(title)},file=${property(path)},${place}::${data(message)}`;
}

function data(text: string): string {
  return shown(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
