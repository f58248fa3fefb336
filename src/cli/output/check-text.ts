/** A CheckReport as text: one line a finding that asks for attention, and a summary as the last line. */

import { plain } from '../../engine/text.ts';
import type { CheckError, CheckFinding, CheckReport, CheckResult } from '../check/report.ts';
import { type Paint, plainly } from './colour.ts';

/** The report on standard output. Errors are no part of it: they go to standard error, `errorLine` each. */
export function checkText(report: CheckReport, paint: Paint = plainly): string {
  const lines = report.results.flatMap((result) =>
    // An audit finding passes silently; the JSON report has it.
    result.findings.filter(({ action }) => action !== 'audit').map((finding) => findingLine(result, finding, paint)),
  );
  return [...lines, summaryLine(report), ''].join('\n');
}

/** `file:line:column: error: message` */
export function errorLine({ file, line, column, message }: CheckError): string {
  return `${plain(file)}:${line}:${column}: error: ${plain(message)}`;
}

function findingLine(result: CheckResult, finding: CheckFinding, paint: Paint): string {
  const word = finding.outcome ?? finding.action;
  const shown = paint(word, word === 'deny' ? 'red' : 'yellow');
  const field = finding.field === '' ? '' : `${finding.field}: `;
  const place = `${plain(result.file)}:${finding.line}:${finding.column}:`;
  return `${place} ${shown} [${finding.ruleId}] ${field}${finding.message} ${paint(`(${nameOf(result)})`, 'dim')}`;
}

function nameOf({ kind, namespace, name, operation, subresource }: CheckResult): string {
  const where = namespace === '' ? name : `${namespace}/${name}`;
  const write = operation === 'DELETE' ? ', deleted' : subresource === '' ? '' : `, ${subresource}`;
  return plain(`${kind} ${where}${write}`);
}

function summaryLine({ summary }: CheckReport): string {
  const { judged, allowed, denied, indeterminate, warnings, skipped, errors } = summary;
  const counts = [`${allowed} allowed`, `${denied} denied`, `${indeterminate} indeterminate`];
  const rest = [counted(warnings, 'warning'), `${skipped} skipped`, counted(errors, 'error')];
  return `${judged} judged: ${counts.join(', ')}; ${rest.join(', ')}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
