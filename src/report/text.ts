/**
 * Renders a report as text: each finding with its source line, the page of each rule, and a summary as the last line.
 * Other outputs have some of these lines, too.
 */
import { counted, escapeControls } from '../base/text.ts';
import { WOULD_BE_DENIED } from '../engine/index.ts';
import type { Place, PlacedMessage } from '../input/place.ts';
import { excerpt } from './excerpt.ts';
import {
  type CheckFinding,
  type CheckReport,
  type CheckResult,
  objectName,
  type RelatedPlace,
  type ReportContext,
} from './report.ts';
import { escapeFile, noColor, type Paint } from './terminal.ts';

/** Renders the report for standard output, by lines. Errors go to standard error instead, one `errorLine` each. */
export function* renderText(report: CheckReport, _: ReportContext, paint: Paint): Generator<string> {
  const pages = new Map<string, string>();
  for (const result of report.results) {
    for (const finding of reportedFindings(result)) {
      pages.set(finding.ruleId, finding.url);
      yield `${findingLine(result, finding, paint)}\n`;
      for (const line of excerptOf(finding, paint)) yield `${line}\n`;
      for (const place of finding.related ?? []) yield `${paint(`  see ${relatedLine(place)}`, 'dim')}\n`;
    }
  }
  for (const page of pages) yield `${paint(moreOn(...page), 'dim')}\n`;
  for (const { name, summary } of report.clusters ?? [])
    yield `${escapeFile(`${name}: ${summaryLine({ summary })}`)}\n`;
  yield `${summaryLine(report)}\n`;
}

function moreOn(ruleId: string, url: string): string {
  return `More on a rule: muster explain ${escapeControls(ruleId)}, or ${escapeControls(url)}`;
}

/** Columns that are read on each side of the mark; an excerpt shows fewer. */
const AROUND = 1000;

function excerptOf(finding: CheckFinding, paint: Paint): readonly string[] {
  const { line, column, sourceLine } = finding;
  if (line === undefined || column === undefined) return [];
  const from = Math.max(1, column - AROUND);
  const part = sourceLine?.(line, from, column + AROUND) ?? '';
  const end = finding.endColumn !== undefined && { endColumn: finding.endColumn - from + 1 };
  return excerpt(part, { ...finding, line, column: column - from + 1, ...end }, paint);
}

/** Returns the findings of a result without those of action `audit`, which only JSON and SARIF show. */
export function reportedFindings({ findings }: CheckResult): readonly CheckFinding[] {
  return findings.filter(({ action }) => action !== 'audit');
}

/** Returns `file:line:column: cluster: message`; in no file, `cluster: Kind name: message`. */
export function relatedLine(place: RelatedPlace): string {
  return `${locationOf(place)}${placedMessage(place)}`;
}

/** These return `file:line:column: error: message`; if there is no file, `error: about: message`. */
export const errorLine = lineWith('error');
export const noteLine = lineWith('note');
export const warningLine = lineWith('warning');

function lineWith(word: string): (one: PlacedMessage) => string {
  return (one) => `${locationOf(one)}${word}: ${placedMessage(one)}`;
}

/** Returns `cluster: about: message`: all but the location in a file. */
export function placedMessage({ cluster, about, message }: Place & { readonly message: string }): string {
  return afterCluster(cluster, about === undefined ? message : `${about}: ${message}`);
}

/**
 * Returns `file:line:column: denied [rule/id] field: message (Kind name)`; for an object in no file,
 * `cluster: Kind name: denied [rule/id] field: message`.
 */
export function findingLine(result: CheckResult, finding: CheckFinding, paint: Paint = noColor): string {
  const word = wordOf(finding);
  const painted = paint(word, word === 'denied' ? 'red' : 'yellow');
  const text = `${painted} [${escapeControls(finding.ruleId)}] ${messageOf(finding)}`;
  const name = nameOf(result);
  const { line, column, file = result.file } = finding;
  if (file === undefined) return `${escapeFile(name)}: ${text}`;
  return `${locationOf({ file, line, column })}${text} ${paint(`(${name})`, 'dim')}`;
}

/** Returns `file:line:column: `, for the beginning of a line; an empty text if there is no file. */
function locationOf({ file, line, column }: { readonly [Key in 'file' | 'line' | 'column']?: Place[Key] | undefined }) {
  return file === undefined ? '' : `${escapeFile(file)}:${line}:${column}: `;
}

/** Returns the effect of a finding on the write: `denied`, `indeterminate`, or the action that let it pass. */
export function wordOf({ action, outcome }: CheckFinding): string {
  return outcome ?? (action === 'deny' ? 'denied' : action);
}

/** Returns `field: message`, after `would be denied:` if only the mode keeps it from that. */
export function messageOf({
  field,
  message,
  wouldDeny,
}: Pick<CheckFinding, 'field' | 'message' | 'wouldDeny'>): string {
  const text = field === '' ? message : `${field}: ${message}`;
  return escapeControls(wouldDeny ? `${WOULD_BE_DENIED} ${text}` : text);
}

/**
 * Returns `cluster: Kind namespace/name`, with the context, and with the operation if it is a deletion or a status
 * write.
 */
export function nameOf(result: CheckResult): string {
  const { cluster, context, operation, subresource } = result;
  const write = operation === 'DELETE' ? ', deleted' : subresource === '' ? '' : `, ${subresource}`;
  return afterCluster(cluster, `${objectName(result)}${context === undefined ? '' : `, context ${context}`}${write}`);
}

/** Returns `cluster: text`, or the text alone. */
function afterCluster(cluster: string | undefined, text: string): string {
  return escapeControls(cluster === undefined ? text : `${cluster}: ${text}`);
}

/** Returns the counts of a report in one line. */
export function summaryLine({ summary }: Pick<CheckReport, 'summary'>): string {
  const { evaluated, allowed, denied, indeterminate, warnings, skipped, unevaluated, errors } = summary;
  const counts = [`${allowed} allowed`, `${denied} denied`, `${indeterminate} indeterminate`];
  const leftOut = [`${skipped} skipped`, ...(unevaluated > 0 ? [`${unevaluated} unevaluated`] : [])];
  const rest = [counted(warnings, 'warning'), ...leftOut, counted(errors, 'error')];
  return `${evaluated} evaluated: ${counts.join(', ')}; ${rest.join(', ')}`;
}
