/** How `muster scan` applies a rule to stored objects, derived from what the rule says of itself. */
import { expect, test } from '@jest/globals';
import { service } from '../../../src/api/supporting-kinds.ts';
import { NO_CALLER_STORED, type Rule } from '../../../src/rules/rule.ts';
import { scanText, scanVariantOf } from '../../../src/rules/scan-variant.ts';
import { always, COMPARISON } from '../engine/stubs.ts';

const own = { how: 'in another way', messages: {}, check: () => [] };

test.each<[string, Partial<Rule>, ReturnType<typeof scanVariantOf>, string]>([
  ['on objects', {}, 'object', 'each object by itself'],
  ['on deletions too', { on: ['CREATE', 'DELETE'] }, 'object', 'each object by itself'],
  ['on deletions only', { on: ['DELETE'] }, { skip: 'it is about deletions' }, 'skipped: it is about deletions'],
  [
    'on who asks',
    { ratchets: false, scan: NO_CALLER_STORED },
    { skip: 'it is about the user, who is not stored with the object' },
    'skipped: it is about the user, who is not stored with the object',
  ],
  [
    'on a change',
    { ratchets: false },
    { skip: 'it is about a change, and the former object is not stored' },
    'skipped: it is about a change, and the former object is not stored',
  ],
  ['with a variant', { ratchets: false, scan: own }, own, 'in another way'],
  ['on what is unique', { comparison: COMPARISON }, 'compared', 'the objects of each cluster compared'],
  [
    'on an object and on what is unique',
    { comparison: COMPARISON, scan: 'object' },
    'object',
    'each object by itself, and the objects of each cluster compared',
  ],
  [
    'on what changed between two states',
    { comparison: { ...COMPARISON, points: ['check'] } },
    { skip: 'it is about a change, and what there was before is not stored' },
    'skipped: it is about a change, and what there was before is not stored',
  ],
  [
    'on services, which all clusters make together',
    { on: [], comparison: { ...COMPARISON, kinds: [service] } },
    'compared',
    'the exports, imports and Services of all clusters of the run compared',
  ],
  [
    'on several clusters',
    { on: [], comparison: { ...COMPARISON, acrossOnly: true } },
    'compared',
    'the objects of several clusters compared',
  ],
])('a rule %s', (_, more, variant, text) => {
  const rule = { ...always('claim/x'), ...more };
  expect(scanVariantOf(rule)).toEqual(variant);
  expect(scanText(rule)).toBe(text);
});
