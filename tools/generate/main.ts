/** Generates all files, for `npm run generate`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kinds } from '../../src/api/index.ts';
import { createProgram } from '../../src/cli/program.ts';
import { rules as catalogue } from '../../src/rules/index.ts';
import type { Rule } from '../../src/rules/rule.ts';
import { type Artifact, writeArtifacts } from './artifact.ts';
import { chart } from './chart.ts';
import { chartObjects } from './chart-objects.ts';
import { cliReference } from './cli-reference.ts';
import { exampleFiles } from './examples.ts';
import { fallbackDocument, fallbackFiles } from './fallback-policies.ts';
import { keyTables } from './key-tables.ts';
import { kustomize } from './kustomize.ts';
import { libraryReference } from './library-reference.ts';
import { examplesModule, firstFixtures, ruleDocs } from './rule-reference.ts';
import { editorSchemas } from './schemas.ts';
import { fileValidators, SHAPES, validatorsModule } from './validators.ts';

/**
 * Returns everything generated from the schemas, a catalogue and the fixtures of a checkout.
 * @throws Error naming what to add if a rule has no fixtures or a table has no marks.
 */
export async function collect(root: string, rules: readonly Rule[]): Promise<readonly Artifact[]> {
  const examples = firstFixtures(root, rules);
  return [
    { path: SHAPES, text: validatorsModule(rules) },
    ...fileValidators(),
    { path: 'src/rules/rule-id.generated.ts', text: ruleIdsModule(rules) },
    { path: 'src/rules/homepage.generated.ts', text: homepageModule(manifestOf(root).homepage) },
    { path: 'src/rules/examples.generated.ts', text: examplesModule(examples) },
    ...exampleFiles(root),
    ...kustomize(kinds, manifestOf(root).version),
    chartObjects(root),
    ...chart(root, manifestOf(root).version),
    ...fallbackFiles(rules),
    fallbackDocument(root, rules),
    ...(await ruleDocs(root, rules, examples)),
    ...keyTables(root),
    ...editorSchemas(rules.map(({ id }) => id)),
    cliReference(await createProgram()),
    libraryReference(root),
  ];
}

/** The type of rule ids, written out: a derived type would bring the text of every rule into the published types. */
function ruleIdsModule(rules: readonly Rule[]): string {
  const ids = rules.map(({ id }) => `  | '${id}'`).join('\n');
  return (
    `// Generated from the catalogue by \`npm run generate\`. Do not edit.\n/** The id of a rule. */\nexport type ` +
    `RuleId =\n${ids};\n`
  );
}

/** A module, not a read of package.json: rules and engine run in a browser too. */
function homepageModule(homepage: string): string {
  const banner = '// Generated from package.json by `npm run generate`. Do not edit.';
  return `${banner}\n/** The address of the documentation site. */\nexport const HOMEPAGE = '${homepage}';\n`;
}

function manifestOf(root: string): { readonly version: string; readonly homepage: string } {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const artifacts = await collect(root, catalogue);
  const changes = writeArtifacts(root, artifacts);
  for (const { path, state } of changes) console.log(`${state === 'extra' ? 'removed' : 'wrote'} ${path}`);
  console.log(`${artifacts.length} generated files, ${changes.length} changed`);
}
