/**
 * The reference of the rules in docs/rules, a page for each rule and an index; and the module of examples for `muster
 * explain`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { factsOf } from '../../src/report/rule-facts.ts';
import { actionsOf, factRows, levelsOf, unfilled, writesOf } from '../../src/report/rule-text.ts';
import { pageName, sourceUrl } from '../../src/rules/documentation.ts';
import type { Level, Rule } from '../../src/rules/rule.ts';
import { scanText } from '../../src/rules/scan-variant.ts';
import { type Artifact, filesIn, readIfThere } from './artifact.ts';
import { cell, code } from './markdown.ts';
import { captionOf, exampleMessages, manifestsIn } from './rule-examples.ts';

/** Everything above this line of a page is generated; what is written below it is kept. */
export const MARKER = '<!-- Written by hand from here on; `npm run generate` keeps it. -->';

const FOLDER = 'docs/rules';

/** Returns the pages of the rules, and their index. */
export async function ruleDocs(root: string, rules: readonly Rule[], examples: Examples): Promise<readonly Artifact[]> {
  const page = (name: string, text: string) => {
    const path = `${FOLDER}/${name}`;
    const [, authored = ''] = readIfThere(join(root, path))?.split(MARKER) ?? [];
    return { path, text: `${text}\n${MARKER}\n${authored.replace(/^\n/, '')}` };
  };
  const pages = rules.map(async (rule) => {
    const messages = await exampleMessages(root, rule.id);
    return page(pageOf(rule.id), rulePage(rule, examples.get(rule.id), messages));
  });
  return [page('README.md', index(rules)), ...(await Promise.all(pages))];
}

/** The file name of a rule's page. */
export function pageOf(id: string): string {
  return `${pageName(id)}.md`;
}

