/** What an apply would change, and what is no difference. */
import { expect, test } from '@jest/globals';
import type { Json } from '../../../../src/base/json.ts';
import { differences, lacks } from '../../../../src/cli/doctor/stored-objects.ts';

test('a difference names the path and both values', () => {
  expect(differences('spec', { a: { b: 1 } }, { a: { b: 2 } })).toEqual([
    { path: 'spec.a.b', message: 'spec.a.b: expected 1, found 2', expected: 1, found: 2 },
  ]);
});

test.each<[string, Json, Json, string[]]>([
  ['equal objects, in another order', { a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, []],
  ['a member that the apply removes', {}, { a: { b: 1 } }, ['a']],
  ['a member that the apply adds', { a: 1 }, {}, ['a']],
  ['lists of another length', { a: [1, 2] }, { a: [1] }, ['a']],
  ['an item of a list', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, ['a[0].b']],
  ['named items, in another order', { a: [{ name: 'x' }, { name: 'y' }] }, { a: [{ name: 'y' }, { name: 'x' }] }, []],
  ['a named item that is missing', { a: [{ name: 'x' }, { name: 'y' }] }, { a: [{ name: 'y' }] }, ['a[x]']],
  ['another type', { a: [] }, { a: 'b' }, ['a']],
])('%s', (_, applied, stored, expected) => {
  expect(differences('', applied, stored).map(({ path }) => path)).toEqual(expected);
});

test.each<[string, Json, Json, string[]]>([
  ['a field of others', { a: 1 }, { a: 1, b: 2 }, []],
  ['a field that is missing', { a: 1, b: null }, {}, ['a']],
  ['items with fields of others', { a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, []],
])('without a dry run: %s', (_, expected, stored, paths) => {
  expect(lacks('', expected, stored).map(({ path }) => path)).toEqual(paths);
});

test('no value of an environment variable is shown', () => {
  const variables = (value: string) => ({ env: [{ name: 'TOKEN', value }] });
  const [found] = differences('containers[a]', variables('good'), variables('secret'));
  expect(found).toEqual({ path: 'containers[a].env[TOKEN].value', message: 'containers[a].env[TOKEN].value: differs' });
});
