/**
 * A page of a list, from its bytes: an object is parsed when it is its turn, so that of a page of megabytes one object at a
 * time is in memory, and dies young. Parsed as a whole, a page outlives several collections, and is collected late.
 */
import { isObject, listAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { ClusterError } from './errors.ts';
import { sizeOf } from './list-size.ts';
import { release } from './release.ts';

export interface ListPage {
  /** The list without its items. */
  readonly list: JsonObject;
  /** Those that are objects. Goes through once. @throws ClusterError `unreadable` on the way, where one is no JSON */
  readonly items: Iterable<JsonObject>;
  readonly count: number;
  /** Bytes of all items, or roughly so. */
  readonly size: number;
}

/** Of a list that is parsed already. */
export function pageOf(list: JsonObject): ListPage {
  const items = listAt(list, ['items']).filter(isObject);
  return { list, items, count: items.length, size: items.reduce((sum, item) => sum + sizeOf(item), 0) };
}

/**
 * Undefined where the bytes are no list as API servers write them; it may be one for `JSON.parse` all the same. Else they are
 * the page's, and are given back when its items have been gone through.
 */
export function splitPage(bytes: Buffer): ListPage | undefined {
  const found = findItems(bytes);
  if (found === undefined) return undefined;
  const { open, close, bounds } = found;
  try {
    const list = JSON.parse(`${bytes.toString('utf8', 0, open + 1)}${bytes.toString('utf8', close)}`) as JsonObject;
    return { list, items: parsed(bytes, bounds), count: bounds.length / 2, size: close - open };
  } catch {
    return undefined;
  }
}

function* parsed(bytes: Buffer, bounds: readonly number[]): Generator<JsonObject> {
  for (let at = 0; at < bounds.length; at += 2) yield parse(bytes.toString('utf8', bounds[at], bounds[at + 1]));
  release(bytes);
}

function parse(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch (cause) {
    throw new ClusterError('unreadable', 'the API server answered with a list of which an object is no JSON', {
      cause,
    });
  }
}

interface Found {
  /** Of the brackets around the items. */
  readonly open: number;
  readonly close: number;
  /** Where each object begins and ends (exclusive), flat. */
  readonly bounds: readonly number[];
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [BRACE, END_OF_BRACE, BRACKET, END_OF_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const ITEMS = Buffer.from('"items":[');

/** The items stand in the list itself, at depth 1, under their key without blanks, once. */
function findItems(bytes: Buffer): Found | undefined {
  const open = openingOf(bytes);
  if (open === undefined) return undefined;
  const bounds: number[] = [];
  let at = open + 1;
  for (;;) {
    if (bytes[at] === BRACE) {
      const end = endOf(bytes, at);
      if (end === undefined) return undefined;
      bounds.push(at, end);
      at = end;
    }
    if (bytes[at] === END_OF_BRACKET) break;
    if (bytes[at] !== COMMA) return undefined;
    at += 1;
  }
  // A second key of that name would be the one that counts.
  return bytes.indexOf(ITEMS, at) < 0 ? { open, close: at, bounds } : undefined;
}

/** The bracket after the key `items` of the outermost object. */
function openingOf(bytes: Buffer): number | undefined {
  if (bytes[0] !== BRACE) return undefined;
  let at = 1;
  while (bytes[at] === QUOTE) {
    const end = endOfText(bytes, at);
    if (bytes[end] !== COLON) return undefined;
    if (bytes.subarray(at, end + 2).equals(ITEMS)) return end + 1;
    const after = bytes[end + 1] === QUOTE ? endOfText(bytes, end + 1) : endOf(bytes, end + 1);
    if (after === undefined || bytes[after] !== COMMA) return undefined;
    at = after + 1;
  }
  return undefined;
}

/** The end of an object that begins here, without looking at what it says; undefined: none begins, or it has no end. */
function endOf(bytes: Buffer, start: number): number | undefined {
  if (bytes[start] !== BRACE) return undefined;
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at) - 1;
    else if (byte === BRACE || byte === BRACKET) depth++;
    else if ((byte === END_OF_BRACE || byte === END_OF_BRACKET) && --depth === 0) return at + 1;
  }
  return undefined;
}

/** After the closing quote of a text that begins here. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  return at + 1;
}