function index(rules: readonly Rule[]): string {
  const rows = rules.map(factsOf).map((facts) => {
    const code = facts.operations.length === 0 ? '' : facts.code;
    const cells = [cell(facts.summary), levelsOf(facts), actionsOf(facts), facts.basis, code, writesOf(facts)];
    return `| [\`${facts.id}\`](${pageOf(facts.id)}) | ${cells.join(' | ')} |`;
  });
  return [
    '<!-- Generated from src/rules by `npm run generate`. -->',
    '# The rules',
    '',
    `${rules.length} rules, in the order in which findings are reported.`,
    '',
    '| rule | summary | level | default action | basis | code | evaluated on |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

type Example = { readonly allowed: string; readonly denied: string };
export type Examples = ReadonlyMap<string, Example>;

const BANNER = '/** Generated from test/fixtures by `npm run generate`. Do not edit. */';

/**
 * Returns the text of the first allowed and of the first denied case of every rule.
 * @throws Error that names a folder without one
 */
export function firstFixtures(root: string, rules: readonly { readonly id: string }[]): Examples {
  const first = (folder: string): string => {
    const file = filesIn(root, folder).find((path) => path.endsWith('.yaml'));
    if (file !== undefined) return readFileSync(join(root, file), 'utf8');
    throw new Error(`Every rule has an allowed and a denied example. Add one case, a .yaml file, to ${folder}`);
  };
  const example = (folder: string) => ({ allowed: first(`${folder}/allow`), denied: first(`${folder}/deny`) });
  return new Map(rules.map(({ id }) => [id, example(`test/fixtures/${id}`)]));
}

/** Returns the module with the examples of `muster explain`. */
export function examplesModule(examples: Examples): string {
  const entries = [...examples].map(([id, { allowed, denied }]) => {
    return (
      `  ${JSON.stringify(id)}: {\n    allowed: ${JSON.stringify(allowed)},\n    denied: ` +
      `${JSON.stringify(denied)},\n  },\n`
    );
  });
  const type = 'Readonly<Record<string, { readonly allowed: string; readonly denied: string }>>';
  return `${BANNER}\nexport const examples: ${type} = {\n${entries.join('')}};\n`;
}

/** What a level means. The default action follows from it. */
const LEVELS: Readonly<Record<Level, string>> = {
  MUST: 'the norm requires it',
  'MUST†': "the norm requires it, but one write alone can't prove a violation",
  SHOULD: 'the norm recommends it',
  ADVICE: 'the norm gives it as an example',
};

/** Whose sentence a rule enforces. */
const BASES: Readonly<Record<Rule['meta']['basis'], string>> = {
  kep: 'a Kubernetes Enhancement Proposal',
  upstream: 'an API that grew out of an enhancement proposal',
  muster: 'a rule of this project',
};

/** Returns the generated part of the page, in Markdown: first what users need, last what authors of rules need. */
function rulePage(
  rule: Rule,
  example: Example = { allowed: '', denied: '' },
  exampleTexts: readonly string[] = [],
): string {
  const { summary, fix, quote, source, why, needs, messages, messageLevels = {}, pairs } = rule.meta;
  const facts = factsOf(rule);
  const url = sourceUrl(source);
  const reason = rule.on.length > 0 ? 'Why it takes a webhook' : 'Why it is not in a CRD';
  const rows = [
    ['Level', `${levelsOf(facts)}: ${LEVELS[facts.level]}`],
    ['Basis', `${facts.basis}: ${BASES[facts.basis]}`],
    ...factRows(facts),
    ['In a scan', scanText(rule)],
  ];
  const templates = Object.entries(messages).map(([id, text]) => {
    const level = messageLevels[id];
    return `- ${code(id)}${level === undefined ? '' : ` (${level})`}: ${escaped(unfilled(text))}`;
  });
  const sections = [
    `<!-- Generated from src/rules/${rule.id}.ts by \`npm run generate\`. -->\n# ${rule.id}`,
    escaped(summary),
    `## How to fix it\n\n${escaped(fix)}`,
    `**Before.** ${escaped(captionOf(example.denied))}\n\n${yaml(manifestsIn(example.denied))}`,
    `**After.** ${escaped(captionOf(example.allowed))}\n\n${yaml(manifestsIn(example.allowed))}`,
    ...pairsIn(pairs),
    '## The norm',
    ...(quote === undefined ? [] : [`> ${escaped(quote).replaceAll('\n', '\n> ')}`]),
    `Source: ${url === undefined ? source : `[${source}](${url})`}`,
    [
      '## Defaults\n\n| Property | Value |\n|---|---|',
      ...rows.map(([name, value = '']) => `| ${name} | ${cell(value)} |`),
    ].join('\n'),
    'Each rule can have another action, for each enforcement point: [configuration](../configuration.md#rules).',
    `## Messages\n\nAs users see them, for the examples of this ` +
      `rule:\n\n\`\`\`text\n${exampleTexts.join('\n')}\n\`\`\``,
    `## For authors of rules\n\nThe rule reads: ${needs.join(', ')}. ${reason}: ${escaped(why)}`,
    `Its messages by id:\n\n${templates.join('\n')}`,
  ];
  return `${sections.join('\n\n')}\n`;
}

function yaml(text: string): string {
  return `\`\`\`yaml\n${text.trimEnd()}\n\`\`\``;
}

/** Returns examples of conflicts, as a table. */
function pairsIn(pairs: Rule['meta']['pairs'] = {}): readonly string[] {
  const rows = Object.entries(pairs).map(
    ([reason, [one, other]]) => `| ${code(reason)} | ${code(one)} | ${code(other)} |`,
  );
  if (rows.length === 0) return [];
  return [
    ['## What is in conflict\n\n| Reason | `spec` in one cluster | in another |\n|---|---|---|', ...rows].join('\n'),
  ];
}

/** Escapes names in angle brackets, which are not HTML. */
function escaped(text: string): string {
  return text.replaceAll('<', '&lt;');
}
