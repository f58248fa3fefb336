/** "Did you mean": finds the known word that is nearest to a misspelled one. */

/** The largest edit distance at which two words count as near. */
const MOST_EDITS = 4;
const LONGEST = 80;

/**
 * Returns the nearest candidate, or undefined where none is near. Ignores case. A word that is the last part of a
 * candidate (`value` of `claim/value`) counts as near.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word === '' || word.length > LONGEST) return undefined;
  const written = word.toLowerCase();
  let best: string | undefined;
  let least = Math.min(MOST_EDITS, Math.max(1, Math.floor(word.length / 3))) + 1;
  for (const candidate of candidates) {
    const known = candidate.toLowerCase();
    if (known === written || known.endsWith(`/${written.slice(written.lastIndexOf('/') + 1)}`)) return candidate;
    const edits = distance(written, known, least);
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
}

/** Returns the end of a sentence that names the nearest candidate; empty where none is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const near = nearest(word, candidates);
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

/** Returns the edit distance of two words, where swapping two neighbors is one edit; `limit` if it is that or more. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? limit;
  for (let row = 1; row <= a.length; row++) {
    const cells = [row];
    rows.push(cells);
    for (let column = 1; column <= b.length; column++) {
      const change = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = isSwap ? at(row - 2, column - 2) + 1 : limit;
      cells.push(Math.min(change, swap, at(row - 1, column) + 1, at(row, column - 1) + 1));
    }
    if (Math.min(...cells) >= limit) return limit;
  }
  return at(a.length, b.length);
}
