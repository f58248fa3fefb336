/** "Did you mean": the known word nearest to what somebody wrote. */

/** More letters than this are no slip of the pen. */
const MOST_APART = 4;
const LONGEST = 80;

/**
 * The candidate that a word was probably meant to be, or undefined when none is near. Case does not count. A word of
 * which only the last part is right (`value` for `claim/value`) counts as near.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word === '' || word.length > LONGEST) return undefined;
  const written = word.toLowerCase();
  let best: string | undefined;
  let least = Math.min(MOST_APART, Math.max(1, Math.floor(word.length / 3))) + 1;
  for (const candidate of candidates) {
    const known = candidate.toLowerCase();
    if (known === written || known.endsWith(`/${lastPart(written)}`)) return candidate;
    const apart = distance(written, known, least);
    if (apart < least) [best, least] = [candidate, apart];
  }
  return best;
}

/** The end of a sentence that names the nearest candidate; empty when none is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const near = nearest(word, candidates);
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

function lastPart(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

/**
 * How many letters to insert, drop, change, or swap with their neighbour; `limit` when it is that or more. Cells further
 * than `limit` from the diagonal can't matter and are left at `limit`.
 */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const next = new Array<number>(b.length + 1).fill(limit);
    next[0] = row;
    let least = row;
    for (let column = Math.max(1, row - limit); column <= Math.min(b.length, row + limit); column++) {
      const cost = cell(a, b, row, column, [before, last, next]);
      next[column] = cost;
      least = Math.min(least, cost);
    }
    // No later row has a lesser cell than this one's least.
    if (least >= limit) return limit;
    [before, last] = [last, next];
  }
  return Math.min(limit, last[b.length] ?? limit);
}

type Rows = readonly [before: readonly number[], last: readonly number[], next: readonly number[]];

function cell(a: string, b: string, row: number, column: number, [before, last, next]: Rows): number {
  const change = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
  const step = Math.min(change, (last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1);
  const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
  return isSwap ? Math.min(step, (before[column - 2] ?? 0) + 1) : step;
}
