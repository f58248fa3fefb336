import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Shares } from '../../../src/server/load/shares.ts';

test('one address alone gets half, a second half of the rest and so on', () => {
  const shares = new Shares(12);
  const most = (address: string) => {
    let count = 0;
    while (shares.take(address, 1)) count += 1;
    return count;
  };
  expect(most('a')).toBe(6);
  expect(most('b')).toBe(3);
  expect(most('c')).toBe(1);
  expect(most('d')).toBe(1);
  expect(most('e')).toBe(1);
  expect([shares.held, most('f')]).toEqual([12, 0]);
});

test('who holds nothing else may take what is there', () => {
  const shares = new Shares(10);
  expect(shares.take('a', 9)).toBe(true);
  expect(shares.take('a', 1)).toBe(false);
  expect(shares.take('a', 1, 9)).toBe(true);
  expect(shares.take('b', 1)).toBe(false);
});

test('what is given back is there again', () => {
  const shares = new Shares(4);
  shares.take('a', 2);
  shares.give('a', 2);
  expect(shares.held).toBe(0);
  expect(shares.take('a', 4)).toBe(true);
});

test('never more than the limit, and nothing is lost', () => {
  const step = fc.record({
    address: fc.constantFrom('a', 'b', 'c'),
    amount: fc.integer({ min: 1, max: 9 }),
    give: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const shares = new Shares(20);
      const taken: { address: string; amount: number }[] = [];
      for (const { address, amount, give } of steps) {
        const back = give ? taken.shift() : undefined;
        if (back !== undefined) shares.give(back.address, back.amount);
        else if (shares.take(address, amount)) taken.push({ address, amount });
        expect(shares.held).toBe(taken.reduce((sum, each) => sum + each.amount, 0));
        expect(shares.held).toBeLessThanOrEqual(20);
      }
    }),
  );
});
