import { expect, test } from '@jest/globals';
import { limitConcurrency } from '../../../src/base/concurrency.ts';

test('so many at the same time, the others in order, also after one that fails', async () => {
  const inTurn = limitConcurrency(2);
  const begun: string[] = [];
  const start = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const done = inTurn(() => {
      begun.push(name);
      return promise;
    });
    return { done, finish: () => resolve(name), fail: () => reject(new Error(name)) };
  };
  const a = start('a');
  const b = start('b');
  const c = start('c');
  const d = start('d');
  expect(begun).toEqual(['a', 'b']);

  b.fail();
  await expect(b.done).rejects.toThrow('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  a.finish();
  expect(await a.done).toBe('a');
  expect(begun).toEqual(['a', 'b', 'c', 'd']);

  c.finish();
  d.finish();
  expect(await Promise.all([c.done, d.done])).toEqual(['c', 'd']);
  const e = start('e');
  const f = start('f');
  const g = start('g');
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  e.finish();
  f.finish();
  g.finish();
  expect(await Promise.all([e.done, f.done, g.done])).toEqual(['e', 'f', 'g']);
});
