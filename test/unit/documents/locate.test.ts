/** The location of values. */
import { describe, expect, test } from '@jest/globals';
import type { Path } from '../../../src/base/json.ts';
import { readDocuments, type SourceDocument } from '../../../src/documents/index.ts';
import { readAgain } from '../../../src/documents/source.ts';

function only(text: string): SourceDocument {
  const { documents, errors } = readDocuments(text, 'x');
  expect(errors).toEqual([]);
  const [document] = documents;
  if (!document || documents.length > 1) throw new Error('one document expected');
  return document;
}

/** Returns the rest of the line from the location. */
function textAt(document: SourceDocument, path: Path): string {
  const { line, column } = document.locate(path);
  return document.sourceLine(line).slice(column - 1);
}

const BLOCK = `# a claim
apiVersion: v1
metadata:
  name: &n "x"
  labels: {a: b, "c d": [1, 2]}
  empty:
spec:
- one
-
  two: 2
  yes: |
    text
`;

describe('in block and flow style', () => {
  const document = only(BLOCK);
  test.each<[Path, string]>([
    [[], 'apiVersion: v1'],
    [['apiVersion'], 'v1'],
    [['metadata'], 'name: &n "x"'],
    [['metadata', 'name'], '"x"'],
    [['metadata', 'labels'], '{a: b, "c d": [1, 2]}'],
    [['metadata', 'labels', 'a'], 'b, "c d": [1, 2]}'],
    [['metadata', 'labels', 'c d', 1], '2]}'],
    [['spec', 0], 'one'],
    [['spec', 1], 'two: 2'],
    [['spec', 1, 'two'], '2'],
    [['spec', 1, 'true'], '|'],
  ])('%j', (path, text) => expect(textAt(document, path)).toBe(text));

  test.each<[Path, string]>([
    [['metadata', 'empty'], 'empty:'],
    [['metadata', 'missing'], 'metadata:'],
    [['metadata', 'name', 'deeper', 1], 'name: &n "x"'],
    [['metadata', 'labels', 'c d', 7], '"c d": [1, 2]}'],
    [['spec', 1, 'missing', 'deeper'], 'two: 2'],
    [['spec', 2], 'spec:'],
    [['missing', 'deeper'], 'apiVersion: v1'],
  ])('%j, which is missing or empty, is at the nearest key or value above', (path, text) =>
    expect(textAt(document, path)).toBe(text),
  );

  test('the document begins behind the comment', () => expect(document.start).toEqual({ line: 2, column: 1 }));
});

describe('through aliases and merges', () => {
  const document = only(`base: &b
  x: 1
  v: {z: 2}
other: &o {w: 3, x: 4}
alias: *b
merged:
  <<: [*b, *o]
  own: 5
late:
  x: 1
  <<: *b
`);
  test.each<[Path, string]>([
    [['alias'], '*b'],
    [['alias', 'v', 'z'], '2}'],
    [['merged', 'x'], '1'],
    [['merged', 'v', 'z'], '2}'],
    [['merged', 'w'], '3, x: 4}'],
    [['merged', 'own'], '5'],
    [['merged', 'none'], 'merged:'],
    [['late', 'x'], '1'],
  ])('%j', (path, text) => expect(textAt(document, path)).toBe(text));
});

describe('in JSON', () => {
  const document = only('\n{\n  "a": {"b": [1, {"c": null}]},\n  "d": "x"\n}\n');
  test.each<[Path, string]>([
    [[], '{'],
    [['a'], '{"b": [1, {"c": null}]},'],
    [['a', 'b', 1, 'c'], 'null}]},'],
    [['d'], '"x"'],
    [['a', 'b', 5], '"b": [1, {"c": null}]},'],
    [['a', 'missing'], '"a": {"b": [1, {"c": null}]},'],
    [['missing'], '{'],
  ])('%j', (path, text) => expect(textAt(document, path)).toBe(text));
});

test('lines and columns are those of the file, in each of its documents', () => {
  const text = '\ufeffa: 1\r\n---\r\n# c\r\nb:\r\n  c: 2\r\n---\r\n{"d": 3}\r\n---\r\n {"e": 4}\r\n';
  const { documents } = readDocuments(text, 'x');
  expect(documents.map(({ start }) => start)).toEqual([
    { line: 1, column: 1 },
    { line: 4, column: 1 },
    { line: 7, column: 1 },
    { line: 9, column: 2 },
  ]);
  expect(documents[1]?.locate(['b', 'c'])).toEqual({ line: 5, column: 6, endLine: 5, endColumn: 7 });
  expect(documents[3]?.locate(['e'])).toEqual({ line: 9, column: 8, endLine: 9, endColumn: 9 });
  const lines = [1, 5, 7, 9].map((line, index) => documents[index]?.sourceLine(line));
  expect(lines).toEqual(['a: 1', '  c: 2', '{"d": 3}', ' {"e": 4}']);
  expect(documents[0]?.sourceLine(11)).toBe('');
});

