/**
 * docs/norm.md: each sentence of the proposals that demands or permits something, and the rules and pages that answer
 * it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { fragmentOf } from '../../../docs/.vitepress/markdown.ts';
import { rules as catalogue } from '../../../src/rules/index.ts';
import type { Rule } from '../../../src/rules/rule.ts';
import { PROPOSALS, withProposals } from './proposals.ts';

const rules: readonly Rule[] = catalogue;

/** The sections of the page, each with its text and the part of it that is about the API. */
const SECTIONS = [
  { heading: 'KEP-2149: ClusterClaim', file: 'kep-2149-cluster-claim.md', from: '## Proposal' },
  { heading: 'KEP-2149: ClusterProperty', file: 'kep-2149-today.md', from: '## Proposal' },
  { heading: 'KEP-4322: InventoryCluster', file: 'kep-4322-inventory-cluster.md', from: '### Terminology' },
  { heading: 'KEP-4322: ClusterProfile', file: 'kep-4322-today.md', from: '> **Cluster Inventory**' },
  { heading: 'KEP-3920: Feature', file: 'kep-3920-feature.md', from: '### Goals' },
  { heading: 'KEP-3920: the type of Feature', file: 'kep-3920-feature-types.md', from: '## Proposal' },
  { heading: 'KEP-5313: PlacementDecision', file: 'kep-5313-placement-decision.md', from: '## Summary' },
  { heading: 'KEP-1645: ServiceExport and ServiceImport', file: 'kep-1645-mcs.md', from: '### Goals' },
] as const;
const END = '### Test Plan';

const DEMANDS = /\b(?:must|shall|should|may|required|immutable|reserved|recommended)\b/i;
/** Sentences with such a word that neither demand nor permit anything. */
const NARRATIVE = [
  // The words themselves, and headings.
  'The requirements below use the keywords',
  '**Label selector (recommended)**',
  '# using a kube-system ns uuid as the id value (recommended above):',
  'Placement**: A scheduler request that asks "where should this workload run?"',
  'Not standardized here and may not exist as a resource.',
  'When a scheduling decision is no longer required',
  'This section describes how the API should be implemented in practice.',
  // How the proposals came about, and what their authors expect.
  'so perhaps it should be thought of as a layer',
  'The spec type may surprise you',
  'you may have wondered',
  'It should be achievable since the cluster properties',
  'needs to compare the name of the parent cluster to determine whether the namespace should be synced',
  'The most common discussion point within the SIG regarding whether an implementation should favor',
  'This has led to the discussion of whether or not we should pursue adding this resource type',
  '| Must be installed by the cluster lifecycle management',
  'This may become easier for the community',
  'Today every multicluster scheduler publishes its own API',
  'decides *where* a workload should land',
  'Without this API, each consumer must implement separate code',
  'Every new consumer added must write all these integrations again',
  'Today: Argo CD must write and maintain separate code',
  'When primary recovers, DR controller may update decision again',
  'to specify which services should be exposed across all clusters',
  'Requests to my replicated service should seamlessly transition',
  'Routing to my replicated service should optimize',
  'This allows users to decide exactly which services should be visible',
  'Some initial ideas are to allow users to specify',
  'ServiceExport declares that the associated service should be exported',
  'The possible TrafficDistribution values should match what can be similarly defined',
  'could have required `clusterset.local` `PTR` records across the board',
  'surfaced through reverse DNS lookup if we required',
  '`PTR` records are not required',
  'encode the cluster-specific addressing required by virtue of being two different',
  'fail if `EndpointSlice` objects are required',
  'This structure was originally required as part of this specification in alpha',
  'If these properties are out of sync for a subset of exported services',
  // The limit of a value in other encodings: muster counts code points.
  'Note that this may not be the same as number of perceived characters',
  'the encoded length of the string in bytes as observed on input or output by the user may vary',
  'Strings must be at their encoded length in bytes at storage',
  'The most comparable upstream limit is for resource annotation values',
];

