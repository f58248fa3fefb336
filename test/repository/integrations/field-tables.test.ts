/**
 * The tables of docs/integrations say what the field scenarios of the end-to-end tests prove. Those run in test/system/e2e/field.e2e.ts, with the tools
 * themselves or with their sequences of requests.
 */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from '@jest/globals';
import { tools } from '../../system/e2e/field/scenarios/index.ts';
import { pages } from '../../system/e2e/field/tables.ts';

test.each(pages().map((page) => [basename(page.path), page] as const))('the table of %s is current', (_, page) => {
  // Stale: `npm run generate` writes it.
  expect(page.found).toBe(page.text);
});

test('each tool has a page, and each page a tool', () => {
  expect(readdirSync('docs/integrations').sort()).toEqual(tools.map(({ page }) => `${page}.md`).sort());
});

test.each(tools)('the scenarios of $tool are of all three states of muster', ({ scenarios }) => {
  expect([...new Set(scenarios.map(({ muster }) => muster))].sort()).toEqual(['away', 'restarting', 'up']);
});
