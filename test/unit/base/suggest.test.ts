import { expect, test } from '@jest/globals';
import { didYouMean, nearest } from '../../../src/base/suggest.ts';

const IDS = ['claim/value', 'claim/id-syntax', 'inventory/sole-manager'];

test.each<[string, string | undefined]>([
  ['claim/value', 'claim/value'],
  ['CLAIM/VALUE', 'claim/value'],
  ['claim/vlaue', 'claim/value'],
  ['claim/valu', 'claim/value'],
  ['claims/values', 'claim/value'],
  ['claim/xalue', 'claim/value'],
  ['value', 'claim/value'],
  ['inventory/id-syntax', 'claim/id-syntax'],
  ['sole-manager', 'inventory/sole-manager'],
  ['feature/shape', undefined],
  ['', undefined],
  ['claim/', undefined],
  ['x'.repeat(81), undefined],
])('the nearest to "%s" is %s', (word, near) => {
  expect(nearest(word, IDS)).toBe(near);
});

test('a short word has to be one letter off', () => {
  expect([nearest('abx', ['abc']), nearest('axx', ['abc']), nearest('ba', ['ab'])]).toEqual(['abc', undefined, 'ab']);
  expect([nearest('ac', ['ab']), nearest('bx', ['ab']), nearest('xa', ['ab'])]).toEqual(['ab', undefined, undefined]);
  expect([nearest('', ['a', 'b/']), nearest('a', ['b'])]).toEqual([undefined, 'b']);
});

test('a text that is too long is near nothing, even itself', () => {
  const long = 'x'.repeat(80);
  expect([nearest(long, [long]), nearest(`${long}x`, [`${long}x`])]).toEqual([long, undefined]);
});

test('the nearest wins, the first among equals', () => {
  expect(nearest('wbrn', ['warm', 'warn', 'worn'])).toBe('warn');
});

test('the question stands at the end of a sentence, or not at all', () => {
  expect([didYouMean('wran', ['warn']), didYouMean('xyz', ['warn'])]).toEqual(['; did you mean "warn"?', '']);
});

test('up to four letters in a long word are a slip, five are not', () => {
  const id = 'cluster-manager-immutable';
  const off = (letters: number) => `${'#'.repeat(letters)}${id.slice(letters)}`;
  expect([nearest(off(4), [id]), nearest(off(5), [id])]).toEqual([id, undefined]);
  expect([nearest(id.slice(4), [`${id}`]), nearest(`${id}12345`, [id])]).toEqual([id, undefined]);
});
