import { expect, test } from '@jest/globals';
import { seldom } from '../../../src/server/log/seldom.ts';

function told(everyMs: number) {
  const lines: [string, object][] = [];
  const tell = seldom((message, facts) => lines.push([message, facts]), { everyMs });
  return { lines, tell };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('the first at once; then none for a while, and the last of those with the count of the others', async () => {
  const { lines, tell } = told(100);
  for (let n = 0; n < 5; n++) tell(() => [`line ${n}`, { n }]);
  expect(lines).toEqual([['line 0', { n: 0 }]]);
  await pause(300);
  expect(lines).toEqual([
    ['line 0', { n: 0 }],
    ['line 4', { n: 4, leftOut: 3 }],
  ]);
});

test('lines far apart are all told, and nothing is left out', async () => {
  const { lines, tell } = told(20);
  for (const line of ['a', 'b']) {
    tell(() => [line]);
    await pause(100);
  }
  expect(lines).toEqual([
    ['a', {}],
    ['b', {}],
  ]);
});

test('a line that is not told is not made', () => {
  const { tell } = told(10_000);
  let made = 0;
  for (let n = 0; n < 1000; n++) {
    tell(() => {
      made += 1;
      return ['x'];
    });
  }
  expect(made).toBe(1);
});
