/**
 * The figures of docs/race-safety.md are those of the last full run, and that run explored all forms and found all
 * faults.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { FAULTS as REGISTRAR_FAULTS } from '../registrar/faults.ts';
import { FULL as REGISTRAR_FULL } from '../registrar/forms.ts';
import { FAULTS } from './faults.ts';
import { type Figures, pageWith } from './figures.ts';
import { FULL } from './forms.ts';

const page = readFileSync('docs/race-safety.md', 'utf8');
const figuresOf = (model: string): Figures =>
  JSON.parse(readFileSync(`test/system/model/${model}/figures.json`, 'utf8'));

describe.each([
  ['lock', '', FULL, FAULTS],
  ['registrar', 'registrar-', REGISTRAR_FULL, REGISTRAR_FAULTS],
] as const)('the model %s', (model, prefix, forms, faults) => {
  const figures = figuresOf(model);

  test('has on the page the figures of its last full run', () => {
    expect(page).toBe(pageWith(page, figures, prefix));
  });

  test('explored every form in that run, found every fault, and took an hour at most', () => {
    expect(figures.forms.map(({ name }) => name)).toEqual(forms.map(({ name }) => name));
    expect(figures.faults.map(({ name, breaks }) => [name, breaks])).toEqual(
      faults.map(({ name, breaks }) => [name, breaks]),
    );
    expect(figures.forms.reduce((sum, { seconds }) => sum + seconds, 0)).toBeLessThanOrEqual(3600);
  });
});
