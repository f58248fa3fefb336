/** The tables of keys in the documentation of configurations and suites, from their schemas. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectSchema, suiteSchema, testSchema } from '../../src/cli/suites/suite-schema.ts';
import { configurationSchema, principalSchema } from '../../src/config/schema.ts';
import type { Schema } from '../../src/schema/schema.ts';
import type { Artifact } from './artifact.ts';

const PAGES = ['docs/configuration.md', 'docs/testing.md'];
const TABLE = /(<!-- Keys of ([a-z]+), generated from the schema\. -->\n).*?(<!-- End of keys\. -->)/gs;

const { apiVersion, kind, mode, ...sections } = configurationSchema.properties;
const TABLES: Readonly<Record<string, readonly string[]>> = {
  document: rows({ properties: { apiVersion, kind, mode }, required: ['apiVersion', 'kind'] }),
  principal: rows(principalSchema, 'principal'),
  ...Object.fromEntries(
    Object.entries(sections).map(([key, schema]) => [key, rows({ properties: { [key]: schema } })]),
  ),
  // Only the keys of the map itself.
  suite: keys(suiteSchema).flatMap(({ row }) => row),
  test: keys(testSchema).flatMap(({ row }) => row),
  expect: keys(expectSchema).flatMap(({ row }) => row),
};

/** Returns the pages with their tables. @throws Error for a table of unknown keys */
export function keyTables(root: string): readonly Artifact[] {
  return PAGES.map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text: text.replace(TABLE, (_, begin, name, end) => `${begin}\n${tableOf(name)}\n${end}`) };
  });
}

function tableOf(name: string): string {
  const lines = TABLES[name];
  if (!lines) throw new Error(`no keys of "${name}": name one of ${Object.keys(TABLES).join(', ')}`);
  return ['| key | meaning |', '|---|---|', ...lines, ''].join('\n');
}

function keys({ properties = {}, required = [] }: Schema, path = '') {
  return Object.entries(properties).map(([key, member]) => {
    const here = path === '' ? key : `${path}.${key}`;
    const isRequired = required.includes(key) ? 'Required. ' : '';
    const value = member.default === undefined ? '' : ` Default: \`${member.default}\`.`;
    return { here, member, row: `| \`${here}\` | ${isRequired}${member.description ?? ''}${value} |` };
  });
}

/** Returns rows for the keys of a schema and of the schemas in it. Principals have a table of their own. */
function rows(schema: Schema, path = ''): readonly string[] {
  const { additionalProperties, items, anyOf = [] } = schema;
  const own = keys(schema, path).flatMap(({ here, member, row }) => [row, ...below(member, here)]);
  const values = additionalProperties ? below(additionalProperties, `${path}.*`) : [];
  return [...own, ...values, ...(items ? below(items, `${path}[]`) : []), ...anyOf.flatMap((one) => below(one, path))];
}

function below(schema: Schema, path: string): readonly string[] {
  return schema.maxProperties === 1 ? [] : rows(schema, path);
}
