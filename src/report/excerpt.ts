/** Formats a source line with its number, and a mark under the value of a finding. */
import { escapeControls } from '../base/text.ts';
import type { Location } from '../documents/index.ts';
import { noColor, type Paint } from './terminal.ts';

/** The most columns of an excerpt. */
const WIDTH = 100;
/** The most columns before the mark, if the line is cut. */
const LEAD = 40;

/** Returns two lines, or none for an empty line. `text` is the whole line; `paint` colors the mark. */
export function excerpt(text: string, marked: Location, paint: Paint = noColor): readonly string[] {
  if (text.trim() === '') return [];
  const at = boundary(text, marked.column - 1);
  const isShort = text.length <= WIDTH && columns(shown(text)) <= WIDTH;
  let from = isShort ? 0 : boundary(text, at - LEAD);
  while (!isShort && columns(shown(text.slice(from, at))) > LEAD) from += charAt(text, from).length;
  let to = boundary(text, from + WIDTH);
  while (columns(shown(text.slice(from, to))) > WIDTH) to = boundary(text, to - 1);
  const end = boundary(text, Math.max(at, Math.min(to, endOf(marked))));
  const [before, under, after] = [text.slice(from, at), text.slice(at, end), text.slice(end, to)].map(shown);
  const lead = `${from > 0 ? '…' : ''}${before}`;
  // Escaped once more: together, the parts may form a command of a CI system.
  const line = escapeControls(`${lead}${under}${after}${to < text.length ? '…' : ''}`).trimEnd();
  const mark = `^${'~'.repeat(Math.max(0, columns(under) - 1))}`;
  const number = String(marked.line).padStart(3);
  const gutter = (label: string) => paint(`${label} |`, 'dim');
  return [
    `${gutter(number)} ${line}`,
    `${gutter(' '.repeat(number.length))} ${' '.repeat(columns(lead))}${paint(mark, 'bold')}`,
  ];
}

/** Returns the offset after the value, on this line. Without an end one character is marked. */
function endOf({ line, column, endLine, endColumn }: Location): number {
  if (endLine === undefined || endColumn === undefined) return column;
  return endLine > line ? Number.POSITIVE_INFINITY : endColumn - 1;
}

/** Returns the nearest offset of the text that does not cut a character in two. */
function boundary(text: string, offset: number): number {
  const at = Math.max(0, Math.min(offset, text.length));
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

function charAt(text: string, offset: number): string {
  return String.fromCodePoint(text.codePointAt(offset) ?? 0);
}

/** Replaces tabs: their width depends on the terminal, so the mark would be misplaced. */
function shown(text: string): string {
  return escapeControls(text.replaceAll('\t', '  '));
}

/** East Asian wide and full-width characters, and emoji, take two columns. (Unicode Standard Annex 11) */
const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const NONE = /[\p{Mn}\p{Me}]/u;

/** Returns how many columns of a terminal a text takes. */
function columns(text = ''): number {
  let width = 0;
  for (const char of text) width += char <= '\u007f' ? 1 : NONE.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
  return width;
}
