/** Renders a report as text: each finding with its source line, the page of each rule, and a summary as the last line. */
import { WOULD_BE_DENIED } from '../../engine/index.ts';
import { excerpt } from './excerpt.ts';
import type { CheckError, CheckFinding, CheckReport, CheckResult, RelatedPlace, ReportContext } from './report.ts';
import { escapeFile, escapeText, noColor, type Paint } from './terminal.ts';

/** Renders what goes to standard output, by lines. Errors go to standard error instead, one `errorLine` each. */
export function* renderText(report: CheckReport, _: ReportContext, paint: Paint): Generator<string> {
  const pages = new Map<string, string>();
  for (const result of report.results) {
    for (const finding of reportedFindings(result)) {
      pages.set(finding.ruleId, finding.url);
      yield `${findingLine(result, finding, paint)}\n`;
      const source = result.sourceLine?.(finding.line) ?? '';
      for (const line of excerpt(source, finding, paint)) yield `${line}\n`;
      for (const place of finding.related ?? []) yield `${paint(`  see ${relatedLine(place)}`, 'dim')}\n`;
    }
  }
  for (const page of pages) yield `${paint(moreOn(...page), 'dim')}\n`;
  for (const { name, summary } of report.clusters ?? [])
    yield `${escapeFile(`${name}: ${summaryLine({ summary })}`)}\n`;
  yield `${summaryLine(report)}\n`;
}

function moreOn(ruleId: string, url: string): string {
  return `More on a rule: muster explain ${escapeText(ruleId)}, or ${escapeText(url)}`;
}

/** Returns the findings of a result without those of action `audit`, which only JSON and SARIF show. */
export function reportedFindings({ findings }: CheckResult): readonly CheckFinding[] {
  return findings.filter(({ action }) => action !== 'audit');
}

/** Returns `file:line:column: cluster: message`. */
export function relatedLine({ cluster, file, line, column, message }: RelatedPlace): string {
  return `${escapeFile(file)}:${line}:${column}: ${inCluster(cluster, message)}`;
}

/** Returns `file:line:column: error: message`; or `error: what: message` for what is no file. */
export function errorLine({ cluster, file, line, column, message }: CheckError): string {
  if (line === 0) return `error: ${inCluster(cluster, `${file}: ${message}`)}`;
  return `${escapeFile(file)}:${line}:${column}: error: ${inCluster(cluster, message)}`;
}

/** Returns `file:line:column: note: message`. */
export function noteLine({ cluster, file, line, column, message }: CheckError): string {
  return `${escapeFile(file)}:${line}:${column}: note: ${inCluster(cluster, message)}`;
}

/** Returns `file:line:column: warning: message`. */
export function warningLine({ cluster, file, line, column, message }: CheckError): string {
  return `${escapeFile(file)}:${line}:${column}: warning: ${inCluster(cluster, message)}`;
}

/** Returns `file:line:column: denied [rule/id] field: message (Kind name)`. */
export function findingLine(result: CheckResult, finding: CheckFinding, paint: Paint = noColor): string {
  const word = wordOf(finding);
  const painted = paint(word, word === 'denied' ? 'red' : 'yellow');
  const location = `${escapeFile(result.file)}:${finding.line}:${finding.column}:`;
  return `${location} ${painted} [${escapeText(finding.ruleId)}] ${messageOf(finding)} ${paint(`(${nameOf(result)})`, 'dim')}`;
}

/** Returns what a finding did to the write: `denied`, `indeterminate`, or the action that let it pass. */
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
  return escapeText(wouldDeny ? `${WOULD_BE_DENIED} ${text}` : text);
}

/** Returns `cluster: Kind namespace/name`, with the operation if it is a deletion or a status write. */
export function nameOf({ cluster, kind, namespace, name, operation, subresource }: CheckResult): string {
  const where = namespace === '' ? name : `${namespace}/${name}`;
  const write = operation === 'DELETE' ? ', deleted' : subresource === '' ? '' : `, ${subresource}`;
  return inCluster(cluster, `${kind} ${where}${write}`);
}

/** Returns `cluster: text`, or the text alone. */
export function inCluster(cluster: string | undefined, text: string): string {
  return escapeText(cluster === undefined ? text : `${cluster}: ${text}`);
}

/** Returns the counts of a report in one line. */
export function summaryLine({ summary }: Pick<CheckReport, 'summary'>): string {
  const { evaluated, allowed, denied, indeterminate, warnings, skipped, unevaluated, errors } = summary;
  const counts = [`${allowed} allowed`, `${denied} denied`, `${indeterminate} indeterminate`];
  const leftOut = [`${skipped} skipped`, ...(unevaluated > 0 ? [`${unevaluated} unevaluated`] : [])];
  const rest = [counted(warnings, 'warning'), ...leftOut, counted(errors, 'error')];
  return `${evaluated} evaluated: ${counts.join(', ')}; ${rest.join(', ')}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
