/** Shows progress on one line of a terminal, which is overwritten and removed at the end. */

import { escapeControls, shorten } from '../base/text.ts';
import type { ReadProgress } from '../input/sources.ts';
import { escapeFile } from '../report/terminal.ts';

/** A terminal, or a substitute in tests. */
interface Screen {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export interface ProgressLine {
  /** Shows a text, which is built only if it is shown. */
  show(text: () => string): void;
  /** Removes the line. Call it before other output to the terminal. */
  end(): void;
}

/** Milliseconds before a line is shown. */
const QUIET_MS = 500;
const EVERY_MS = 100;
/** The width if a terminal reports 0. */
const WIDTH = 80;
const ERASE_LINE = '\r\u001b[2K';
/** Disables wrapping: only one line is erased. */
const NO_WRAP = '\u001b[?7l';
const WRAP = '\u001b[?7h';

/**
 * Returns the line; undefined if the stream is no terminal, is a CI system's (`CI` is set), or can't erase a line.
 * It has no colors, so NO_COLOR changes nothing.
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
      screen.write(`${ERASE_LINE}${NO_WRAP}${shorten(escapeControls(text()), (screen.columns || WIDTH) - 1)}${WRAP}`);
    },
    end() {
      if (isShown) screen.write(ERASE_LINE);
      isShown = false;
    },
  };
}

/** Returns a callback that shows the progress of reading; undefined without a line. */
export function showReading(line: ProgressLine | undefined): ((progress: ReadProgress) => void) | undefined {
  const textOf = ({ source, file, files, share }: ReadProgress) => {
    const percent = share > 0 ? ` (${Math.floor(share * 100)} %)` : '';
    return `reading ${files === 1 ? '' : `${file} of ${files}: `}${source}${percent}`;
  };
  return line && ((progress) => line.show(() => textOf(progress)));
}

/** Returns a callback that writes a line of `--verbose` to standard error, after the end of the progress line. */
export function writeSkipped(line: ProgressLine | undefined): (skipped: string) => void {
  return (skipped) => {
    line?.end();
    process.stderr.write(`${escapeFile(skipped)}\n`);
  };
}
