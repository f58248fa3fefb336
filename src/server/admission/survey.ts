/**
 * What the bytes of a review tell before anything parses them: how deep they nest, how many values they hold, and the request's
 * uid, so that even a broken, truncated or far too deep body gets an answer under its own uid. One pass, no recursion.
 */
export interface Survey {
  /** The deepest nesting of objects and lists; brackets inside texts don't count. */
  readonly depth: number;
  /** Commas, colons, and objects and lists begun: two for each value at most, and never fewer than values. */
  readonly marks: number;
  readonly uid: string | undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const REQUEST = Buffer.from('"request"');
const UID = Buffer.from('"uid"');
const NOTHING = Buffer.alloc(0);
/** A uid is 36 characters long; a longer text than this is none. */
const LONGEST_UID = 1024;
/** How far behind `"request"` the uid is looked for where the structure itself is broken. */
const SEARCHED = 4096;

/** Surveys bytes that should be JSON, and need not be. */
export function survey(bytes: Buffer): Survey {
  const trail = new Trail();
  const size = bytes.length;
  let marks = 0;
  for (let at = 0; at < size; at++) {
    const mark = MARKS[bytes[at] ?? 0];
    // Most bytes are none: a megabyte is walked in a millisecond or two.
    if (mark === 0) continue;
    if (mark === 1) {
      const end = endOfText(bytes, at);
      if (trail.depth <= 2) trail.text(bytes, at, end);
      at = end;
      continue;
    }
    if (mark === 5) {
      trail.close();
      continue;
    }
    marks += 1;
    if (mark === 4) trail.open();
    else if (trail.depth > 2) continue;
    else if (mark === 2) trail.colon();
    else trail.comma();
  }
  return { depth: trail.deepest, marks, uid: trail.uid ?? searchedUid(bytes) };
}

/** What a byte begins or ends outside of a text: 1 a text, 2 a value, 3 the next member, 4 and 5 a level. */
const MARKS = new Uint8Array(256);
for (const [byte, mark] of [
  [QUOTE, 1],
  [COLON, 2],
  [COMMA, 3],
  [0x7b, 4],
  [0x5b, 4],
  [0x7d, 5],
  [0x5d, 5],
] as const)
  MARKS[byte] = mark;

/** Where the walk stands. Keys matter on the two outer levels only: `request`, and `uid` in it. */
class Trail {
  deepest = 0;
  uid: string | undefined;
  depth = 0;
  private inRequest = false;
  /** The latest text of an outer level; before a colon it is a key. */
  private latest: Buffer = NOTHING;
  private key: Buffer = NOTHING;

  text(bytes: Buffer, start: number, end: number): void {
    this.latest = bytes.subarray(start, end + 1);
    if (this.uid === undefined && this.inRequest && this.depth === 2 && this.key.equals(UID)) {
      this.uid = textOf(this.latest);
    }
  }

  colon(): void {
    this.key = this.latest;
  }

  comma(): void {
    this.key = NOTHING;
  }

  open(): void {
    if (this.depth === 1) this.inRequest = this.key.equals(REQUEST);
    this.depth += 1;
    if (this.depth > this.deepest) this.deepest = this.depth;
    if (this.depth <= 2) this.comma();
  }

  close(): void {
    if (this.depth > 0) this.depth -= 1;
    if (this.depth <= 2) this.comma();
  }
}

/** Bytes that are looked at one by one before the rest is searched: most texts are short, and a search has its price. */
const SHORT = 64;

/** The index of the quote that ends a text, or the last index where none does. */
function endOfText(bytes: Buffer, start: number): number {
  const last = bytes.length - 1;
  let at = start + 1;
  for (;;) {
    const near = Math.min(last, at + SHORT);
    for (; at <= near; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at += 1;
    }
    if (at > last) return last;
    const end = bytes.indexOf(QUOTE, at);
    if (end === -1) return last;
    // Where an escape ends just before `at`, the backslashes from there on are whole.
    let first = end;
    while (first > at && bytes[first - 1] === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) return end;
    at = end + 1;
  }
}

function textOf(literal: Buffer): string | undefined {
  return literal.length > LONGEST_UID ? undefined : decoded(literal.toString('utf8'));
}

/** Where stray bytes shifted the structure: the first `"uid"` soon after `"request"`. */
function searchedUid(bytes: Buffer): string | undefined {
  const from = bytes.indexOf('"request"');
  if (from === -1) return undefined;
  const found = /"uid"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(bytes.toString('utf8', from, from + SEARCHED));
  return found?.[1] === undefined ? undefined : decoded(found[1]);
}

function decoded(literal: string): string | undefined {
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === 'string' && value !== '' ? value : undefined;
  } catch {
    return undefined;
  }
}
