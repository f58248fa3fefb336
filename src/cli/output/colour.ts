/** Colour, only on a terminal and never with NO_COLOR. */

export type Paint = (text: string, colour: 'red' | 'yellow' | 'dim' | 'bold') => string;

const CODES = { red: [31, 39], yellow: [33, 39], dim: [2, 22], bold: [1, 22] } as const;

export const plainly: Paint = (text) => text;

/** What may paint on a stream. `environment` is the process's: NO_COLOR (not empty) and TERM=dumb forbid it. */
export function paintFor(
  stream: { readonly isTTY?: boolean | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): Paint {
  if (stream.isTTY !== true || environment['NO_COLOR'] || environment['TERM'] === 'dumb') return plainly;
  return (text, colour) => `\u001b[${CODES[colour][0]}m${text}\u001b[${CODES[colour][1]}m`;
}
