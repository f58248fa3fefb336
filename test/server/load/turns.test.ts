import { expect, test } from '@jest/globals';
import { Turns } from '../../../src/server/load/turns.ts';

test('one a turn of the event loop, the addresses in turn', async () => {
  // Nothing takes long by this clock, whatever else the machine does.
  const turns = new Turns(() => 0);
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

test('after one that took long, others have the loop for as long', async () => {
  const turns = new Turns();
  const ends: number[] = [];
  const begins: number[] = [];
  const work = async () => {
    await turns.next('a');
    begins.push(performance.now());
    while (performance.now() - (begins.at(-1) ?? 0) < 60);
    ends.push(performance.now());
  };
  await Promise.all([work(), work()]);
  expect((begins[1] ?? 0) - (ends[0] ?? 0)).toBeGreaterThanOrEqual(50);
});
