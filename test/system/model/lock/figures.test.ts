/** The figures of docs/race-safety.md are those of the last full run, and that run explored all forms and found all faults. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { FAULTS } from './faults.ts';
import { type Figures, pageWith } from './figures.ts';
import { FULL } from './forms.ts';

const figures: Figures = JSON.parse(readFileSync('test/system/model/lock/figures.json', 'utf8'));

test('the page has the figures of the last full run', () => {
  const page = readFileSync('docs/race-safety.md', 'utf8');
  expect(page).toBe(pageWith(page, figures));
});

test('that run explored every form, found every fault, and took an hour at most', () => {
  expect(figures.forms.map(({ name }) => name)).toEqual(FULL.map(({ name }) => name));
  expect(figures.faults.map(({ name, breaks }) => [name, breaks])).toEqual(
    FAULTS.map(({ name, breaks }) => [name, breaks]),
  );
  expect(figures.forms.reduce((sum, { seconds }) => sum + seconds, 0)).toBeLessThanOrEqual(3600);
});
