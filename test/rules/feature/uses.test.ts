/** The comparisons of two lists of uses by themselves: what is quick of them, and where they may be interrupted. */
import { describe, expect, test } from '@jest/globals';
import { STEP } from '../../../src/rules/comparing.ts';
import { stillBeginsWith, takenAway } from '../../../src/rules/feature/uses.ts';
import { INTERRUPTIBLE, type Json } from '../../../src/rules/rule.ts';
import { use } from './writes.ts';

const many = (count: number): Json[] => Array.from({ length: count }, (_, index) => use(`1.${index}`, 'Enabled'));

describe('the quick look at a list that was added to', () => {
  const three = many(3);
  test.each<[string, Json[], Json[], boolean]>([
    ['the same', three, three, true],
    ['one more', [...three, use('2', 'Enabled')], three, true],
    ['a use is refreshed', [use('1.0', 'Enabled', '2026-06-01T00:00:00Z'), ...three.slice(1)], three, true],
    ['none before', three, [], true],
    ['as many as it looks at', many(STEP), many(STEP), true],
    ['more than it looks at', many(STEP + 1), many(STEP + 1), false],
    ['one less', three.slice(0, 2), three, false],
    ['another version', [use('2', 'Enabled'), ...three.slice(1)], three, false],
    ['another value', [use('1.0', 'Disabled'), ...three.slice(1)], three, false],
    ['another order', [...three].reverse(), three, false],
  ])('%s', (_, after, before, expected) => {
    expect(stillBeginsWith(after, before)).toBe(expected);
  });
});

test('the thorough look may be interrupted once in each stretch of either list', () => {
  const interruptions = (before: Json[], after: Json[]): [number, Json | undefined] => {
    const steps = takenAway(before, after);
    for (let count = 0; ; count++) {
      const { done, value } = steps.next();
      if (done) return [count, value];
      expect(value).toBe(INTERRUPTIBLE);
    }
  };
  const list = many(2 * STEP);
  expect(interruptions(list, list)).toEqual([4, undefined]);
  expect(interruptions(list.slice(0, STEP - 1), list)).toEqual([2, undefined]);
  expect(interruptions(list, list.slice(0, STEP - 1))).toEqual([1, list[STEP - 1]]);
  expect(interruptions(many(3), [])).toEqual([0, use('1.0', 'Enabled')]);
});