const page = readFileSync('docs/norm.md', 'utf8');
const rows = page.split(/^## /m).flatMap((section) => {
  const [heading = ''] = section.split('\n', 1);
  return section.split('\n').flatMap((line) => {
    const [, sentence = '', level = '', answer = ''] = /^\| (.*?) \| (.*?) \| (.*) \|$/.exec(line) ?? [];
    return answer === '' || level === 'level' ? [] : [{ heading, sentence, level, answer }];
  });
});
const linked = (answer: string) => [...answer.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
const idsOf = (answer: string) =>
  linked(answer).flatMap((link) => /^rules\/(\w+)-(.*)\.md$/.exec(link)?.slice(1).join('/') ?? []);
/** The parts of a sentence that are not left out. */
const partsOf = (sentence: string) => sentence.split(' … ').map(plain);

/** On one line, without the marks of quotations, comments of the source and links. */
function plain(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^\s*(?:>|\/\/) ?/gm, '')
    .replace(/\s+/g, ' ');
}

test('has the sections that are compared, each with rows', () => {
  const headings = new Set(rows.map(({ heading }) => heading));
  expect([...headings]).toEqual(SECTIONS.map(({ heading }) => heading));
});

test.each(rules.filter(({ meta }) => meta.basis === 'kep').map((rule) => [rule.id, rule] as const))(
  '%s answers a sentence, and the sentence that it quotes is there',
  (id, { meta }) => {
    expect(rows.filter(({ answer }) => idsOf(answer).includes(id))).not.toEqual([]);
    const quote = plain(meta.quote ?? '').replace(/[.,]$/, '');
    const answered = rows.filter(({ sentence }) =>
      partsOf(sentence).some((part) => quote.includes(part) || part.includes(quote)),
    );
    expect(answered.flatMap(({ answer }) => idsOf(answer))).toContain(id);
  },
);

test('each rule and page that a row names exists, with its heading', () => {
  const dead = rows
    .flatMap(({ answer }) => linked(answer))
    .filter((link) => {
      const [path = '', fragment] = link.split('#');
      const file = join('docs', path);
      if (!existsSync(file)) return true;
      const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        fragmentOf(heading),
      );
      return fragment !== undefined && !headings.includes(fragment);
    });
  expect(dead).toEqual([]);
  const ids = new Set(rules.map(({ id }) => id));
  expect(rows.flatMap(({ answer }) => idsOf(answer)).filter((id) => !ids.has(id))).toEqual([]);
});

test('each row has an answer: a rule, a page, or that there is nothing to enforce', () => {
  const free =
    /^(?:permitted: no rule forbids it|about .*, not about an object|no rule .*|the (?:API server|rules) .*)$/;
  expect(rows.filter(({ answer }) => linked(answer).length === 0 && !free.test(answer))).toEqual([]);
});

withProposals.describe.each(SECTIONS)('$heading', ({ heading, file, from }) => {
  const read = () => readFileSync(`${PROPOSALS}/${file}`, 'utf8').replace(/<!--[\s\S]*?-->/g, '');
  const own = rows.filter((row) => row.heading === heading);

  test('quotes its text to the letter', () => {
    const whole = plain(read());
    expect(own.flatMap(({ sentence }) => partsOf(sentence)).filter((part) => !whole.includes(part))).toEqual([]);
  });

  test('has each sentence that demands or permits something', () => {
    const text = read();
    const start = text.indexOf(`\n${from}`);
    const end = text.indexOf(`\n${END}`, start);
    expect(start).toBeGreaterThan(-1);
    const parts = own.flatMap(({ sentence }) => partsOf(sentence));
    const missing = sentencesOf(text.slice(start, end === -1 ? undefined : end)).filter(
      (sentence) =>
        DEMANDS.test(sentence) &&
        ![...parts, ...NARRATIVE].some((part) => sentence.includes(part) || part.includes(sentence)),
    );
    expect(missing).toEqual([]);
  });
});

/** The sentences of paragraphs and entries of lists. */
function sentencesOf(text: string): readonly string[] {
  const blocks = text.replace(/^> ?/gm, '').split(/\n\s*\n|\n(?=\s*[-*] |#|```)/);
  return blocks.flatMap((block) =>
    plain(block)
      .trim()
      .split(/(?<=[.!?])\s+(?=[A-Z*`_([])/),
  );
}
