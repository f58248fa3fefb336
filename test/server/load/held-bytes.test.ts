import { expect, test } from '@jest/globals';
import { HeldBytes } from '../../../src/server/load/held-bytes.ts';

function world(limit: number) {
  const bytes = new HeldBytes(limit);
  const lost: string[] = [];
  const open = (name: string) => {
    const holding = bytes.open(name.slice(0, 1));
    holding.onLost(() => lost.push(name));
    return holding;
  };
  return { bytes, lost, open, held: () => bytes.bounds()[0]?.held };
}

test('a body alone may take all there is', () => {
  const { open, held } = world(10);
  const only = open('a1');
  expect([only.more(4), only.more(6), only.more(1), held()]).toEqual([true, true, false, 10]);
  only.end();
  only.end();
  expect(held()).toBe(0);
});

test('an address beyond its share loses the oldest of its bodies in reading', () => {
  const { open, lost, held } = world(12);
  const [first, second, other] = [open('a1'), open('a2'), open('b1')];
  first.more(2);
  other.more(2);
  second.more(2);
  expect(second.more(2)).toBe(true);
  expect(lost).toEqual(['a1']);
  expect(held()).toBe(6);
});

test('one that is read to its end is not lost any more', () => {
  const { open, lost } = world(12);
  const [first, second] = [open('a1'), open('a2')];
  first.more(6);
  first.complete();
  expect([second.more(1), lost]).toEqual([false, []]);
});

test('the oldest is not spared when it is the one that grows', () => {
  const { open, lost } = world(12);
  const [first, second] = [open('a1'), open('a2')];
  first.more(3);
  second.more(3);
  expect([first.more(3), lost]).toEqual([false, []]);
});

test('one address takes nothing from another', () => {
  const { open, lost } = world(12);
  open('a1').more(6);
  expect([open('b1').more(6), open('c1').more(1), lost]).toEqual([true, false, []]);
});

test('what is dropped of a body is there for others', () => {
  const { open, held } = world(12);
  const large = open('a1');
  large.more(10);
  large.only(1);
  expect([held(), open('b1').more(5)]).toEqual([1, true]);
});
