/** The figures of docs/race-safety.md are those of the last full run. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { pageWith } from './figures.ts';

const page = readFileSync('docs/race-safety.md', 'utf8');

test.each([
  ['lock', ''],
  ['registrar', 'registrar-'],
] as const)('the model %s has on the page the figures of its last full run', (model, prefix) => {
  const figures = JSON.parse(readFileSync(`test/system/model/${model}/figures.json`, 'utf8'));
  expect(page).toBe(pageWith(page, figures, prefix));
});
