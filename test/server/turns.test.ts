import { expect, test } from '@jest/globals';
import { Turns } from '../../src/server/turns.ts';

test('one a turn of the event loop, the addresses in turn', async () => {
  const turns = new Turns();
  const order: string[] = [];
  let turn = 0;
  const count = () => {
    turn += 1;
    if (order.length < 4) setImmediate(count);
  };
  const begin = (name: string) => turns.next(name.slice(0, 1)).then(() => void order.push(`${name} at ${turn}`));
  const all = ['a1', 'a2', 'a3', 'b1'].map(begin);
  setImmediate(count);
  await Promise.all(all);
  expect(order).toEqual(['a1 at 0', 'b1 at 1', 'a2 at 2', 'a3 at 3']);
});
