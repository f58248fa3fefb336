import { expect, test } from '@jest/globals';
import { addAll, firstOther, getOrInsert } from '../../../src/base/collections.ts';

test('what is known is returned, what is not is made and known from then on', () => {
  const known = new Map([['a', 0]]);
  const made: string[] = [];
  const make = (value: number) => () => {
    made.push(`made ${value}`);
    return value;
  };
  expect([
    getOrInsert(known, 'a', make(1)),
    getOrInsert(known, 'b', make(2)),
    getOrInsert(known, 'b', make(3)),
  ]).toEqual([0, 2, 2]);
  expect(made).toEqual(['made 2']);
});

test('more items are added than fit on the stack', () => {
  const list = [1];
  addAll(
    list,
    Array.from({ length: 300_000 }, (_, index) => index),
  );
  expect([list.length, list.at(-1)]).toEqual([300_001, 299_999]);
});

test('the first other item: one with a different key', () => {
  const items = ['a1', 'a2', 'b1', 'b2', 'c1'];
  const other = firstOther(items, (item) => item.charAt(0));
  expect(items.map(other)).toEqual(['b1', 'b1', 'a1', 'a1', 'a1']);
  expect(['a1', 'a2'].map(firstOther(['a1', 'a2'], (item) => item.charAt(0)))).toEqual([undefined, undefined]);
  expect(firstOther<string>([], String)('a')).toBeUndefined();
});
