/**
 * What the bytes of a review tell before anything parses them: how deep they nest, and the request's uid, so that even
 * a broken, truncated or far too deep body gets an answer under its own uid. One pass, no recursion.
 */
export interface Survey {
  /** The deepest nesting of objects and lists; brackets inside texts don't count. */
  readonly depth: number;
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
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfText(bytes, at);
      trail.text(bytes, at, end);
      at = end;
    } else if (byte === COLON) trail.colon();
    else if (byte === COMMA) trail.comma();
    else if (byte === 0x7b || byte === 0x5b) trail.open();
    else if (byte === 0x7d || byte === 0x5d) trail.close();
  }
  return { depth: trail.deepest, uid: trail.uid ?? searchedUid(bytes) };
}

/** Where the walk stands. Keys matter on the two outer levels only: `request`, and `uid` in it. */
class Trail {
  deepest = 0;
  uid: string | undefined;
  private depth = 0;
  private inRequest = false;
  /** The latest text of an outer level; before a colon it is a key. */
  private latest: Buffer = NOTHING;
  private key: Buffer = NOTHING;

  text(bytes: Buffer, start: number, end: number): void {
    if (this.depth > 2) return;
    this.latest = bytes.subarray(start, end + 1);
    if (this.uid === undefined && this.inRequest && this.depth === 2 && this.key.equals(UID)) {
      this.uid = textOf(this.latest);
    }
  }

  colon(): void {
    if (this.depth <= 2) this.key = this.latest;
  }

  comma(): void {
    if (this.depth <= 2) this.key = NOTHING;
  }

  open(): void {
    if (this.depth === 1) this.inRequest = this.key.equals(REQUEST);
    this.depth += 1;
    this.deepest = Math.max(this.deepest, this.depth);
    this.comma();
  }

  close(): void {
    this.depth = Math.max(0, this.depth - 1);
    this.comma();
  }
}

/** The index of the quote that ends a text, or the last index where none does. */
function endOfText(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let first = end;
    while (first - 1 > start && bytes[first - 1] === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return bytes.length - 1;
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
