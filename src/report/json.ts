/** Formats JSON in pieces: the report of a large cluster is never one string in memory. */
import { escapeCommands } from '../base/text.ts';

/** Lists and objects down to this depth are written member by member, deeper ones in one piece. */
const DEPTH = 4;

/**
 * Formats data as `JSON.stringify(data, null, 2)` does, with a line break. An iterable other than a string is a list,
 * whose items are read one at a time.
 */
export function* jsonPieces(data: unknown): Generator<string> {
  yield* pieces(data, '\n', DEPTH);
  yield '\n';
}

/**
 * Escapes characters that JSON allows, but that change a terminal or a log: controls, format characters, line
 * separators, and the beginnings of commands of CI systems.
 */
export function escapedJson(json: string): string {
  const escaped = escapeCommands(json);
  // Nearly all texts are ASCII, for which this test takes a tenth of the time.
  if (/^[\n\x20-\x7e]*$/.test(escaped)) return escaped;
  return escaped.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}

function* pieces(value: unknown, newline: string, depth: number): Generator<string> {
  const isList = isIterable(value);
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield escapedJson(JSON.stringify(isList ? [...value] : value, null, 2) ?? 'null').replaceAll('\n', newline);
    return;
  }
  const [open, close] = isList ? '[]' : '{}';
  let isEmpty = true;
  for (const [head, member] of isList ? itemsOf(value) : membersOf(value)) {
    yield `${isEmpty ? open : ','}${newline}  ${head}`;
    yield* pieces(member, `${newline}  `, depth - 1);
    isEmpty = false;
  }
  yield isEmpty ? `${open}${close}` : `${newline}${close}`;
}

function* itemsOf(items: Iterable<unknown>): Generator<[head: string, value: unknown]> {
  for (const item of items) yield ['', item];
}

function* membersOf(value: object): Generator<[head: string, value: unknown]> {
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined && typeof member !== 'function') yield [`${escapedJson(JSON.stringify(key))}: `, member];
  }
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
