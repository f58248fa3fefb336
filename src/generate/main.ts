/** Everything that is generated; `npm run generate` writes it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kinds } from '../api/index.ts';
import { rules as catalogue } from '../rules/index.ts';
import type { Rule } from '../rules/rule.ts';
import { type Artifact, write } from './artifact.ts';
import { chart } from './chart.ts';
import { fallbackDocument, fallbackFiles } from './fallback-policies.ts';
import { keyTables } from './key-tables.ts';
import { kustomize } from './kustomize.ts';
import { examplesModule, firstFixtures, ruleDocs } from './reference.ts';
import { validatorsModule } from './validators.ts';

/**
 * Returns everything generated from the schemas, a catalogue and the fixtures of a checkout.
 * @throws Error naming what to add if a rule has no fixtures or a table has no marks.
 */
export function collect(root: string, rules: readonly Rule[]): readonly Artifact[] {
  const examples = firstFixtures(root, rules);
  return [
    { path: 'src/engine/validators.generated.ts', text: validatorsModule(rules) },
    { path: 'src/rules/rule-id.generated.ts', text: ruleIdsModule(rules) },
    { path: 'src/rules/examples.generated.ts', text: examplesModule(examples) },
    ...kustomize(kinds, versionOf(root)),
    ...chart(root, versionOf(root)),
    ...fallbackFiles(rules),
    fallbackDocument(root, rules),
    ...ruleDocs(root, rules, examples),
    ...keyTables(root),
  ];
}

/** The type of rule ids, written out: a derived type would bring the text of every rule into the published types. */
function ruleIdsModule(rules: readonly Rule[]): string {
  const ids = rules.map(({ id }) => `  | '${id}'`).join('\n');
  return `/** Generated from the catalogue by \`npm run generate\`. Do not edit. */\nexport type RuleId =\n${ids};\n`;
}

function versionOf(root: string): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const artifacts = collect(root, catalogue);
  const changes = write(root, artifacts);
  for (const { path, state } of changes) console.log(`${state === 'extra' ? 'removed' : 'wrote'} ${path}`);
  console.log(`${artifacts.length} generated files, ${changes.length} changed`);
}
