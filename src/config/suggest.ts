/** "Did you mean": the known word nearest to what somebody wrote. */

/** Longer words are no slips of the pen; the distance costs the product of two lengths. */
const LONGEST = 80;

/**
 * The candidate that a word was probably meant to be, or undefined when none is near. Case does not count. A word of
 * which only the last part is right (`value` for `claim/value`) counts as near.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word === '' || word.length > LONGEST) return undefined;
  const written = word.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
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

/** How many letters to insert, drop, change, or swap with their neighbour; `limit` when it is that or more. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const step = Math.min(change, (last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      next.push(swapped ? Math.min(step, (before[column - 2] ?? 0) + 1) : step);
    }
    [before, last] = [last, next];
  }
  return Math.min(limit, last[b.length] ?? limit);
}