test('values and keys have an end; blocks, lists and mappings have none', () => {
  const yaml = only(`a: &x one two # three\nb: 'it''s'\nc: "x\n  y"\nd: *x\ne: |\n  f\ng: [1, {h: i}]\nj:\n`);
  const json = only('{"a": "b\\"c", "d": -1.5e3, "e": true, "f": [null], "g": {}}');
  const endOf = (document: SourceDocument, ...path: Path) => {
    const { endLine, endColumn } = document.locate(path);
    return endLine === undefined ? undefined : `${endLine}:${endColumn}`;
  };
  expect('abcdegj'.split('').map((key) => endOf(yaml, key))).toEqual(
    ['1:14', '2:11', '4:5', '5:6', undefined, undefined, '9:2'], // j stands at its key
  );
  expect([endOf(yaml, 'g', 0), endOf(yaml, 'g', 1, 'h'), endOf(yaml, 'g', 2)]).toEqual(['8:6', '8:13', '8:2']);
  expect('adefg'.split('').map((key) => endOf(json, key))).toEqual(['1:13', '1:26', '1:37', undefined, undefined]);
  expect([endOf(json, 'f', 0), endOf(json, 'f', 'x')]).toEqual(['1:49', '1:42']);
});

test('keys that are numbers or booleans are found by their text', () => {
  const document = only('1: a\n0x10: b\nyes: c\n');
  expect(['1', '16', 'true'].map((key) => textAt(document, [key]))).toEqual(['a', 'b', 'c']);
});

test('__proto__ is a key like any other', () => {
  for (const text of ['__proto__: {a: 1}', '{"__proto__": {"a": 1}}']) {
    const document = only(text);
    expect(Object.getOwnPropertyNames(document.value)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
    expect(textAt(document, ['__proto__', 'a'])).toMatch(/^1/);
  }
});

test('items of large lists are located, in YAML and in JSON', () => {
  const items = Array.from({ length: 3000 }, (_, index) => ({ name: `n${index}` }));
  const yaml = `items:\n${items.map(({ name }) => `- name: ${name}\n`).join('')}`;
  const json = `{"items": [\n${items.map((item) => JSON.stringify(item)).join(',\n')}]}`;
  for (const [text, column] of [
    [yaml, 9],
    [json, 9],
  ] as const) {
    const [document] = readDocuments(text, 'x').documents;
    for (const index of [0, 2999, 1]) {
      expect(document?.locate(['items', index, 'name'])).toMatchObject({ line: index + 2, column });
    }
  }
});

test('a document is read again once for all its locations: a small one until another is, a large one for good', () => {
  const reads: string[] = [];
  const reading = (name: string, length: number) => readAgain(length, () => reads.push(name) && name);
  const [small, other, large] = [reading('small', 100), reading('other', 100), reading('large', 100_000)];
  for (const read of [small, small, large, small, other, large, small, small]) read();
  expect(reads).toEqual(['small', 'large', 'other', 'small']);
});

test.each([
  ['double quotes', (text: string) => `a: "${text.repeat(6e6)}"`, '\\n'],
  ['single quotes', (text: string) => `a: '${text.repeat(6e6)}'`, "''"],
  ['JSON', (text: string) => `{"a": "${text.repeat(6e6)}"}`, '\\n'],
])('millions of escapes in %s overflow no stack', (_, quoted, piece) => {
  expect(only(quoted(piece)).locate(['a'])).toMatchObject({ line: 1, endLine: 1 });
});

test('a document that occurs again is located where it is', () => {
  const text = '---\nkind: Again\nmetadata: { name: x }\n';
  const { documents } = readDocuments(`# first\n${text}${text}`, 'x');
  const { documents: others } = readDocuments(`kind: Other\n${text}`, 'y');
  const found = [...documents, ...others.slice(1)];
  expect(found.map((document) => document.value)).toEqual(Array(3).fill({ kind: 'Again', metadata: { name: 'x' } }));
  const lines = found.map((document) => [document.file, document.start.line, document.locate(['metadata', 'name'])]);
  const at = (line: number) => ({ line, column: 19, endLine: line, endColumn: 20 });
  expect(lines).toEqual([
    ['x', 3, at(4)],
    ['x', 6, at(7)],
    ['y', 3, at(4)],
  ]);
});

test('a line shows nothing of other values of JSON on it', () => {
  const { documents } = readDocuments('{"a": 1} {"b": 2} {"c": 3}', 'x');
  const lines = documents.map(({ sourceLine }) => sourceLine(1).trimEnd());
  expect(lines).toEqual(['{"a": 1}', `${' '.repeat(9)}{"b": 2}`, `${' '.repeat(18)}{"c": 3}`]);
  expect(documents[1]?.sourceLine(2)).toBe('');
  // Between two columns, of which the first and the last can be in other values.
  expect(documents.map(({ sourceLine }) => sourceLine(1, 7, 22).trimEnd())).toEqual([
    '1}',
    `${' '.repeat(3)}{"b": 2}`,
    `${' '.repeat(12)}{"c`,
  ]);
});
