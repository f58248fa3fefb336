import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { patchBetween, patched } from '../../../src/cli/test/merge-patch.ts';
import type { JsonObject } from '../../../src/rules/rule.ts';

test.each<[JsonObject, JsonObject, JsonObject]>([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j with %j is %j, as RFC 7396 has it', (value, patch, expected) => {
  expect(patched(value, patch)).toEqual(expected);
});

const members = (value: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), value, { noNullPrototype: true });
const { object } = fc.letrec((tie) => ({
  object: members(
    fc.oneof({ depthSize: 'small' }, fc.integer(), fc.array(fc.integer(), { maxLength: 2 }), tie('object')),
  ),
}));

test('the patch between two objects makes the one of the other, and none is needed for the same', () => {
  fc.assert(
    fc.property(object as fc.Arbitrary<JsonObject>, object as fc.Arbitrary<JsonObject>, (before, after) => {
      expect(patched(before, patchBetween(before, after))).toEqual(after);
      expect(patchBetween(after, after)).toEqual({});
    }),
  );
});
