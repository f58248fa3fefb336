/** The reference of the rules: a page each and an index. What people wrote below the marker line of a page is kept. */
import { join } from 'node:path';
import type { Rule } from '../rules/rule.ts';
import { type Artifact, readIfThere } from './artifact.ts';
import type { Examples } from './fixtures.ts';
import { actionsOf, judgedOn } from './rule-facts.ts';
import { rulePage } from './rule-page.ts';

/** Everything above this line is generated, everything below is not. */
export const MARKER = '<!-- Written by hand from here on; `npm run generate` keeps it. -->';

const FOLDER = 'docs/rules';

/** The pages of these rules and their index. */
export function ruleDocs(root: string, rules: readonly Rule[], examples: Examples): readonly Artifact[] {
  const pages = rules.map((rule) => {
    const example = examples.get(rule.id);
    if (!example) throw new Error(`${rule.id} has no example: add cases to test/fixtures/${rule.id}.`);
    return { path: `${FOLDER}/${pageOf(rule.id)}`, text: rulePage(rule, example) };
  });
  const all = [{ path: `${FOLDER}/README.md`, text: index(rules) }, ...pages];
  return all.map(({ path, text }) => ({
    path,
    text: `${text}\n${MARKER}\n${authored(readIfThere(join(root, path)))}`,
  }));
}

/** The file name of a rule's page. */
export function pageOf(id: string): string {
  return `${id.replace('/', '-')}.md`;
}

function authored(current: string | undefined): string {
  const at = current?.indexOf(MARKER) ?? -1;
  return current === undefined || at < 0 ? '' : current.slice(at + MARKER.length).replace(/^\n/, '');
}

function index(rules: readonly Rule[]): string {
  const rows = rules.map((rule) => {
    const { level, basis, code } = rule.meta;
    return `| [\`${rule.id}\`](${pageOf(rule.id)}) | ${level} | ${actionsOf(rule)} | ${basis} | ${code} | ${judgedOn(rule)} |`;
  });
  return [
    '<!-- Generated from src/rules by `npm run generate`. -->',
    '# The rules',
    '',
    `${rules.length} rules, in the order in which findings are reported.`,
    '',
    '| rule | level | default action | basis | code | judged on |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
