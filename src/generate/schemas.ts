/**
 * The JSON Schemas of configurations and of suites, for editors. The site serves them at their `$id`; the package has
 * them too.
 */
import { dialects } from '../api/dialects.ts';
import { KIND as SUITE, suiteSchema } from '../cli/test/schema.ts';
import { API_VERSION, KIND as CONFIGURATION, configurationSchema, ruleId } from '../config/schema.ts';
import { pageUrl } from '../rules/documentation.ts';
import { publishedSchema, type Schema } from '../schema/schema.ts';
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
  const published = publishedSchema(kind, withNames(schema, ruleIds) as Schema);
  return { path: `docs/public/${path}`, text: textOf({ $id: pageUrl(path), ...published }) };
}

function textOf(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** Lists the known rules, API groups and kinds where the schema only says that a text is one. */
function withNames(node: unknown, ruleIds: readonly string[]): unknown {
  if (node === ruleId) return { ...ruleId, enum: ruleIds };
  if (node === exception.apiGroup)
    return { ...exception.apiGroup, enum: [...new Set(dialects.map(({ group }) => group))] };
  if (node === exception.kind) return { ...exception.kind, enum: [...new Set(dialects.map(({ kind }) => kind))] };
  if (Array.isArray(node)) return node.map((item) => withNames(item, ruleIds));
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withNames(value, ruleIds)]));
  return node === configurationSchema.properties.rules ? { ...copy, propertyNames: { enum: ruleIds } } : copy;
}

const exception = configurationSchema.properties.exceptions.items.properties;
