import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { rateLimited } from '../../../../src/server/log/rate-limited.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function limited() {
  const lines: [string, object][] = [];
  const write = rateLimited((message, fields) => lines.push([message, fields]));
  return { lines, write };
}

test('the first line is written at once; of the others within ten seconds the last, with the number of those left out', () => {
  const { lines, write } = limited();
  for (let n = 0; n < 5; n++) write(() => [`line ${n}`, { n }]);
  expect(lines).toEqual([['line 0', { n: 0 }]]);
  jest.advanceTimersByTime(10_000);
  expect(lines.slice(1)).toEqual([['line 4', { n: 4, suppressed: 3 }]]);
});

test('lines far apart are all written', () => {
  const { lines, write } = limited();
  for (const line of ['a', 'b']) {
    write(() => [line]);
    jest.advanceTimersByTime(10_000);
  }
  expect(lines).toEqual([
    ['a', {}],
    ['b', {}],
  ]);
});

test('a line that is not written is not made', () => {
  const { write } = limited();
  let made = 0;
  const line = () => {
    made += 1;
    return ['x'] as const;
  };
  for (let n = 0; n < 1000; n++) write(line);
  expect(made).toBe(1);
});
