/** docs/reliability.md is what the last run found, all of it and nothing else. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { lastRun } from './figure.ts';
import { reliability } from './reliability.ts';
import { ROWS } from './rows.ts';

const at = (path: string) => new URL(path, import.meta.url);

test('the page is that of the last run: `node test/faults/reliability-main.ts` writes it anew', () => {
  expect(readFileSync(at('../../docs/reliability.md'), 'utf8')).toBe(reliability());
});

test('every row has figures, and every file of figures a row', () => {
  const files = readdirSync(at('./last-run/')).map((name) => name.replace(/\.json$/, ''));
  expect(files.sort()).toEqual(ROWS.map(({ id }) => id).sort());
});

test.each(ROWS.map(({ id }) => id))('%s: its last run says what came out', (id) => {
  const figures = Object.values(lastRun(id)).flatMap((forms) => Object.values(forms));
  expect(figures.length).toBeGreaterThan(0);
  for (const { figure, date } of figures) {
    expect(figure).toMatch(/\d/);
    expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  }
});

test('a part is told by its longest form, and text of a figure can not end a cell', () => {
  const figure = (text: string) => ({ figure: text, date: '2026-01-02', machine: 'm' });
  const page = reliability((row) =>
    row === 'soak' ? { heap: { short: figure('1 | 2'), full: figure('3') }, x: { short: figure('4 | 5') } } : {},
  );
  expect(page).toContain('| *heap*: 3; 2026-01-02<br>*x*: 4 \\| 5 (short form); 2026-01-02 |');
});
