/**
 * The JSON Schemas of configurations and of suites, for editors. The site serves them at their `$id`; the package has
 * them too.
 */
import { dialects } from '../../src/api/dialects.ts';
import { KIND as SUITE, suiteSchema } from '../../src/cli/suites/suite-schema.ts';
import { API_VERSION, KIND as CONFIGURATION, configurationSchema, ruleId } from '../../src/config/schema.ts';
import { pageUrl } from '../../src/rules/documentation.ts';
import { mapSchema, publishedSchema, type Schema, type SchemaNode } from '../../src/schema/schema.ts';
import type { Artifact } from './artifact.ts';

/** Returns the schemas. An editor completes the ids of these rules. */
export function editorSchemas(ruleIds: readonly string[]): readonly Artifact[] {
  return [
    schemaFile('configuration', CONFIGURATION, configurationSchema, ruleIds),
    schemaFile('suite', SUITE, suiteSchema, ruleIds),
    // What `muster test --schema` prints.
    { path: 'examples/policy-repository/muster-test.schema.json', text: textOf(publishedSchema(SUITE, suiteSchema)) },
  ];
}

function schemaFile(name: string, kind: string, schema: Schema, ruleIds: readonly string[]): Artifact {
  const path = `schemas/${name}-${API_VERSION.split('/')[1]}.json`;
  const published = publishedSchema(kind, withNames(schema, ruleIds));
  return { path: `docs/public/${path}`, text: textOf({ $id: pageUrl(path), ...published }) };
}

function textOf(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/**
 * Lists the known rules, API groups and kinds where the schema only says that a text is one, and says which names a
 * manager and a scheduler can have.
 */
export function withNames(schema: Schema, ruleIds: readonly string[]): SchemaNode {
  const names = new Map<object, SchemaNode>([
    [ruleId, { enum: ruleIds }],
    [rules, { propertyNames: { enum: ruleIds } }],
    [inventory.properties.managers, { propertyNames: { pattern: '^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$' } }],
    [placements.properties.schedulers, { propertyNames: { pattern: '.' } }],
    [exception.apiGroup, { enum: [...new Set(dialects.map(({ group }) => group))] }],
    [exception.kind, { enum: [...new Set(dialects.map(({ kind }) => kind))] }],
  ]);
  return mapSchema(schema, (node, original) => ({ ...node, ...names.get(original) }));
}

const { rules, inventory, placements, exceptions } = configurationSchema.properties;
const exception = exceptions.items.properties;
