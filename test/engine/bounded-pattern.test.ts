import { expect, test } from '@jest/globals';
import { boundedPattern, LONGEST_SEARCHED } from '../../src/engine/bounded-pattern.ts';

test('a text of a length that may match is searched; a longer one is left to its maxLength', () => {
  const pattern = boundedPattern('^a+$', 'u');
  expect(['a', 'b', ''].map((text) => pattern.test(text))).toEqual([true, false, false]);
  expect(pattern.test(`${'a'.repeat(LONGEST_SEARCHED - 1)}!`)).toBe(false);
  expect(pattern.test(`${'a'.repeat(LONGEST_SEARCHED)}!`)).toBe(true);
});
