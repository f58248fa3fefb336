import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { WriteRate } from '../../../../src/server/ops/write-rate.ts';

const SECOND = 1000;

/** A rate whose clock the test sets. */
function rateAt() {
  const clock = { now: 0 };
  const rate = new WriteRate(() => clock.now);
  /** Returns how many of so many writes exceed the rate. */
  const exceeding = (writes: number, object = 'a') =>
    Array.from({ length: writes }, () => rate.exceeds(object)).filter(Boolean).length;
  return { clock, rate, exceeding };
}

test('the limits are those of KEP-4322: 10 writes at once, and one more in 30 s', () => {
  const clock = { now: 0 };
  const rate = new WriteRate(() => clock.now);
  const results = Array.from({ length: 11 }, () => rate.exceeds('a'));
  expect(results).toEqual([...Array<boolean>(10).fill(false), true]);
  clock.now = 30 * SECOND - 1;
  expect(rate.exceeds('a')).toBe(true);
  clock.now = 30 * SECOND;
  expect(rate.exceeds('a')).toBe(false);
  expect(rate.exceeds('a')).toBe(true);
});

test('after a pause an object has a burst again, and no more', () => {
  const { clock, exceeding } = rateAt();
  expect(exceeding(30)).toBe(20);
  clock.now = 300 * SECOND;
  expect(exceeding(11)).toBe(1);
  clock.now = 100_000 * SECOND;
  expect(exceeding(11)).toBe(1);
});

test('objects do not share their tokens', () => {
  const { exceeding } = rateAt();
  expect(exceeding(12, 'a')).toBe(2);
  expect(exceeding(10, 'b')).toBe(0);
});

test('the objects that were written last are remembered, the others forgotten', () => {
  const { exceeding } = rateAt();
  const empty = (count: number, name: string) => {
    for (let i = 0; i < count; i += 1) exceeding(10, `${name}-${i}`);
  };
  empty(1, 'first');
  empty(10_000, 'a');
  // The last 10,000 have no token, whatever was written before.
  for (let i = 0; i < 10_000; i += 1) if (exceeding(1, `a-${i}`) !== 1) throw new Error(`a-${i} has a token`);
  empty(10_000, 'b');
  expect(exceeding(1, 'first-0')).toBe(0);
});

test('it remembers 20,000 objects at most, and none with a name too long to be stored', () => {
  const rate = new WriteRate();
  let most = 0;
  for (let i = 0; i < 50_000; i += 1) {
    rate.exceeds(`object-${i}`);
    most = Math.max(most, rate.size);
  }
  expect(most).toBe(19_999);
  const small = rateAt().rate;
  small.exceeds('x'.repeat(401));
  expect(small.size).toBe(0);
  small.exceeds('x'.repeat(400));
  expect(small.size).toBe(1);
});

test('whatever the times of the writes, it agrees with a bucket of 10 tokens that gets one each 30 s', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 200 }), (pauses) => {
      const { clock, rate } = rateAt();
      // In thirtieths, so that no sum is rounded.
      let tokens = 10 * 30;
      for (const pause of pauses) {
        clock.now += pause * SECOND;
        tokens = Math.min(10 * 30, tokens + pause);
        const exceeds = tokens < 30;
        if (!exceeds) tokens -= 30;
        expect(rate.exceeds('a')).toBe(exceeds);
      }
    }),
  );
});
