import { expect, test } from '@jest/globals';
import { clusterProfile, clusterProperty } from '../../../src/api/dialects.ts';
import { facts } from '../../../src/rules/claim/reading.ts';
import { isTerminating } from '../../../src/rules/object.ts';
import type { Context } from '../../../src/rules/rule.ts';
import { id } from '../bases.ts';
import { tweaked } from '../rule-tester.ts';

const contextOf = (dialect: Context['dialect']) => ({ dialect }) as Context;

test('the facts of a claim are those of its dialect', () => {
  expect(facts(contextOf(clusterProperty))).toBe(clusterProperty.claim);
});

test('another kind has no facts of a claim, and says which kind', () => {
  expect(() => facts(contextOf(clusterProfile))).toThrow(new TypeError('ClusterProfile is no claim'));
});

test.each([
  ['2026-06-01T12:00:00Z', true],
  ['', true],
  [null, false],
  [undefined, false],
])('deletionTimestamp %j: terminating is %j', (deletionTimestamp, expected) => {
  expect(isTerminating(tweaked(id, { '/metadata/deletionTimestamp': deletionTimestamp }))).toBe(expected);
});

test('an object without metadata is not terminating', () => {
  expect(isTerminating({})).toBe(false);
});
