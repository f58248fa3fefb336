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
