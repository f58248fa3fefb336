/**
 * The README against what there is: its figures, its table of APIs, its addresses.
 * test/repository/package/clone.test.ts runs its commands.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { dialects } from '../../src/api/dialects.ts';
import { rules } from '../../src/rules/index.ts';

const readme = readFileSync('README.md', 'utf8');

test('it says how many rules there are, and how many have a policy', () => {
  const policies = rules.filter(({ cel }) => cel !== undefined && !('reason' in cel));
  expect(readme).toContain(`There are ${rules.length} rules`);
  expect(readme).toContain(`for ${policies.length} of its rules`);
});

test('its table has each API; the CRDs of the drafts, which are ours, are opt-in', () => {
  const rows = [...readme.matchAll(/^\| (\w+) \| `([\w.-]+)` \| (.*) \| (theirs|opt-in) \|$/gm)];
  const found = rows.map(([, kind, group, status, definition]) => [kind, group, status?.split(' ')[0], definition]);
  const expected = dialects.map(({ kind, group, ours }) => [
    kind,
    group,
    ...(ours ? ['draft', 'opt-in'] : ['shipped', 'theirs']),
  ]);
  expect(found.sort()).toEqual(expected.sort());
});

test('its addresses are those of package.json', () => {
  const { homepage } = JSON.parse(readFileSync('package.json', 'utf8'));
  const addresses = [...readme.matchAll(/\]\((https:[^)]+)\)/g)].map(([, address]) => address);
  expect(addresses.filter((address) => !address?.startsWith(homepage))).toEqual([]);
});
