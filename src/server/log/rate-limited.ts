/**
 * Limits log lines that callers can cause at will: one in ten seconds, with the number of those left out.
 * `LogDestination` bounds the lines of decisions.
 */

/** Milliseconds between two lines. */
const INTERVAL_MS = 10_000;

/** A message and its fields. */
export type Line = readonly [message: string, fields?: Readonly<Record<string, unknown>>];

/**
 * Returns a function that writes the first line at once and, at the end of the interval, the last of the lines that
 * followed, with `suppressed`, the number of those left out. A line is built only if it is written. The timer keeps no
 * process alive.
 */
export function rateLimited(
  write: (message: string, fields: Readonly<Record<string, unknown>>) => void,
): (line: () => Line) => void {
  let timer: NodeJS.Timeout | undefined;
  let latest: (() => Line) | undefined;
  let suppressed = 0;
  const start = () => {
    timer = setTimeout(() => {
      timer = undefined;
      if (latest === undefined) return;
      const [message, fields] = latest();
      write(message, { ...fields, suppressed: suppressed - 1 });
      latest = undefined;
      suppressed = 0;
      start();
    }, INTERVAL_MS).unref();
  };
  return (line) => {
    if (timer !== undefined) {
      latest = line;
      suppressed += 1;
      return;
    }
    start();
    const [message, fields] = line();
    write(message, fields ?? {});
  };
}
