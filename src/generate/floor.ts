/** The floor as files: `manifests/policies` for kustomize, and the table in `docs/floor.md` of what it holds and lacks. */
import { join } from 'node:path';
import { defaultAction } from '../engine/plan.ts';
import { type PolicyOptions, policies } from '../manifests/policies.ts';
import type { Rule } from '../rules/rule.ts';
import { type Artifact, readIfThere } from './artifact.ts';
import { pageOf } from './docs.ts';
import { file, kustomization } from './kustomize.ts';
import { actionsOf } from './rule-facts.ts';

const DOCUMENT = 'docs/floor.md';
const BEGIN = '<!-- Generated from src/rules by `npm run generate` from here on. -->';
const END = '<!-- Written by hand from here on. -->';
const CONCEPTS = ['claim', 'inventory', 'feature'] as const;

/** What stands without a configuration. */
export function floorFiles(rules: readonly Rule[]): readonly Artifact[] {
  const files = CONCEPTS.map((concept) =>
    file(
      `policies/${concept}.yaml`,
      `The floor while muster is away: rules on ${concept}s that CEL can say. See docs/floor.md.`,
      policies({ actionOf: defaultActionOf, catalogue: rules.filter((rule) => rule.concept === concept) }),
    ),
  );
  const names = CONCEPTS.map((concept) => `${concept}.yaml`);
  return [kustomization('policies', 'The floor while muster is away; it stands without it.', names), ...files];
}

const defaultActionOf: PolicyOptions['actionOf'] = (rule, dialect, messageId) =>
  defaultAction(rule, dialect, 'webhook', messageId);

/**
 * The document with its table renewed.
 * @throws Error where the document or its marks are gone
 */
export function floorDocument(root: string, rules: readonly Rule[]): Artifact {
  const [before, , after] = partsOf(readIfThere(join(root, DOCUMENT)) ?? '');
  return { path: DOCUMENT, text: `${before}${BEGIN}\n\n${table(rules)}\n\n${END}${after}` };
}

function partsOf(text: string): readonly [string, string, string] {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin)
    throw new Error(`${DOCUMENT} has no place for its table: write the lines "${BEGIN}" and "${END}" into it`);
  return [text.slice(0, begin), text.slice(begin, end), text.slice(end + END.length)];
}

function table(rules: readonly Rule[]): string {
  const rows = rules.map(
    (rule) => `| [\`${rule.id}\`](rules/${pageOf(rule.id)}) | ${actionsOf(rule)} | ${stateOf(rule)} |`,
  );
  return ['| rule | default action | the floor |', '|---|---|---|', ...rows].join('\n');
}

function stateOf({ id, cel }: Rule): string {
  if (cel === undefined) throw new Error(`${id} says nothing of CEL: give it \`cel\`, or the reason why it has none`);
  if ('absent' in cel) return `no: ${cel.absent}`;
  return cel.lacks === undefined ? 'yes' : `yes; it leaves out ${cel.lacks}`;
}
