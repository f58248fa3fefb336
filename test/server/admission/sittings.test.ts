import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Sittings } from '../../../src/server/admission/sittings.ts';

function world() {
  const told: string[] = [];
  const sittings = new Sittings<number>(
    [
      (one) => {
        if (one < 0) throw new Error(`no way for ${one}`);
        told.push(`decided ${one}`);
      },
      (one) => told.push(`answered ${one}`),
    ],
    (error) => told.push(String(error)),
  );
  return { told, sittings };
}

test('nothing is done at once, and all of it in this turn, stage by stage', async () => {
  const { told, sittings } = world();
  for (const one of [1, 2]) sittings.add(one);
  expect(told).toEqual([]);
  await turn();
  expect(told).toEqual(['decided 1', 'decided 2', 'answered 1', 'answered 2']);
});

test('after a turn comes the next', async () => {
  const { told, sittings } = world();
  sittings.add(1);
  await turn();
  sittings.add(2);
  await turn();
  expect(told).toEqual(['decided 1', 'answered 1', 'decided 2', 'answered 2']);
});

test('of many the first have their answers before the last are decided', async () => {
  const { told, sittings } = world();
  for (let one = 0; one < 80; one += 1) sittings.add(one);
  await turn();
  expect(told.length).toBe(160);
  expect(told.indexOf('answered 31')).toBeLessThan(told.indexOf('decided 32'));
  expect(told.indexOf('answered 63')).toBeLessThan(told.indexOf('decided 64'));
});

test('what a stage throws is told, and costs nobody else a stage', async () => {
  const { told, sittings } = world();
  for (const one of [1, -2, 3]) sittings.add(one);
  await turn();
  const decided = ['decided 1', 'Error: no way for -2', 'decided 3'];
  expect(told).toEqual([...decided, 'answered 1', 'answered -2', 'answered 3']);
});
