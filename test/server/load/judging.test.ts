import { afterAll, expect, test } from '@jest/globals';
import { MOST_WEIGHT } from '../../../src/server/admission/weight.ts';
import { Judging, type JudgingLimits, type Unplaced, WEIGHT_A_PLACE } from '../../../src/server/load/judging.ts';

/** Hangs up once all tests are done, so that nobody waits on. */
const end = new AbortController();
const never = end.signal;
afterAll(() => end.abort());

/** Each has a place. */
const HOLDERS = ['x', 'x2', 'x3', 'x4'];

/** Judging in which all but `left` of four places are taken, and what came of those who wait. */
function full(limits: Partial<JudgingLimits> = {}, left = 0) {
  const judging = new Judging({ places: 4, queue: 3, waitMs: 60_000, ...limits });
  for (const holder of HOLDERS.slice(left)) expect(judging.take(holder, 1)).toBe(true);
  const outcomes: string[] = [];
  const wait = (address: string, name: string) =>
    void judging.wait(address, 1, 60_000, never).then((outcome: Unplaced | undefined) => {
      outcomes.push(`${name}: ${outcome ?? 'placed'}`);
    });
  const settled = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return outcomes;
  };
  return { judging, wait, settled };
}

test('a review takes a place for each begun part of its weight, and never more than half of them', () => {
  const judging = new Judging({ places: 512, queue: 0, waitMs: 0 });
  const one = WEIGHT_A_PLACE;
  expect([1, one, one + 1, 100 * one, MOST_WEIGHT, 2 ** 40].map((weight) => judging.placesFor(weight))).toEqual([
    1, 1, 2, 100, 256, 256,
  ]);
});

test('who takes several places leaves as many, so that small reviews of others find some', () => {
  const judging = new Judging({ places: 512, queue: 0, waitMs: 0 });
  expect(['a', 'b', 'c', 'd'].map((address) => judging.take(address, 256))).toEqual([true, false, false, false]);
  expect([128, 64, 32, 16, 8, 4, 2].map((places) => judging.take(String(places), places))).not.toContain(false);
  expect(['x', 'y'].map((address) => judging.take(address, 1))).toEqual([true, true]);
  expect(judging.take('z', 1)).toBe(false);
  judging.give('a', 256);
  expect(['x', 'y', 'z'].map((address) => judging.take(address, 1))).toEqual([true, true, true]);
});

test('places that are given back go to those who wait, the addresses in turn', async () => {
  const { judging, wait, settled } = full();
  wait('a', 'a1');
  wait('a', 'a2');
  wait('b', 'b1');
  for (const holder of HOLDERS) judging.give(holder, 1);
  expect(await settled()).toEqual(['a1: placed', 'b1: placed']);
  judging.give('b', 1);
  expect(await settled()).toEqual(['a1: placed', 'b1: placed', 'a2: placed']);
});

test('a newcomer takes no place before those of its address who wait', async () => {
  const { judging, wait, settled } = full({}, 1);
  wait('x', 'x1');
  expect(judging.take('x', 1)).toBe(false);
  expect(judging.take('y', 1)).toBe(true);
  expect(await settled()).toEqual([]);
});

test('when the queue is full, the most crowded address loses its newest, or the newcomer goes', async () => {
  const { wait, settled } = full();
  wait('a', 'a1');
  wait('b', 'b1');
  wait('b', 'b2');
  wait('c', 'c1');
  expect(await settled()).toEqual(['b2: queue_full']);
  wait('a', 'a2');
  expect(await settled()).toEqual(['b2: queue_full', 'a2: queue_full']);
});

test.each([
  [5, 60_000],
  [60_000, 5],
  [60_000, -1],
])('nobody waits longer than the limit of %s ms or its own patience of %s ms', async (waitMs, patienceMs) => {
  const { judging } = full({ waitMs });
  expect(await judging.wait('a', 1, patienceMs, never)).toBe('queue_wait');
  expect(judging.bounds()).toContainEqual({ name: 'queued_requests', held: 0, limit: 3 });
});

test('who hangs up, before or while it waits, is no longer in the queue', async () => {
  const { judging } = full();
  const hangUp = new AbortController();
  const waiting = judging.wait('a', 1, 60_000, hangUp.signal);
  hangUp.abort();
  expect(await waiting).toBe('gone');
  expect(await judging.wait('a', 1, 60_000, hangUp.signal)).toBe('gone');
  expect(judging.bounds()).toEqual([
    { name: 'judging_places', held: 4, limit: 4 },
    { name: 'queued_requests', held: 0, limit: 3 },
  ]);
});
