/** The fallback policies as files for kustomize, and the table in `docs/fallback-policies.md` of what they cover. */
import { join } from 'node:path';
import { concepts } from '../../src/api/dialects.ts';
import { policies } from '../../src/manifests/policies.ts';
import { factsOf } from '../../src/report/rule-facts.ts';
import { actionsOf } from '../../src/report/rule-text.ts';
import type { Rule } from '../../src/rules/rule.ts';
import { type Artifact, readIfThere, withContent } from './artifact.ts';
import { manifestFile } from './kustomize.ts';
import { pageOf } from './rule-reference.ts';

const DOCUMENT = 'docs/fallback-policies.md';
const MARKS = [
  '<!-- Generated from src/rules by `npm run generate` from here on. -->',
  '<!-- Written by hand from here on. -->',
] as const;

/** The policies that apply without a configuration. */
export function fallbackFiles(rules: readonly Rule[]): readonly Artifact[] {
  return concepts.map((concept) => {
    const about = `Fallback policies for ${concept}s, which apply while muster is away. See docs/fallback-policies.md.`;
    const catalogue = rules.filter((rule) => rule.concept === concept);
    return manifestFile(`policies/${concept}.yaml`, about, policies(undefined, catalogue));
  });
}

/**
 * Returns the document with its table renewed.
 * @throws Error if the document or its marks are missing
 */
export function fallbackDocument(root: string, rules: readonly Rule[]): Artifact {
  const text = readIfThere(join(root, DOCUMENT)) ?? '';
  return { path: DOCUMENT, text: withContent(DOCUMENT, text, MARKS, table(rules)) };
}

function table(rules: readonly Rule[]): string {
  const rows = rules.map(
    (rule) => `| [\`${rule.id}\`](rules/${pageOf(rule.id)}) | ${actionsOf(factsOf(rule))} | ${stateOf(rule)} |`,
  );
  return ['| rule | default action | fallback policy |', '|---|---|---|', ...rows].join('\n');
}

function stateOf({ id, cel }: Rule): string {
  if (cel === undefined) throw new Error(`${id} has no \`cel\`: add it, or the reason why it has none`);
  if ('reason' in cel) return `no: ${cel.reason}`;
  return cel.omits === undefined ? 'yes' : `yes; it leaves out ${cel.omits}`;
}
