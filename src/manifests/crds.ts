/** CustomResourceDefinitions of the kinds that are ours. */
import type { KindSchema, Schema } from '../api/schema.ts';
import { type Presentation, presentations } from './presentation.ts';

/** The CustomResourceDefinition of one kind. */
export function definition(kind: KindSchema) {
  const { dialect } = kind;
  const presentation = presentations[dialect.name];
  if (!presentation) throw new Error(`${dialect.kind} is ours: say in presentation.ts how kubectl shows it.`);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${dialect.plural}.${dialect.group}` },
    spec: {
      group: dialect.group,
      scope: dialect.scope,
      names: {
        kind: dialect.kind,
        listKind: `${dialect.kind}List`,
        plural: dialect.plural,
        singular: dialect.kind.toLowerCase(),
        shortNames: presentation.shortNames,
        categories: presentation.categories,
      },
      versions: [version(kind, presentation)],
    },
  };
}

function version({ version: name, schema }: KindSchema, { columns }: Presentation) {
  return {
    name,
    served: true,
    storage: true,
    ...(schema.properties?.['status'] ? { subresources: { status: {} } } : {}),
    additionalPrinterColumns: columns,
    schema: { openAPIV3Schema: root(schema) },
  };
}

function root({ properties, ...rest }: Schema) {
  return {
    ...rest,
    properties: {
      apiVersion: { type: 'string', description: 'Version of the schema of this object.' },
      kind: { type: 'string', description: 'Kind of this object.' },
      metadata: { type: 'object' },
      ...membersOf(properties),
    },
  };
}

/**
 * Takes `nullable` from whatever has an `enum`. The API server holds such a list closed even against `nullable` and
 * even where the list names null (tried on 1.36); without the word it drops the null, and that is what absent means.
 */
function publishable(schema: Schema): Schema {
  const { nullable, properties, items, ...rest } = schema;
  return {
    ...rest,
    ...(nullable && !schema.enum ? { nullable } : {}),
    ...(items ? { items: publishable(items) } : {}),
    ...(properties ? { properties: membersOf(properties) } : {}),
  };
}

function membersOf(properties: Schema['properties'] = {}): Readonly<Record<string, Schema>> {
  return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, publishable(member)]));
}
