/** All that is generated, in one list. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kinds } from '../api/index.ts';
import type { Rule } from '../rules/rule.ts';
import type { Artifact } from './artifact.ts';
import { ruleDocs } from './docs.ts';
import { examplesModule, firstFixtures } from './fixtures.ts';
import { floorDocument, floorFiles } from './floor.ts';
import { kustomize } from './kustomize.ts';
import { ruleIdsModule } from './rule-ids.ts';
import { validatorsModule } from './validators.ts';

/**
 * Everything generated from the schemas, a catalogue and the fixtures of a checkout.
 * @throws Error naming what to add where a rule has no fixtures or a schema no place.
 */
export async function collect(root: string, rules: readonly Rule[]): Promise<readonly Artifact[]> {
  const examples = firstFixtures(root, rules);
  return [
    { path: 'src/engine/validators.generated.ts', text: validatorsModule(rules) },
    { path: 'src/rules/rule-id.generated.ts', text: ruleIdsModule(rules) },
    { path: 'src/rules/examples.generated.ts', text: examplesModule(examples) },
    ...kustomize(kinds, versionOf(root)),
    ...floorFiles(rules),
    floorDocument(root, rules),
    ...ruleDocs(root, rules, examples),
  ];
}

function versionOf(root: string): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
}
