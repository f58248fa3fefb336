/** A DoctorReport as text: one line a check, what differs and what to do below it, and a summary as the last line. */
import { plain } from '../../engine/text.ts';
import { noColor, type Paint } from '../output/terminal.ts';
import type { Check, CheckStatus, DoctorReport } from './report.ts';

const SIGNS: Readonly<Record<CheckStatus, string>> = { ok: '✓', warn: '!', fail: '✗', unknown: '?' };
const WORDS: Readonly<Record<CheckStatus, string>> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL', unknown: '?   ' };
const COLOURS: Readonly<Record<CheckStatus, Parameters<Paint>[1]>> = {
  ok: 'dim',
  warn: 'yellow',
  fail: 'red',
  unknown: 'yellow',
};

/** Signs and colour where there is a terminal that wants them, else plain words. */
export function doctorText(report: DoctorReport, paint: Paint = noColor): string {
  const marks = paint === noColor ? WORDS : SIGNS;
  const lines = report.checks.flatMap((check) => linesOf(check, marks[check.status], paint));
  return [...lines, summaryLine(report), ''].join('\n');
}

function linesOf(
  { id, title, status, message, details = [], remedy }: Check,
  mark: string,
  paint: Paint,
): readonly string[] {
  const indent = ' '.repeat(mark.length + 1);
  return [
    `${paint(mark, COLOURS[status])} ${id}: ${plain(title)}: ${plain(message)}`,
    ...details.map((detail) => `${indent}- ${plain(detail.message)}`),
    ...(remedy === undefined ? [] : [`${indent}${paint('to mend:', 'bold')} ${plain(remedy)}`]),
  ];
}

function summaryLine({ server, summary }: DoctorReport): string {
  const { checks, ok, warn, fail, unknown } = summary;
  return `${checks} checks of ${plain(server)}: ${ok} ok, ${warn} ${warn === 1 ? 'warning' : 'warnings'}, ${fail} failed, ${unknown} unknown`;
}
