/** Renders a report as workflow commands, which GitHub shows as annotations of the lines. */

import { escapeControls } from '../base/text.ts';
import { pathIn } from '../documents/files.ts';
import type { Place, PlacedMessage } from '../input/place.ts';
import {
  type CheckReport,
  type CheckResult,
  covers,
  failsForNote,
  findingPlace,
  type ReportContext,
  workingPath,
} from './report.ts';
import {
  errorLine,
  findingLine,
  messageOf,
  nameOf,
  noteLine,
  placedMessage,
  relatedLine,
  reportedFindings,
  summaryLine,
  warningLine,
  wordOf,
} from './text.ts';

/** GitHub shows this many annotations of each level in one step, and drops the rest. */
const SHOWN = 10;

/** What annotations are about, in their order within a level. */
const SUBJECTS = ['error', 'denied', 'indeterminate', 'warning'] as const;

interface Annotation extends Place {
  readonly level: 'error' | 'warning' | 'notice';
  /** What it is about. */
  readonly subject: (typeof SUBJECTS)[number];
  readonly title: string;
  readonly message: string;
  /** The line for the log. */
  readonly logLine: string;
}

/**
 * Renders the commands, by lines; those that fail the run come first. Annotations beyond GitHub's limit follow as plain
 * text, and the summary is the last line. Users' text is escaped, so it can't begin a command.
 */
export function* renderGithub(report: CheckReport, { root, failOn }: ReportContext): Generator<string> {
  const { errors, warnings = [], notes = [], results } = report;
  const warningLevel = covers(failOn, 'warning') ? 'error' : 'warning';
  const all = [
    ...errors.map((one) => ofInput(one, 'error', 'error', errorLine(one))),
    ...warnings.map((one) => ofInput(one, warningLevel, 'warning', warningLine(one))),
    ...notes.map((one) => ofInput(one, failsForNote(one, failOn) ? 'error' : 'notice', 'indeterminate', noteLine(one))),
    ...results.flatMap((result) => ofResult(result, failOn)),
  ].sort((a, b) => SUBJECTS.indexOf(a.subject) - SUBJECTS.indexOf(b.subject));
  const levels = ['error', 'warning', 'notice'].map((level) => all.filter((one) => one.level === level));
  const shown = levels.flatMap((one) => one.slice(0, SHOWN));
  const rest = levels.flatMap((one) => one.slice(SHOWN));
  for (const annotation of shown) yield `${command(annotation, root)}\n`;
  if (rest.length > 0) yield `${rest.length} more, which GitHub would not show as annotations:\n`;
  for (const { level, logLine } of rest) yield `${level} ${logLine}\n`;
  yield `${summaryLine(report)}\n`;
}

/** Returns the annotation of a message about the input, not about an object. */
function ofInput(
  one: PlacedMessage,
  level: Annotation['level'],
  subject: Annotation['subject'],
  logLine: string,
): Annotation {
  return { ...one, level, subject, title: 'muster', message: placedMessage(one), logLine };
}

function ofResult(result: CheckResult, failOn: ReportContext['failOn']): Annotation[] {
  return reportedFindings(result).map((finding) => {
    const { action, outcome, ruleId, related = [] } = finding;
    const withRelated = (text: string) => [text, ...related.map(relatedLine)].join('; see ');
    const subject = action === 'deny' ? (outcome ?? 'denied') : 'warning';
    return {
      ...findingPlace(result, finding),
      level: covers(failOn, subject) ? 'error' : 'warning',
      subject,
      title: `${wordOf(finding)}: ${ruleId}`,
      message: `${withRelated(`${messageOf(finding)} (${nameOf(result)})`)}; more: ${finding.url}`,
      logLine: withRelated(findingLine(result, finding)),
    };
  });
}

/**
 * Returns one command, with the properties in the order of GitHub's own toolkit. An end column needs the same line.
 * Results that are in no file, such as `<stdin>` or an object of a cluster, have no location.
 */
function command(annotation: Annotation, root: string): string {
  const { level, title, message, line, column, endLine, endColumn } = annotation;
  const file = workingPath(annotation);
  if (file === undefined) return `::${level} title=${property(title)}::${data(message)}`;
  const path = pathIn(root, file) || file || '.';
  const hasEnd = endLine === line && endColumn !== undefined;
  const location = hasEnd ? `endLine=${line},col=${column},endColumn=${endColumn}` : `col=${column}`;
  return `::${level} title=${property(title)},file=${property(path)},line=${line},${location}::${data(message)}`;
}

function data(text: string): string {
  return escapeControls(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
