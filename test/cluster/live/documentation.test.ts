/** docs/live.md names what there is: outcomes, Leases and the rules that are left to scan, no more and no fewer. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { dialects, lockLeaseOf } from '../../../src/api/dialects.ts';
import { lockOutcomes } from '../../../src/cluster/live/view.ts';
import { rules } from '../../../src/rules/index.ts';
import type { Rule } from '../../../src/rules/rule.ts';

const text = readFileSync('docs/live.md', 'utf8');
const catalogue: readonly Rule[] = rules;

test('each outcome of a lock, with its meaning', () => {
  const rows = [...text.matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)].map(([, outcome, meaning]) => [outcome, meaning]);
  expect(rows).toEqual(Object.entries(lockOutcomes));
});

test('each Lease', () => {
  const named = new Set([...text.matchAll(/`(muster-[a-z-]+)`/g)].map(([, name]) => name));
  expect([...named]).toEqual(dialects.filter(({ claim }) => claim !== undefined).map(lockLeaseOf));
});

test('each rule that is left to scan', () => {
  const named = [...text.matchAll(/`((?:claim|inventory|feature)\/[a-z-]+)`/g)].map(([, id]) => id);
  const left = catalogue.filter(({ unique }) => unique !== undefined).map(({ id }) => id);
  expect(named.sort()).toEqual(left.sort());
});
