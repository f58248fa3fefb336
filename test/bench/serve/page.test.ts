/** docs/performance.md is what the last run found, all of it and nothing else. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { page } from './page.ts';
import { lastRun } from './results.ts';

test('the page is that of the last run: `node test/bench/serve/page.ts` writes it anew', () => {
  expect(readFileSync(new URL('../../../docs/performance.md', import.meta.url), 'utf8')).toBe(page());
});

test('the last run names its machine, and no answer in it was wrong', () => {
  const { machine, servers } = lastRun();
  expect(machine.processor).not.toBe('');
  expect(machine.cores).toBeGreaterThan(0);
  const windows = Object.values(servers).flatMap(({ closed, open }) => [...Object.values(closed).flat(), ...open]);
  expect(windows.length).toBeGreaterThan(0);
  for (const { answers, wrong } of windows) expect([answers > 0, wrong]).toEqual([true, 0]);
});
