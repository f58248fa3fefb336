/** The tables of docs/integrations say what the field scenarios of the end-to-end tests prove. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { TOOLS, type Tool } from '../e2e/field/scenario.ts';
import { scenarios } from '../e2e/field/scenarios/index.ts';
import { pages } from '../e2e/field/tables.ts';

test.each(pages().map((page) => [basename(page.path), page] as const))('the table of %s is current', (_, page) => {
  // Stale: `npm run generate` writes it.
  expect(page.found).toBe(page.text);
});

test('each tool has a page, and each page a tool', () => {
  expect(readdirSync('docs/integrations').sort()).toEqual(
    Object.values(TOOLS)
      .map((name) => `${name}.md`)
      .sort(),
  );
});

describe('the scenarios', () => {
  test.each(Object.keys(TOOLS) as Tool[])('of %s are of all three states of muster', (tool) => {
    const states = scenarios.filter((scenario) => scenario.tool === tool).map(({ muster }) => muster);
    expect([...new Set(states)].sort()).toEqual(['away', 'restarting', 'up']);
  });
});
