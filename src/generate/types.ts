/** TypeScript types of the kinds, made from their schemas. */
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import type { KindSchema } from '../api/kind.ts';
import type { Schema } from '../api/schema.ts';

const BANNER = `/** Generated from the schemas by \`npm run generate\`. Do not edit. */

/** What every object carries; the members muster reads. */
export interface ObjectMeta {
  name?: string | null;
  generateName?: string | null;
  namespace?: string | null;
  labels?: Record<string, string> | null;
  annotations?: Record<string, string> | null;
  finalizers?: string[] | null;
  deletionTimestamp?: string | null;
  resourceVersion?: string | null;
  uid?: string | null;
}
`;

/** The module of types, one interface for each kind and version. */
export async function typesModule(kinds: readonly KindSchema[]): Promise<string> {
  const interfaces: string[] = [];
  for (const kind of kinds) {
    const options = { bannerComment: '', additionalProperties: false, ignoreMinAndMaxItems: true };
    interfaces.push(await compile(wholeObject(kind), kind.typeName, options));
  }
  return `${BANNER}\n${interfaces.join('\n')}`;
}

function wholeObject({ dialect, version, schema }: KindSchema): JSONSchema {
  const body = plain(schema);
  return {
    ...body,
    required: ['apiVersion', 'kind', 'metadata', ...(schema.required ?? [])],
    properties: {
      apiVersion: { const: `${dialect.group}/${version}` },
      kind: { const: dialect.kind },
      metadata: { tsType: 'ObjectMeta' },
      ...body.properties,
    },
  };
}

/** JSON Schema proper: null is a type of its own, and bounds say nothing that a type could. */
function plain(schema: Schema): JSONSchema {
  const { nullable, properties, items, description, required, enum: values } = schema;
  const result: JSONSchema = { type: nullable ? [schema.type, 'null'] : schema.type };
  if (description !== undefined) result.description = description;
  if (required) result.required = [...required];
  if (values) result.enum = nullable ? [...values, null] : [...values];
  if (items) result.items = plain(items);
  if (properties) {
    result.properties = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, plain(member)]));
  }
  return result;
}
