/** Deadlines of evaluations that read a cluster. */
import { expect, test } from '@jest/globals';
import { isPast, noLaterThan } from '../../../src/engine/cluster-state.ts';

test('the earlier of two moments counts, with the signal of the deadline', () => {
  const { signal } = new AbortController();
  expect(noLaterThan(5, { at: 9, signal }).at).toBe(5);
  expect(noLaterThan(9, { at: 5, signal }).at).toBe(5);
  expect(noLaterThan(9, { at: 5, signal }).signal).toBe(signal);
});

test('the signal, which costs something to make, is read only when it is asked for', () => {
  const deadline = {
    at: 9,
    get signal(): AbortSignal {
      throw new Error('read too early');
    },
  };
  expect(noLaterThan(5, deadline).at).toBe(5);
});

test('a deadline is past when its moment has come, or the request has ended', () => {
  const { signal } = new AbortController();
  const now = Date.now();
  expect(isPast({ at: now - 1, signal })).toBe(true);
  expect(isPast({ at: now + 60_000, signal })).toBe(false);
  expect(isPast({ at: now + 60_000, signal: AbortSignal.abort() })).toBe(true);
});
