import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Allowance } from '../../../src/server/load/allowance.ts';

function world() {
  const begun: string[] = [];
  const allowance = new Allowance({ each: 2, waiting: 100 });
  const take = (address: string, name: string, count = 1) => {
    if (allowance.take(address, count)) begun.push(name);
    else allowance.wait(address, count, () => void begun.push(name));
  };
  return { allowance, begun, take };
}

test('what is within the allowance begins at once', () => {
  const { begun, take } = world();
  for (const name of ['a1', 'a2']) take('a', name);
  take('b', 'b1');
  expect(begun).toEqual(['a1', 'a2', 'b1']);
});

test('what is more waits for later turns, in its order, and keeps nobody else waiting', async () => {
  const { allowance, begun, take } = world();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) take('a', name);
  take('b', 'b1');
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  expect(allowance.bounds()).toEqual([{ name: 'waiting_requests', held: 3, limit: 100 }]);
  await turn();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  take('a', 'a6');
  await turn();
  expect(begun.slice(5)).toEqual(['a5', 'a6']);
  expect(allowance.bounds()[0]?.held).toBe(0);
});

test('what is large counts more, and one that counts more than a turn has begins alone', async () => {
  const { begun, take } = world();
  take('a', 'a1');
  take('a', 'large', 2);
  take('a', 'huge', 5);
  take('a', 'a2');
  expect(begun).toEqual(['a1']);
  await turn();
  expect(begun).toEqual(['a1', 'large']);
  await turn();
  expect(begun).toEqual(['a1', 'large', 'huge']);
  await turn();
  expect(begun).toEqual(['a1', 'large', 'huge', 'a2']);
});

test('whoever waited is told how long', async () => {
  const allowance = new Allowance({ each: 1, waiting: 100 });
  const waits: number[] = [];
  expect([allowance.take('a', 1), allowance.take('a', 1)]).toEqual([true, false]);
  allowance.wait('a', 1, (waitedMs) => waits.push(waitedMs));
  const end = performance.now() + 20;
  while (performance.now() < end);
  await turn();
  expect(waits[0]).toBeGreaterThanOrEqual(20);
});

test('each turn has an allowance of its own', async () => {
  const { begun, take } = world();
  for (const name of ['a1', 'a2']) take('a', name);
  await turn();
  for (const name of ['a3', 'a4']) take('a', name);
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4']);
});
