/** Formats a source line with its number, and a mark under the value of a finding. */
import { escapeText, noColor, type Paint } from './terminal.ts';

export interface Marked {
  /** Both count from 1; the column in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  /** Exclusive; without them one character is marked. */
  readonly endLine?: number;
  readonly endColumn?: number;
}

/** The most columns of an excerpt, without the line number; and of these before the mark if the line is cut. */
const WIDTH = 100;
const LEAD = 40;

/** Returns two lines, or none for an empty line. `text` is the whole line; `paint` colors the mark. */
export function excerpt(text: string, marked: Marked, paint: Paint = noColor): readonly string[] {
  if (text.trim() === '') return [];
  const at = Math.min(marked.column - 1, text.length);
  const { cells, cutLeft, cutRight } = cut(text, at);
  const before = (cutLeft ? 1 : 0) + widthOf(cells.filter(({ offset }) => offset < at));
  const under = cells.filter(({ offset }) => offset >= at && offset < endOf(marked));
  const mark = `^${'~'.repeat(Math.max(0, widthOf(under) - 1))}`;
  const number = String(marked.line).padStart(3);
  const line = `${cutLeft ? '…' : ''}${cells.map((cell) => cell.text).join('')}${cutRight ? '…' : ''}`.trimEnd();
  const gutter = (label: string) => paint(`${label} |`, 'dim');
  return [
    `${gutter(number)} ${line}`,
    `${gutter(' '.repeat(number.length))} ${' '.repeat(before)}${paint(mark, 'bold')}`,
  ];
}

interface Cell {
  /** In the line, in UTF-16 code units. */
  readonly offset: number;
  readonly text: string;
  readonly width: number;
}

function endOf({ line, column, endLine, endColumn }: Marked): number {
  if (endLine === undefined || endColumn === undefined) return column;
  return endLine > line ? Number.POSITIVE_INFINITY : endColumn - 1;
}

/** Returns a whole line, or what is around the mark. A line of megabytes is never read whole. */
function cut(text: string, at: number): { cells: readonly Cell[]; cutLeft: boolean; cutRight: boolean } {
  let from = text.length <= WIDTH ? 0 : Math.max(0, at - LEAD);
  if (isSecondHalf(text, from)) from -= 1;
  const all = cellsOf(text, from, Math.min(text.length, from + 2 * WIDTH));
  let [first, lead] = [0, widthOf(all.filter(({ offset }) => offset < at))];
  while (lead > LEAD && (from > 0 || widthOf(all) > WIDTH)) lead -= all[first++]?.width ?? lead;
  const cells: Cell[] = [];
  let width = 0;
  for (const cell of all.slice(first)) {
    width += cell.width;
    if (width > WIDTH) break;
    cells.push(cell);
  }
  const last = cells.at(-1);
  const cutRight = last !== undefined && last.offset + 2 < text.length && cells.length < all.length - first;
  return { cells, cutLeft: from + first > 0, cutRight: cutRight || from + 2 * WIDTH < text.length };
}

function cellsOf(text: string, from: number, to: number): Cell[] {
  const cells: Cell[] = [];
  for (let offset = from; offset < to; ) {
    const char = String.fromCodePoint(text.codePointAt(offset) ?? 0);
    // The width of a tab depends on the terminal, and the mark would be misplaced.
    const shown = char === '\t' ? '  ' : char === '#' ? hash(text, offset) : escapeText(char);
    cells.push({ offset, text: shown, width: shown === char ? charWidth(char) : shown.length });
    offset += char.length;
  }
  return cells;
}

/** Escapes a `#` that begins a command with its neighbors. */
function hash(text: string, offset: number): string {
  if (offset === 0) return '#';
  return escapeText(text.slice(offset - 1, offset + 18)).startsWith('#\\u0023') ? '\\u0023' : '#';
}

function isSecondHalf(text: string, offset: number): boolean {
  return offset > 0 && (text.codePointAt(offset - 1) ?? 0) > 0xffff;
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}

/** East Asian wide and full-width characters, and emoji, take two columns. (Unicode Standard Annex 11) */
const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const NONE = /[\p{Mn}\p{Me}]/u;

function charWidth(char: string): number {
  if (char <= '\u007f') return 1;
  return NONE.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
}
