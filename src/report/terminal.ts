/** Text for terminals and logs of CI systems: color, tables, and escapes for what users' text must not do there. */
import { styleText } from 'node:util';
import { escapeControls } from '../base/text.ts';

/** Adds a color to a text, or nothing. */
export type Paint = (text: string, color: 'red' | 'green' | 'yellow' | 'dim' | 'bold') => string;

/** Adds no color. */
export const noColor: Paint = (text) => text;

/** The values of `--color`. */
export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;
export type ColorChoice = (typeof COLOR_CHOICES)[number];

let chosen: ColorChoice = 'auto';

/** Sets the color of the process's outputs, by `--color`. */
export function chooseColor(choice: ColorChoice): void {
  chosen = choice;
}

/**
 * Returns the color of a stream. `always` and `never` decide. With `auto`, NO_COLOR (not empty) disables color, then
 * FORCE_COLOR (not empty) enables it, or disables it if it is `0` or `false`; else a terminal has color, unless TERM is
 * `dumb`.
 */
export function paintFor(
  stream: { readonly isTTY?: boolean | undefined },
  environment: Readonly<Record<string, string | undefined>>,
  choice: ColorChoice = chosen,
): Paint {
  const hasColor = choice === 'auto' ? isColored(stream.isTTY === true, environment) : choice === 'always';
  if (!hasColor) return noColor;
  return (text, color) => styleText(color, text, { validateStream: false });
}

function isColored(isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean {
  const { NO_COLOR: disabled, FORCE_COLOR: forced, TERM: terminal } = environment;
  if (disabled) return false;
  if (forced) return forced !== '0' && forced !== 'false';
  return isTerminal && terminal !== 'dumb';
}

/** Escapes a file name, or a line that begins with a name, where `::` would begin a command on GitHub. */
export function escapeFile(file: string): string {
  return escapeControls(file).replace(/^\s*(?=::)/, './');
}

/** Returns one line for each row under a heading, in columns; no line begins a command. `color` colors a row. */
export function table(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
  color: (row: readonly string[]) => Parameters<Paint>[1] | undefined = () => undefined,
): string {
  const widths = columns.map((title, column) => {
    return rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), title.length);
  });
  const line = (cells: readonly string[]) =>
    escapeFile(cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).trimEnd();
  const painted = rows.map((row) => {
    const name = color(row);
    return name === undefined ? line(row) : paint(line(row), name);
  });
  return [paint(line(columns), 'bold'), ...painted, ''].join('\n');
}
