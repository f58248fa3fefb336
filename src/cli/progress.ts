/** How far long work is, on one line of a terminal that is written over, and taken away at the end. */
import type { Reading } from '../cluster/files/index.ts';
import { plain, shorten } from '../engine/text.ts';

/** A terminal, or what takes its place. */
export interface Screen {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export interface ProgressLine {
  /** Shows a text, made only when it is time to show one. */
  show(text: () => string): void;
  /** Takes the line away. Before anything else is written to the terminal. */
  end(): void;
}

/** Work that ends sooner needs no line. */
const QUIET_MS = 500;
const EVERY_MS = 100;
/** Where a terminal does not tell its own: it says 0. */
const WIDTH = 80;
const ERASE_LINE = '\r\u001b[2K';
/** A text that is wider than it looks must not wrap: only one line is taken away. */
const [NO_WRAP, WRAP] = ['\u001b[?7l', '\u001b[?7h'];

/**
 * Undefined where nobody watches: the stream is no terminal, or a CI system's (`CI` is set), or can't take a line away.
 * No colours, so NO_COLOR changes nothing.
 * @param clock milliseconds since any moment
 */
export function progressLine(
  screen: Screen,
  environment: Readonly<Record<string, string | undefined>>,
  clock: () => number = () => performance.now(),
): ProgressLine | undefined {
  const { CI: ci = '', TERM: term } = environment;
  if (screen.isTTY !== true || term === 'dumb' || (ci !== '' && ci !== 'false')) return undefined;
  let next = clock() + QUIET_MS;
  let isShown = false;
  return {
    show(text) {
      const now = clock();
      if (now < next) return;
      next = now + EVERY_MS;
      isShown = true;
      screen.write(`${ERASE_LINE}${NO_WRAP}${shorten(plain(text()), (screen.columns || WIDTH) - 1)}${WRAP}`);
    },
    end() {
      if (isShown) screen.write(ERASE_LINE);
      isShown = false;
    },
  };
}

/** Shows how far the reading of files is; undefined where there is no line to show it on. */
export function showReading(line: ProgressLine | undefined): ((reading: Reading) => void) | undefined {
  return line && ((reading) => line.show(() => readingText(reading)));
}

function readingText({ source, file, files, share }: Reading): string {
  const percent = share > 0 ? ` (${Math.floor(share * 100)} %)` : '';
  return files === 1 ? `reading ${source}${percent}` : `reading ${file} of ${files}: ${source}${percent}`;
}
