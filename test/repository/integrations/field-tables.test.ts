/**
 * The tables of docs/integrations say what the end-to-end tests prove: test/system/e2e/field.e2e.ts, with the tools
 * themselves or with their sequences of requests, and test/system/e2e/cilium.e2e.ts.
 */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from '@jest/globals';
import { PAIRS } from '../../system/e2e/cilium/pairs.ts';
import { ciliumPage } from '../../system/e2e/cilium/table.ts';
import { tools } from '../../system/e2e/field/scenarios/index.ts';
import { pages } from '../../system/e2e/field/tables.ts';

test.each([...pages(), ciliumPage()].map((page) => [basename(page.path), page] as const))(
  'the table of %s is current',
  (_, page) => {
    // Stale: `npm run generate` writes it.
    expect(page.found).toBe(page.text);
  },
);

test('each tool has a page, and each page a tool', () => {
  const own = tools.map(({ page }) => `${page}.md`);
  expect(readdirSync('docs/integrations').sort()).toEqual([...own, 'cilium.md'].sort());
});

test.each(PAIRS.filter(({ muster }) => muster !== undefined))(
  'the page says why muster and Cilium differ: $title',
  ({ title, muster }) => {
    expect(ciliumPage().found).toContain(`- **${title}**: ${muster?.why}`);
  },
);

test.each(tools)('the scenarios of $tool are of all three states of muster', ({ scenarios }) => {
  expect([...new Set(scenarios.map(({ muster }) => muster))].sort()).toEqual(['away', 'restarting', 'up']);
});
