import { describe, expect, test } from '@jest/globals';
import { budgetOf, OVERDUE, within } from '../../../src/server/admission/deadline.ts';

describe('the budget of a request, in milliseconds', () => {
  test.each<[string, number]>([
    ['/validate', 9500],
    ['/validate?', 9500],
    ['/validate?timeout=10s', 9500],
    ['/validate?timeout=5s', 4500],
    ['/validate?timeout=1s', 900],
    ['/validate?timeout=500ms', 450],
    ['/validate?timeout=1m', 29_500],
    ['/validate?timeout=100000s', 29_500],
    ['/validate?timeout=1s&timeout=2s', 900],
    ['/validate?timeout=junk&timeout=2s', 1800],
    ['/validate?timeout=-5s', 9500],
    ['/validate?timeout=0s', 9500],
    ['/validate?timeout=', 9500],
    ['/validate?timeout=10', 9500],
    ['/validate?timeout=1e3s', 9500],
    ['/validate?timeout=%zz', 9500],
    ['/validate?x=y', 9500],
  ])('%s', (url, budget) => {
    expect(budgetOf(url)).toBe(budget);
  });
});

describe('within', () => {
  const never = new Promise<string>(() => {});
  const quiet = new AbortController().signal;

  test('work that is done in time', async () => {
    expect(await within(Promise.resolve('done'), 1000, quiet)).toBe('done');
  });

  test('work that fails in time', async () => {
    await expect(within(Promise.reject(new Error('broken')), 1000, quiet)).rejects.toThrow('broken');
  });

  test('work that never ends', async () => {
    expect(await within(never, 10, quiet)).toBe(OVERDUE);
  });

  test('no time left', async () => {
    expect(await within(never, -5, quiet)).toBe(OVERDUE);
  });

  test('the caller hangs up', async () => {
    const controller = new AbortController();
    const waiting = within(never, 60_000, controller.signal);
    controller.abort();
    expect(await waiting).toBe(OVERDUE);
  });

  test('the caller hung up before', async () => {
    expect(await within(Promise.reject(new Error('late')), 60_000, AbortSignal.abort())).toBe(OVERDUE);
  });
});
