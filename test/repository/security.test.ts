/**
 * docs/security.md: every threat of the list once, each with what is said of it, and the tests that show it.
 * pages.test.ts follows its paths.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const text = readFileSync('docs/security.md', 'utf8');
const section = (title: string) => text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
const threats = section('The threats')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map(cellsOf);
const testsIn = (cell: string) => [...cell.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path ?? '');

/** As SIG Security counts them. */
const THREATS = 18;
/** Against these nothing can be shown: who owns the node owns what runs there. */
const UNSHOWN = [17];

test('each threat of SIG Security has one row, in order', () => {
  expect(threats.map(([id]) => Number(id))).toEqual(Array.from({ length: THREATS }, (_, index) => index + 1));
});

test.each(threats)(
  'threat %s, %s: how far it is prevented, and the tests that show it',
  (id, _, __, state, shown = '') => {
    expect(['prevented', 'in part', 'outside']).toContain(state);
    const named = testsIn(shown);
    expect(named.length > 0).toBe(!UNSHOWN.includes(Number(id)));
    for (const path of named) expect(path).toMatch(/\.(test|e2e|fault)\.ts$/);
  },
);

test('remaining risks are listed among the open ones', () => {
  const remaining = threats.filter(([, , mitigation]) => mitigation?.includes('Remaining:'));
  expect(remaining.filter(([, , , state]) => state !== 'in part')).toEqual([]);
  const open = [...section('What is open').matchAll(/\(([\d, ]+)\)/g)].flatMap(([, ids = '']) => ids.split(', '));
  expect([...new Set(open)].sort()).toEqual(remaining.map(([id]) => id).sort());
});
