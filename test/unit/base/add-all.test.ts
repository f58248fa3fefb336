import { expect, test } from '@jest/globals';
import { addAll } from '../../../src/base/add-all.ts';

test('more items are added than fit on the stack', () => {
  const list = [1];
  addAll(
    list,
    Array.from({ length: 300_000 }, (_, index) => index),
  );
  expect([list.length, list.at(-1)]).toEqual([300_001, 299_999]);
});
