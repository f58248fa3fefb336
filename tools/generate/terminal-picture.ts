/** Draws what a command prints on a terminal as an SVG: text, in the colors that it has. */

/** The size of a cell, and the margins, in pixels. */
const CELL = { width: 8.4, height: 19 };
const MARGIN = { left: 20, top: 48, bottom: 20 };

/** The colors by their ANSI codes. Each has a contrast of at least 4.5 on the background. */
const COLORS: Readonly<Record<string, string>> = { 31: '#ff8182', 32: '#56d364', 33: '#e3b341' };
const TEXT = '#e6edf3';
const DIM = '#9198a1';
const BACKGROUND = '#0d1117';

/** An escape sequence that begins or ends a color or weight. */
const ESCAPE = new RegExp(`${'\u001b'}\\[(\\d{1,2})m`);

interface Style {
  readonly color: string;
  readonly bold: boolean;
}

interface Span extends Style {
  readonly text: string;
}

/**
 * Returns the picture of a text with ANSI colors. `title` is read aloud in place of the picture.
 * @param columns the width of the terminal; longer lines are an error, since they would be cut off
 */
export function terminalPicture(title: string, printed: string, columns: number): string {
  const rows = rowsOf(printed.trimEnd());
  const longest = Math.max(...rows.map((row) => lengthOf(row)));
  if (longest > columns) throw new Error(`a line has ${longest} columns, more than the ${columns} of the terminal`);
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN.left);
  const height = rows.length * CELL.height + MARGIN.top + MARGIN.bottom;
  const lights = ['#ff5f57', '#febc2e', '#28c840'].map((fill, index) => {
    return `<circle cx="${24 + index * 20}" cy="22" r="6" fill="${fill}"/>`;
  });
  const font = 'ui-monospace, SFMono-Regular, Menlo, Consolas, &quot;Liberation Mono&quot;, monospace';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ` +
      `height="${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="10" fill="${BACKGROUND}"/>`,
    ...lights,
    `<g font-family="${font}" font-size="14" fill="${TEXT}">`,
    ...rows.flatMap((row, index) => (row.length === 0 ? [] : [rowText(row, MARGIN.top + (index + 0.7) * CELL.height)])),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Draws a row. With `textLength`, it has the same width in every font. */
function rowText(row: readonly Span[], y: number): string {
  const spans = row.map(({ text, color, bold }) => {
    const style = `${color === TEXT ? '' : ` fill="${color}"`}${bold ? ' font-weight="bold"' : ''}`;
    return style === '' ? escaped(text) : `<tspan${style}>${escaped(text)}</tspan>`;
  });
  const length = (lengthOf(row) * CELL.width).toFixed(1);
  const place = `x="${MARGIN.left}" y="${y.toFixed(1)}" textLength="${length}" lengthAdjust="spacingAndGlyphs"`;
  return `<text ${place} xml:space="preserve">${spans.join('')}</text>`;
}

function lengthOf(row: readonly Span[]): number {
  return row.reduce((sum, { text }) => sum + [...text].length, 0);
}

/** Returns the spans of each line. @throws Error for an escape sequence that `paintFor` does not write */
function rowsOf(printed: string): readonly (readonly Span[])[] {
  let style: Style = { color: TEXT, bold: false };
  return printed.split('\n').map((line) => {
    const spans: Span[] = [];
    for (const [index, part] of line.split(ESCAPE).entries()) {
      if (index % 2 === 1) style = styled(style, part);
      else if (part !== '') spans.push({ ...style, text: part });
    }
    return spans;
  });
}

function styled(style: Style, code: string): Style {
  if (code === '1') return { ...style, bold: true };
  if (code === '2') return { ...style, color: DIM };
  if (code === '22') return { bold: false, color: style.color === DIM ? TEXT : style.color };
  if (code === '39') return { ...style, color: TEXT };
  const color = COLORS[code];
  if (color === undefined) throw new Error(`no color for the escape sequence ${code}`);
  return { ...style, color };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
