import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { HandshakePacer } from '../../../../src/server/connections/pacing.ts';

function paced() {
  const pacer = new HandshakePacer();
  const begun: string[] = [];
  const add = (name: string) => pacer.add(name.slice(0, 1), () => begun.push(name));
  return { pacer, begun, add };
}

test('a handshake begins at once while nobody waits, so that a rejected caller sees the reason', () => {
  const { begun, add } = paced();
  add('a1');
  expect(begun).toEqual(['a1']);
});

test('at most eight begin in one turn of the event loop, the addresses in turn', async () => {
  const { begun, add, pacer } = paced();
  for (let n = 1; n <= 8; n += 1) add(`a${n}`);
  for (const name of ['a9', 'a10', 'b1', 'c1', 'a11', 'b2']) add(name);
  expect([begun.length, pacer.size()]).toEqual([8, 6]);
  await turn();
  expect(begun.slice(8)).toEqual(['a9', 'b1', 'c1', 'a10', 'b2', 'a11']);
  expect(pacer.size()).toBe(0);
});

test('while connections come in each turn, those that wait get their share of the time', async () => {
  const { begun, add, pacer } = paced();
  pacer.arrived();
  for (let n = 1; n <= 20; n += 1) add(`a${n}`);
  expect(begun).toEqual([]);
  const end = performance.now() + 5000;
  while (begun.length < 20 && performance.now() < end) {
    pacer.arrived();
    await turn();
  }
  expect(begun).toHaveLength(20);
});
