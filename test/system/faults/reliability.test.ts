/** docs/reliability*.md hold what the last run found. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { pages, pathOf } from './reliability.ts';
import { ROWS } from './rows.ts';

test.each(Object.entries(pages()))(
  'docs/%s is current; `node test/system/faults/reliability.ts` writes it',
  (name, text) => {
    expect(readFileSync(pathOf(name), 'utf8')).toBe(text);
  },
);

test('every row has a file of figures, and every file a row', () => {
  const files = readdirSync(new URL('./last-run/', import.meta.url)).map((name) => name.replace(/\.json$/, ''));
  expect(files.sort()).toEqual(ROWS.map(({ id }) => id).sort());
});

test('every row of the summary has a result', () => {
  const rows = (pages()['reliability.md'] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.includes('| target |'));
  expect(rows).toHaveLength(ROWS.length);
  for (const row of rows) expect(row.split(' | ').at(-2)).not.toBe('');
});
