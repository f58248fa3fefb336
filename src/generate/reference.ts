/** The reference of the rules in docs/rules, a page for each rule and an index; and the module of examples for `muster explain`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { factsOf } from '../cli/rules/facts.ts';
import { actionsOf, factRows, levelsOf, writesOf } from '../cli/rules/text.ts';
import { pageName } from '../rules/documentation.ts';
import type { Rule } from '../rules/rule.ts';
import { scanText } from '../rules/scan.ts';
import { type Artifact, filesIn, readIfThere } from './artifact.ts';
import { cell } from './markdown.ts';

/** Everything above this line of a page is generated; what is written below it is kept. */
export const MARKER = '<!-- Written by hand from here on; `npm run generate` keeps it. -->';

const FOLDER = 'docs/rules';

/** The pages of these rules and their index. */
export function ruleDocs(root: string, rules: readonly Rule[], examples: Examples): readonly Artifact[] {
  const page = (name: string, text: string) => {
    const path = `${FOLDER}/${name}`;
    const [, authored = ''] = readIfThere(join(root, path))?.split(MARKER) ?? [];
    return { path, text: `${text}\n${MARKER}\n${authored.replace(/^\n/, '')}` };
  };
  const pages = rules.map((rule) => page(pageOf(rule.id), rulePage(rule, examples.get(rule.id))));
  return [page('README.md', index(rules)), ...pages];
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

/** The module that `muster explain` reads its examples from. */
export function examplesModule(examples: Examples): string {
  const entries = [...examples].map(([id, { allowed, denied }]) => {
    return `  ${JSON.stringify(id)}: {\n    allowed: ${JSON.stringify(allowed)},\n    denied: ${JSON.stringify(denied)},\n  },\n`;
  });
  const type = 'Readonly<Record<string, { readonly allowed: string; readonly denied: string }>>';
  return `${BANNER}\nexport const examples: ${type} = {\n${entries.join('')}};\n`;
}

/** The generated part of the page, in Markdown. */
function rulePage(rule: Rule, example: Example = { allowed: '', denied: '' }): string {
  const { quote, why, messages } = rule.meta;
  const facts = factsOf(rule);
  const rows = [
    ['Level', `${levelsOf(facts)} (basis: ${facts.basis})`],
    ...factRows(facts),
    ['In a scan', scanText(rule)],
  ];
  const sections = [
    `<!-- Generated from src/rules/${rule.id}.ts by \`npm run generate\`. -->\n# ${rule.id}`,
    escaped(rule.meta.summary),
    `## How to fix it\n\n${escaped(rule.meta.fix)}`,
    ...(quote === undefined ? [] : [`> ${escaped(quote).replaceAll('\n', '\n> ')}`]),
    ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n'),
    `## Why it takes a webhook\n\n${why}`,
    `## Messages\n\n${Object.entries(messages)
      .map(([id, text]) => `- \`${id}\`: ${escaped(text)}`)
      .join('\n')}`,
    `## Allowed\n\n${yaml(example.allowed)}`,
    `## Not allowed\n\n${yaml(example.denied)}`,
  ];
  return `${sections.join('\n\n')}\n`;
}

function yaml(text: string): string {
  return `\`\`\`yaml\n${text.trimEnd()}\n\`\`\``;
}

/** Names in angle brackets are text, not HTML. */
function escaped(text: string): string {
  return text.replaceAll('<', '&lt;');
}
