/**
 * What most bodies need in place of a survey: a small one with few brackets and commas is neither deep nor heavy, whatever its texts hold, and its
 * uid is asked for only where it can't be read. To search a text for a character is ten times as fast as to look at each byte.
 */
import { type Survey, survey } from './survey.ts';

/** Bytes; the text of what is larger would be held beside them, for as long as a review waits for reads. */
const LARGEST = 16 * 1024;
/** Bytes of a body that has its one place to be judged in whatever it holds (`WEIGHT_A_PLACE`). */
const SLIGHT = 2900;
/** Brackets that open, more than a body of ours has, and fewer than levels are allowed. */
const FEW = 200;
/** With as few brackets and commas a body of that size has its one place still. */
const SOME = 500;

/** Bounds for `depth` and `marks`, and the body as text; or all of it exactly, where the bounds are not good enough. */
export interface Glance extends Survey {
  readonly text?: string;
}

/** Looks at bytes that should be JSON, and need not be. */
export function glance(bytes: Buffer): Glance {
  if (bytes.length > LARGEST) return survey(bytes);
  const text = bytes.toString('utf8');
  const levels = count('{', text, FEW) + count('[', text, FEW);
  if (levels > FEW) return survey(bytes);
  if (bytes.length <= SLIGHT) return new Slight(bytes, text, levels, bytes.length);
  const entries = levels + count(',', text, SOME);
  // As many colons as commas, and one for each object.
  return entries > SOME ? survey(bytes) : new Slight(bytes, text, levels, 2 * entries);
}

class Slight implements Glance {
  readonly text: string;
  readonly depth: number;
  readonly marks: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer, text: string, depth: number, marks: number) {
    this.#bytes = bytes;
    this.text = text;
    this.depth = depth;
    this.marks = marks;
  }

  get uid(): string | undefined {
    return survey(this.#bytes).uid;
  }
}

/** How often a character occurs, counted no further than just beyond `most`. */
function count(character: string, text: string, most: number): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1 && found <= most; at = text.indexOf(character, at + 1)) found += 1;
  return found;
}
