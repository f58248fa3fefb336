/** Lines that others can bring about as often as they please: one in a while, with the count of those left out. */

/** At most one line in this time, in milliseconds. */
export const SELDOM_MS = 10_000;

export interface SeldomOptions {
  readonly everyMs?: number;
}

/** What a line says, and what stands beside it. Made only when it is told. */
export type Line = readonly [message: string, facts?: Readonly<Record<string, unknown>>];

/**
 * A teller that lets the first line through at once, and of those that follow within `everyMs` the last, at the end of that
 * time, with `leftOut` beside it. Its timer keeps no process alive.
 */
export function seldom(
  tell: (message: string, facts: Readonly<Record<string, unknown>>) => void,
  { everyMs = SELDOM_MS }: SeldomOptions = {},
): (line: () => Line) => void {
  let quiet = false;
  let latest: (() => Line) | undefined;
  let leftOut = 0;
  const rest = () => {
    quiet = true;
    setTimeout(wake, everyMs).unref();
  };
  const wake = () => {
    quiet = false;
    if (latest === undefined) return;
    const [message, facts] = latest();
    tell(message, { ...facts, leftOut: leftOut - 1 });
    latest = undefined;
    leftOut = 0;
    rest();
  };
  return (line) => {
    if (quiet) {
      latest = line;
      leftOut += 1;
      return;
    }
    rest();
    const [message, facts] = line();
    tell(message, facts ?? {});
  };
}
