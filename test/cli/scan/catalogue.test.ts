/** Which rules a scan asks: each of the catalogue, once, as docs/scan.md says. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { aloneRules, comparingRules, SCANNED } from '../../../src/cli/scan/catalogue.ts';
import { ruleIds, rules } from '../../../src/rules/index.ts';
import type { Rule } from '../../../src/rules/rule.ts';

const entries = Object.entries(SCANNED);

test('every rule of the catalogue is placed, in its order, and no other', () => {
  expect(entries.map(([id]) => id)).toEqual([...ruleIds]);
});

test('the page says the same of every rule, in the same order', () => {
  const rows = [
    ...readFileSync('docs/scan.md', 'utf8').matchAll(/^\| `((?:claim|inventory|feature)\/[\w-]+)` \| (.+) \|$/gm),
  ];
  const expected = entries.map(([id, scanned]) => [id, saidOf(scanned)]);
  expect(rows.map(([, id, said]) => [id, said])).toEqual(expected);
});

test('rules that only a scan can ask are asked, by comparison; no other is', () => {
  const live = rules.filter((rule: Rule) => rule.live === 'scan').map(({ id }) => id);
  expect(comparingRules.map(({ id }) => id)).toEqual(live);
});

test('a rule that is asked by itself needs neither a caller nor another object', () => {
  // Who runs the server flow is exempt from it: where somebody is named for that, a scan is silent.
  const silent = ['feature/dynamic-opt-in'];
  const objects = entries.filter(([id, { by }]) => by === 'object' && !silent.includes(id)).map(([id]) => id);
  const needing = rules.filter(({ id }) => objects.includes(id)).flatMap(({ meta }): readonly string[] => meta.needs);
  expect(needing).not.toContain('identity');
  expect(needing).not.toContain('cluster');
  expect(needing).not.toContain('clock');
});

test('a variant keeps id, concept and subresources, so that its action and its exceptions are the same', () => {
  for (const [id, scanned] of entries) {
    if (scanned.by !== 'variant') continue;
    const rule: Rule | undefined = rules.find((one) => one.id === id);
    const { concept, subresources, dialects, meta } = scanned.rule;
    expect({ id: scanned.rule.id, concept, subresources, dialects }).toEqual({
      id,
      concept: rule?.concept,
      subresources: rule?.subresources,
      dialects: rule?.dialects,
    });
    expect(Object.keys(rule?.meta.messages ?? {})).toEqual(expect.arrayContaining(Object.keys(meta.messages)));
  }
});

test('nothing is capped: no write waits for a scan', () => {
  for (const rule of [...aloneRules, ...comparingRules]) expect(rule.atMost).toBeUndefined();
});

function saidOf(scanned: (typeof SCANNED)[keyof typeof SCANNED]): string {
  if (scanned.by === 'variant') return scanned.how;
  if (scanned.by === 'nothing') return `not: ${scanned.why}`;
  return scanned.by === 'object' ? 'by itself' : 'compared with all others';
}
