import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LoadLimiter } from '../../../../src/server/load/load-limiter.ts';

const held = (limiter: LoadLimiter, name: string) => limiter.bounds().find((bound) => bound.name === name)?.held;

describe('the memory of bodies', () => {
  const limited = (bodyLimit = 100) => new LoadLimiter({ bodyBytes: 100, bodyLimit, permits: 1 });
  const bytes = (count: number) => Buffer.alloc(count);

  test('one body may take all of it, and gives it back', () => {
    const limiter = limited();
    const body = limiter.newBody('a');
    body.add(bytes(60));
    body.add(bytes(40));
    expect([body.bytes.length, body.dropped, held(limiter, 'body_bytes')]).toEqual([100, false, 100]);
    body.release();
    body.release();
    expect(held(limiter, 'body_bytes')).toBe(0);
  });

  test('one byte too many: nothing of it is kept', () => {
    const limiter = limited();
    const body = limiter.newBody('a');
    for (const count of [100, 1, 1]) body.add(bytes(count));
    expect([body.bytes.length, body.dropped, held(limiter, 'body_bytes')]).toEqual([0, true, 0]);
  });

  test('an address that would hold more than is left loses the body that it has been sending the longest', () => {
    const limiter = limited();
    const [slow, complete, added, last] = [1, 2, 3, 4].map(() => limiter.newBody('a'));
    slow?.add(bytes(20));
    complete?.add(bytes(20));
    complete?.complete();
    added?.add(bytes(30));
    expect([slow?.dropped, complete?.dropped, added?.dropped]).toEqual([true, false, false]);
    expect(held(limiter, 'body_bytes')).toBe(50);
    // The only other body is complete, and can't be dropped any more.
    last?.add(bytes(30));
    expect([complete?.dropped, added?.dropped, last?.dropped]).toEqual([false, true, false]);
  });

  test('an address that wants more drops bodies of its own, never those of another', () => {
    const limiter = limited();
    const other = limiter.newBody('b');
    other.add(bytes(20));
    const [first, second] = [1, 2].map(() => limiter.newBody('a'));
    first?.add(bytes(30));
    second?.add(bytes(30));
    expect([other.dropped, first?.dropped, second?.dropped]).toEqual([false, true, false]);
  });

  test('a crowded address leaves something for another one', () => {
    const limiter = limited();
    for (let n = 0; n < 20; n++) {
      const body = limiter.newBody('a');
      body.add(bytes(10));
      body.complete();
    }
    expect(held(limiter, 'body_bytes')).toBe(50);
    const other = limiter.newBody('b');
    other.add(bytes(50));
    expect(other.dropped).toBe(false);
  });
});

describe('permits for evaluations', () => {
  const limiter = () => new LoadLimiter({ bodyBytes: 1, bodyLimit: 1, permits: 8 });

  test('one for each begun 192 KiB, and never more than half', () => {
    const kib = 1024;
    const permits = [0, 1, 192 * kib, 192 * kib + 1, 2 ** 40].map((bytes) => limiter().permitsFor('a', bytes));
    expect(permits).toEqual([1, 1, 1, 2, 4]);
  });

  test('one address gets half, and another one half of what is left', () => {
    const one = limiter();
    const take = (address: string) => {
      const permits = one.permitsFor(address, 1);
      if (permits > 0) one.permits.take(address, permits);
      return permits;
    };
    expect(Array.from({ length: 6 }, () => take('a'))).toEqual([1, 1, 1, 1, 0, 0]);
    expect(Array.from({ length: 4 }, () => take('b'))).toEqual([1, 1, 0, 0]);
    one.permits.release('a', 1);
    expect(take('c')).toBe(1);
  });

  test('whatever is taken and given back, never more than the limit is held', () => {
    const step = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const one = limiter();
        const own = new Map<string, number>();
        for (const [address, isTaken] of steps) {
          const before = own.get(address) ?? 0;
          if (isTaken && one.permitsFor(address, 1) > 0) {
            one.permits.take(address, 1);
            own.set(address, before + 1);
          } else if (!isTaken && before > 0) {
            one.permits.release(address, 1);
            own.set(address, before - 1);
          }
          const sum = [...own.values()].reduce((total, permits) => total + permits, 0);
          expect(held(one, 'concurrent_evaluations')).toBe(sum);
          expect(sum).toBeLessThanOrEqual(8);
        }
      }),
    );
  });
});
