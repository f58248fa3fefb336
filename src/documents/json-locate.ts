/** Finds where a value of a JSON text stands, from what was noted while it was read. */
import type { Path } from '../rules/rule.ts';
import type { Span } from './source-text.ts';

/** Where a value stands. Offsets of the file. */
export interface Place {
  readonly at: number;
  /** Where the key before it stands, in an object. */
  readonly key?: number;
  readonly inside?: ReadonlyMap<string | number, Place>;
}

const STRING_OR_WORD = /"[^"\\]*(?:\\.[^"\\]*)*"|[-+.\w]+/y;

/** Where the value at a path stands; where it is missing, the nearest key or value above it. Lists and objects have no end here. */
export function spanAt(text: string, root: Place, path: Path): Span {
  let here = root;
  for (const step of path) {
    const next = here.inside?.get(step);
    if (!next) return spanOf(text, here.key ?? here.at);
    here = next;
  }
  return spanOf(text, here.at);
}

function spanOf(text: string, at: number): Span {
  STRING_OR_WORD.lastIndex = at;
  const found = STRING_OR_WORD.exec(text);
  return { at, end: found ? at + found[0].length : undefined };
}
