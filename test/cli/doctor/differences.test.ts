/** What an apply would change, and what is no difference. */
import { describe, expect, test } from '@jest/globals';
import { differences } from '../../../src/cli/doctor/differences.ts';
import type { Json } from '../../../src/rules/rule.ts';

const paths = (applied: Json, stored: Json, isComplete = true) =>
  differences('', applied, stored, isComplete).map(({ path }) => path);

test('a difference names the path and both values', () => {
  expect(differences('spec', { a: { b: 1 } }, { a: { b: 2 } }, true)).toEqual([
    { path: 'spec.a.b', message: 'spec.a.b: expected 1, found 2', expected: 1, found: 2 },
  ]);
});

describe('after a dry run', () => {
  test.each<[string, Json, Json, string[]]>([
    ['equal objects, in another order', { a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, []],
    ['a member that the apply removes', {}, { a: { b: 1 } }, ['a']],
    ['a member that the apply adds', { a: 1 }, {}, ['a']],
    ['false, null and empty objects, which are stored as absent', { a: false, b: null, c: {} }, {}, []],
    ['lists of another length', { a: [1, 2] }, { a: [1] }, ['a']],
    ['an item of a list', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, ['a[0].b']],
    ['named items, in another order', { a: [{ name: 'x' }, { name: 'y' }] }, { a: [{ name: 'y' }, { name: 'x' }] }, []],
    ['a named item that is missing', { a: [{ name: 'x' }, { name: 'y' }] }, { a: [{ name: 'y' }] }, ['a[x]']],
    ['another type', { a: [] }, { a: 'b' }, ['a']],
  ])('%s', (_, applied, stored, expected) => expect(paths(applied, stored)).toEqual(expected));
});

describe('without the right to make one', () => {
  test.each<[string, Json, Json, string[]]>([
    ['members that are not expected are defaults, or somebody else’s', { a: 1 }, { a: 1, b: 2 }, []],
    ['a member that is expected', { a: 1 }, { a: 2 }, ['a']],
    [
      'a selector counts as a whole',
      { objectSelector: {} },
      { objectSelector: { matchLabels: { a: 'b' } } },
      ['objectSelector.matchLabels'],
    ],
  ])('%s', (_, applied, stored, expected) => expect(paths(applied, stored, false)).toEqual(expected));
});
