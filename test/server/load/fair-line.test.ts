import { expect, test } from '@jest/globals';
import { FairLine } from '../../../src/server/load/fair-line.ts';

function lineOf(...items: string[]): FairLine<string> {
  const line = new FairLine<string>();
  for (const item of items) line.add(item.slice(0, 1), item);
  return line;
}

function all(line: FairLine<string>): string[] {
  const order: string[] = [];
  for (let next = line.next(); next !== undefined; next = line.next()) order.push(next);
  return order;
}

test('addresses take turns, each in its own order', () => {
  expect(all(lineOf('a1', 'a2', 'a3', 'b1', 'c1', 'c2'))).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('who is refused keeps its turn, and the others go on', () => {
  const line = lineOf('a1', 'a2', 'b1');
  expect(line.next((item) => item.startsWith('b'))).toBe('b1');
  expect(line.next((item) => item === 'a2')).toBeUndefined();
  expect([line.size, line.next()]).toEqual([2, 'a1']);
});

test('who leaves is gone, once', () => {
  const line = lineOf('a1', 'b1');
  expect([line.remove('a', 'a1'), line.remove('a', 'a1'), line.has('a'), line.size]).toEqual([true, false, false, 1]);
});

test('a newcomer crowds out the newest of the most crowded address', () => {
  const line = lineOf('a1', 'b1', 'b2', 'b3', 'c1', 'c2');
  expect(line.crowdOut('a')).toBe('b3');
  expect(all(line)).toEqual(['a1', 'b1', 'c1', 'b2', 'c2']);
});

test('and nobody, when its own address would have as many', () => {
  expect(lineOf('a1', 'a2', 'b1', 'b2', 'b3').crowdOut('a')).toBeUndefined();
  expect(lineOf('b1').crowdOut('b')).toBeUndefined();
});
