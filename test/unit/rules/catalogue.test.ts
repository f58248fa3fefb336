/** The catalogue: every rule is in it, and its metadata is complete and verbatim. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { defaultPolicy } from '../../../src/engine/index.ts';
import { defaultAction } from '../../../src/engine/plan.ts';
import { sourceUrl } from '../../../src/rules/documentation.ts';
import { rules as catalogue, ruleIds } from '../../../src/rules/index.ts';
import { type Rule, rulePrefixes } from '../../../src/rules/rule.ts';
import { PROPOSALS, withProposals } from './proposals.ts';

const rules: readonly Rule[] = catalogue;
/** The text that a rule quotes: the first one of its proposal, or that of the commit which the source names. */
const SOURCES: Readonly<Record<string, string>> = {
  'KEP-2149': 'kep-2149-cluster-claim.md',
  'KEP-4322': 'kep-4322-inventory-cluster.md',
  'KEP-4322 3a8eb262': 'kep-4322-today.md',
  'KEP-5313': 'kep-5313-placement-decision.md',
  'KEP-1645': 'kep-1645-mcs.md',
  'KEP-3920': 'kep-3920-feature.md',
  'KEP-3920 cc13a7dde': 'kep-3920-feature-types.md',
};
const KEP_SOURCE = /^(?:multi-cluster services of )?(KEP-\d{4}) (#[a-z-]+\d*)(?: \(commit ([0-9a-f]+)\))?$/;
const RULE_ID = new RegExp(`\\b(${rulePrefixes.join('|')})/[a-z]`);
const named = rules.map((rule) => [rule.id, rule] as const);

const sourceOf = (id: string): string => readFileSync(`src/rules/${id}.ts`, 'utf8');
/** Without the marks of quotations, in which passages of a text are given. */
const withoutSpace = (text: string): string => text.replace(/^> /gm, '').replace(/\s+/g, ' ');

describe('the list', () => {
  test('has the rules there are files for, no more and no fewer', () => {
    const files = readdirSync('src/rules', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => file.slice(0, -'.ts'.length))
      .filter((id) => sourceOf(id).includes('export const rule = defineRule('));
    expect(rules.map(({ id }) => id).sort()).toEqual(files.sort());
  });

  test('is what ruleIds knows', () => {
    expect([...ruleIds]).toEqual(rules.map(({ id }) => id));
  });
});

describe.each(named)('%s', (id, rule) => {
  const { meta } = rule;

  test('says in `needs` what its fields do', () => {
    expect(meta.needs.includes('oldObject')).toBe(rule.ratchets === false);
    if (rule.locks) expect(meta.needs).toContain('cluster');
  });

  test('is in a file of its prefix, its id spelled out', () => {
    expect(rulePrefixes).toContain(id.split('/')[0]);
    expect(sourceOf(id)).toContain(`  id: '${id}',\n`);
  });

  test('denies by default where its norm says must and is not muster’s own', () => {
    const expected = { MUST: 'deny', 'MUST†': 'warn', SHOULD: 'warn', ADVICE: 'ignore' }[meta.level];
    expect(defaultAction(rule)).toBe(meta.basis === 'muster' && expected === 'deny' ? 'warn' : expected);
  });

  test('says where it is from, and what it needs', () => {
    expect(meta.source).toMatch(meta.basis === 'kep' ? KEP_SOURCE : /^[a-z].{10,}$/);
    if (meta.basis !== 'muster') expect(sourceUrl(meta.source)).toMatch(/^https:/);
    expect(meta.needs.length).toBeGreaterThan(0);
    if (meta.basis !== 'muster') expect(meta.quote ?? '').toMatch(/\S{2}/);
    for (const messageId of Object.keys(meta.messageLevels ?? {}))
      expect(Object.keys(meta.messages)).toContain(messageId);
    expect(rule.check ?? rule.shapes ?? rule.comparison ?? rule.scan).toBeDefined();
  });

  test('is enabled, or says what enables it', () => {
    expect(rule.enabled?.(defaultPolicy.settings) ?? true).toBe(meta.inertUntil === undefined);
    expect(rule.enabled === undefined).toBe(meta.inertUntil === undefined);
  });

  test('has messages of one line that name no rule', () => {
    const messages = Object.values(meta.messages);
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) {
      expect(message).toMatch(/^\S[^\n]{10,}[^\s.]$/);
      expect(message).not.toMatch(RULE_ID);
      // On these words Flux and Sveltos delete the object and create it anew.
      expect(message).not.toMatch(/is immutable|immutable field/i);
    }
  });

  if (KEP_SOURCE.test(meta.source)) {
    const [, proposal = '', anchor, commit] = KEP_SOURCE.exec(meta.source) ?? [];
    const document = commit === undefined ? proposal : `${proposal} ${commit}`;

    test('names its proposal, and quotes it', () => {
      expect(Object.keys(SOURCES)).toContain(document);
      expect(sourceUrl(meta.source)).toContain(commit ?? '');
      expect(meta.quote).not.toBe('');
    });

    withProposals.test('quotes its proposal to the letter, under a heading that is there', () => {
      const read = (name: string) => readFileSync(`${PROPOSALS}/${SOURCES[name]}`, 'utf8');
      expect(withoutSpace(read(document))).toContain(withoutSpace(meta.quote ?? '—'));
      // The later text of a proposal is an extract, without all of the headings.
      expect(anchorsOf(read(proposal) + read(document))).toContain(anchor);
    });
  }
});

/** The links of the table of contents, and what the headings are linked as. */
function anchorsOf(text: string): string[] {
  const listed = [...text.matchAll(/\]\((#[^)]+)\)/g)].map(([, anchor]) => anchor ?? '');
  const headings = [...text.matchAll(/^(?:#+ |\*\*)(.+?)(?:\*\*)?$/gm)].map(
    ([, heading]) => `#${slugOf(heading ?? '')}`,
  );
  return [...listed, ...headings];
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replace(/ /g, '-');
}
