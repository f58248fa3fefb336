/** Bytes -> review. Size, text, cost, depth and JSON are checked here, before anything recursive sees them. */
import { isUtf8 } from 'node:buffer';
import { MAX_DEPTH } from '../../base/json.ts';
import { type ParsedReview, readAdmissionReview } from '../../engine/review.ts';
import { type BodyBytes, PERMIT_BYTES } from '../load/load-limiter.ts';

/**
 * The most commas, colons, and opening brackets; a review has at least half as many values. Real reviews of our kinds
 * have up to 10,000. With this many, decoding and evaluating takes up to 100 ms (test/system/faults/worst-cases), in
 * which all other requests wait.
 */
export const MARKS_LIMIT = 160_000;

/** Bytes of memory for a mark, once decoded: measured with Node 24, where objects that share no key take 62. */
const BYTES_PER_MARK = 64;
/** Bytes of memory for a byte of the body: a string with a character beyond Latin-1 takes two for each character. */
const BYTES_PER_BYTE = 2;
/** Bytes. A body up to this size costs one permit, even if each byte is a mark, so it needs no scan. */
const SMALL = Math.floor(PERMIT_BYTES / (BYTES_PER_BYTE + BYTES_PER_MARK));

interface DecodedReview {
  readonly review: ParsedReview;
  /** The most bytes of memory that it takes. */
  readonly cost: number;
}

/**
 * Decodes a body; of one that is too large, `bytes` are the beginning. Never throws: invalid input is refused, with the
 * request's uid if it can be found.
 */
export function decodeReview({ bytes, tooLarge }: Pick<BodyBytes, 'bytes' | 'tooLarge'>): DecodedReview {
  const text = bytes.length <= SMALL ? bytes.toString('utf8') : undefined;
  const isShallow = text !== undefined && hasFewBrackets(text);
  const { depth, marks } = isShallow ? { depth: 0, marks: bytes.length } : prescan(bytes);
  const cost = bytes.length * BYTES_PER_BYTE + marks * BYTES_PER_MARK;
  const refuse = (problem: string): DecodedReview => ({
    review: { kind: 'refuse', uid: findUid(bytes), problem, request: undefined },
    cost,
  });
  if (tooLarge) return refuse('the review is larger than 8 MiB');
  if (!isUtf8(bytes)) return refuse('the review is not valid UTF-8');
  if (depth > MAX_DEPTH) return refuse(`the review nests ${depth} levels deep, the limit is ${MAX_DEPTH}`);
  if (marks > MARKS_LIMIT)
    return refuse(`the review holds too many values: more than ${(MARKS_LIMIT / 2).toLocaleString('en')}`);
  try {
    // Not frozen, which would take as long as parsing: tests and fuzzing run every rule with frozen objects.
    return { review: readAdmissionReview(JSON.parse(text ?? bytes.toString('utf8')), (value) => value), cost };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse('the body is not JSON; an AdmissionReview is expected');
  }
}

/**
 * Returns whether a text has at most as many opening brackets as a review may have levels. This takes a quarter of the
 * time of a scan: 2 of the 50 µs of a request.
 */
function hasFewBrackets(text: string): boolean {
  let left = MAX_DEPTH;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) if (--left < 0) return false;
  }
  return true;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The kinds of bytes outside of strings. `OTHER` has no meaning there. */
const OTHER = 0;
const STRING = 1;
const SEPARATOR = 2;
const OPENING = 3;
const CLOSING = 4;
const KINDS = new Uint8Array(256);
for (const [characters, kind] of [
  ['"', STRING],
  [',:', SEPARATOR],
  ['{[', OPENING],
  ['}]', CLOSING],
] as const)
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;

/**
 * Scans bytes that should be JSON, in one pass: a megabyte takes a millisecond or two. Returns the deepest nesting of
 * objects and lists, and the number of commas, colons and opening brackets, without those inside strings.
 */
function prescan(bytes: Buffer): { readonly depth: number; readonly marks: number } {
  let depth = 0;
  let deepest = 0;
  let marks = 0;
  for (let at = 0; at < bytes.length; at++) {
    const kind = KINDS[bytes[at] as number];
    if (kind === OTHER) continue;
    if (kind === STRING) at = endOfString(bytes, at);
    else if (kind === CLOSING) depth = Math.max(0, depth - 1);
    else {
      marks += 1;
      if (kind === SEPARATOR) continue;
      depth += 1;
      if (depth > deepest) deepest = depth;
    }
  }
  return { depth: deepest, marks };
}

/** Returns the index of the quote that ends a string, or the last index where none does. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return bytes.length - 1;
}

const COLON = 0x3a;
/** Bytes of a uid with its quotes: an API server sends 38. */
const LONGEST_UID = 1024;
/** Bytes behind `"request"` in which a uid is searched where the structure is broken. */
const SEARCHED = 4096;

/**
 * Returns the uid of a review that may be truncated, too deep or invalid JSON: the string at `request.uid`; else the
 * first `"uid"` soon after `"request"`.
 */
export function findUid(bytes: Buffer): string | undefined {
  let depth = 0;
  let inRequest = false;
  let latest = '';
  let key = '';
  for (let at = 0; at < bytes.length; at++) {
    const kind = KINDS[bytes[at] as number];
    if (kind === OTHER) continue;
    if (kind === STRING) {
      const end = endOfString(bytes, at);
      latest = depth <= 2 ? bytes.toString('utf8', at, Math.min(end + 1, at + LONGEST_UID)) : '';
      if (depth === 2 && inRequest && key === '"uid"') return decodedUid(latest) ?? searchUid(bytes);
      at = end;
    } else if (kind === SEPARATOR) key = bytes[at] === COLON ? latest : '';
    else {
      if (kind === OPENING && depth === 1) inRequest = key === '"request"';
      depth = Math.max(0, depth + (kind === OPENING ? 1 : -1));
      key = '';
    }
  }
  return searchUid(bytes);
}

function searchUid(bytes: Buffer): string | undefined {
  const from = bytes.indexOf('"request"');
  if (from === -1) return undefined;
  const found = /"uid"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(bytes.toString('utf8', from, from + SEARCHED));
  return found?.[1] === undefined ? undefined : decodedUid(found[1]);
}

function decodedUid(literal: string): string | undefined {
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === 'string' && value !== '' ? value : undefined;
  } catch {
    return undefined;
  }
}
