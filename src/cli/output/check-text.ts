/** A report as text: each finding that asks for attention with its source, and a summary as the last line. */
import type { CheckError, CheckFinding, CheckReport, CheckResult } from '../check/report.ts';
import { type Paint, plainly } from './colour.ts';
import { excerpt } from './excerpt.ts';
import { shown, shownFile } from './shown.ts';

/** The report on standard output, by lines. Errors are no part of it: they go to standard error, `errorLine` each. */
export function* checkLines(report: CheckReport, paint: Paint = plainly): Generator<string> {
  let explained: string | undefined;
  for (const result of report.results) {
    for (const finding of toldIn(result)) {
      explained ??= finding.ruleId;
      yield `${findingLine(result, finding, paint)}\n`;
      const source = result.sourceLine?.(finding.line) ?? '';
      for (const line of excerpt(source, finding, paint)) yield `${line}\n`;
    }
  }
  if (explained !== undefined) yield paint(`More on a rule: muster explain ${shown(explained)}`, 'dim').concat('\n');
  yield `${summaryLine(report)}\n`;
}

/** An audit finding passes silently; the JSON report has it. */
export function toldIn({ findings }: CheckResult): readonly CheckFinding[] {
  return findings.filter(({ action }) => action !== 'audit');
}

/** `file:line:column: error: message` */
export function errorLine({ file, line, column, message }: CheckError): string {
  return `${shownFile(file)}:${line}:${column}: error: ${shown(message)}`;
}

/** `file:line:column: deny [rule/id] field: message (Kind name)` */
export function findingLine(result: CheckResult, finding: CheckFinding, paint: Paint = plainly): string {
  const word = finding.outcome ?? finding.action;
  const painted = paint(word, word === 'deny' ? 'red' : 'yellow');
  const place = `${shownFile(result.file)}:${finding.line}:${finding.column}:`;
  return `${place} ${painted} [${shown(finding.ruleId)}] ${complaint(finding)} ${paint(`(${nameOf(result)})`, 'dim')}`;
}

/** `field: message` */
export function complaint({ field, message }: Pick<CheckFinding, 'field' | 'message'>): string {
  return shown(field === '' ? message : `${field}: ${message}`);
}

/** `Kind namespace/name`, and the write where it is not a plain one. */
export function nameOf({ kind, namespace, name, operation, subresource }: CheckResult): string {
  const where = namespace === '' ? name : `${namespace}/${name}`;
  const write = operation === 'DELETE' ? ', deleted' : subresource === '' ? '' : `, ${subresource}`;
  return shown(`${kind} ${where}${write}`);
}

/** What it all came to, in one line. */
export function summaryLine({ summary }: Pick<CheckReport, 'summary'>): string {
  const { judged, allowed, denied, indeterminate, warnings, skipped, errors } = summary;
  const counts = [`${allowed} allowed`, `${denied} denied`, `${indeterminate} indeterminate`];
  const rest = [counted(warnings, 'warning'), `${skipped} skipped`, counted(errors, 'error')];
  return `${judged} judged: ${counts.join(', ')}; ${rest.join(', ')}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
