/** Text for terminals and logs of CI systems: color, and escapes for what users' text must not do there. */
import { plain } from '../../engine/text.ts';

/** Adds a color to a text, or nothing. */
export type Paint = (text: string, color: 'red' | 'yellow' | 'dim' | 'bold') => string;

const CODES = { red: [31, 39], yellow: [33, 39], dim: [2, 22], bold: [1, 22] } as const;

/** Adds no color. */
export const noColor: Paint = (text) => text;

/** Returns the color of a stream: none without a terminal, with NO_COLOR (not empty) or with TERM=dumb. */
export function paintFor(
  stream: { readonly isTTY?: boolean | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): Paint {
  if (stream.isTTY !== true || environment['NO_COLOR'] || environment['TERM'] === 'dumb') return noColor;
  return (text, color) => `\u001b[${CODES[color][0]}m${text}\u001b[${CODES[color][1]}m`;
}

/**
 * Escapes what could forge a line or move a cursor, and the `##` of `##[…]`, `##vso[…]` and `##teamcity[…]`: CI systems look
 * for such commands anywhere in a line, and a manifest may be untrusted.
 */
export function escapeText(text: string): string {
  return plain(text).replace(/(?<=#)#(?=\w{0,16}\[)/g, '\\u0023');
}

/** Escapes a file name at the beginning of a line, where `::` would begin a command on GitHub. */
export function escapeFile(file: string): string {
  return escapeText(file).replace(/^\s*(?=::)/, './');
}
