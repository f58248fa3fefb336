/** Formats JSON in pieces: the report of a large cluster is never one string in memory. */

/** Lists and objects down to this depth are written part by part, deeper ones whole. */
const DEPTH = 4;

/**
 * Formats data as `JSON.stringify(data, null, 2)` does, with a line break. An iterable that is no text is a list too; its items
 * are read one at a time.
 */
export function* jsonPieces(data: unknown): Generator<string> {
  yield* valuePieces(data, '', 0);
  yield '\n';
}

function* valuePieces(value: unknown, indent: string, depth: number): Generator<string> {
  const list = isIterable(value);
  if (depth === DEPTH || typeof value !== 'object' || value === null) yield whole(list ? [...value] : value, indent);
  else if (list) yield* enclosed('[', ']', indent, itemPieces(value, indent, depth));
  else yield* enclosed('{', '}', indent, memberPieces(value, indent, depth));
}

type Entry = readonly [head: string, value: unknown, indent: string, depth: number];

function* itemPieces(items: Iterable<unknown>, indent: string, depth: number): Generator<Entry> {
  for (const item of items) yield ['', item === undefined ? null : item, `${indent}  `, depth + 1];
}

function* memberPieces(value: object, indent: string, depth: number): Generator<Entry> {
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined || typeof member === 'function') continue;
    yield [`${JSON.stringify(key)}: `, member, `${indent}  `, depth + 1];
  }
}

function* enclosed(open: string, close: string, indent: string, entries: Iterable<Entry>): Generator<string> {
  let before = open;
  for (const [head, value, inner, depth] of entries) {
    yield `${before}\n${inner}${head}`;
    yield* valuePieces(value, inner, depth);
    before = ',';
  }
  yield before === open ? `${open}${close}` : `\n${indent}${close}`;
}

function whole(value: unknown, indent: string): string {
  return (JSON.stringify(value, null, 2) ?? 'null').replaceAll('\n', `\n${indent}`);
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
