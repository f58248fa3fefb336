import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonPieces } from '../../../src/cli/output/json.ts';

const written = (data: unknown) => [...jsonPieces(data)].join('');

test('is what JSON.stringify writes, and a line break', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 7, noUnicodeString: false, stringUnit: 'binary' }), (data) => {
      expect(written(data)).toBe(`${JSON.stringify(data, null, 2)}\n`);
    }),
    { numRuns: 500 },
  );
});

test('leaves out what JSON has no form for, as JSON.stringify does', () => {
  const data = { a: undefined, b: () => 1, c: [undefined, { d: undefined }], e: { f: () => 1 } };
  expect(written(data)).toBe(`${JSON.stringify(data, null, 2)}\n`);
});

test('asks for the items of what can be iterated one at a time', () => {
  const asked: number[] = [];
  const items = {
    *[Symbol.iterator]() {
      for (let item = 1; item <= 3; item++) {
        asked.push(item);
        yield { item };
      }
    },
  };
  const pieces = jsonPieces({ runs: [{ results: items }] });
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.includes('"item": 2')) break;
  }
  expect(asked).toEqual([1, 2]);
  expect(JSON.parse(written({ runs: [{ results: items }] }))).toEqual({
    runs: [{ results: [{ item: 1 }, { item: 2 }, { item: 3 }] }],
  });
  expect(written({ a: { b: { c: { d: { e: new Set([1]) } } } } })).toContain('"e"');
});
