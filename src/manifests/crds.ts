/** The CustomResourceDefinitions of muster's kinds, and how kubectl shows them. */
import type { Dialect } from '../api/dialects.ts';
import type { FieldSchema, KindSchema } from '../api/schema.ts';
import { mapSchema, type SchemaNode } from '../schema/schema.ts';

/** Returns the CustomResourceDefinition of one kind. */
export function customResourceDefinition(kind: KindSchema) {
  const { dialect } = kind;
  const presentation = presentations[dialect.name];
  if (!presentation) throw new Error(`${dialect.kind} is ours: add its columns to presentations.`);
  const { columns, ...names } = presentation;
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
        ...names,
      },
      versions: [
        {
          name: kind.version,
          served: true,
          storage: true,
          ...(kind.schema.properties?.['status'] ? { subresources: { status: {} } } : {}),
          additionalPrinterColumns: columns,
          schema: {
            openAPIV3Schema: publishable({ ...kind.schema, properties: { ...COMMON, ...kind.schema.properties } }),
          },
        },
      ],
    },
  };
}

/** The fields that every object has. */
const COMMON = {
  apiVersion: { type: 'string', description: 'Version of the schema of this object.' },
  kind: { type: 'string', description: 'Kind of this object.' },
  metadata: { type: 'object' },
} as const;

/**
 * Removes `nullable` beside an `enum`. With it, the API server refuses null, even if the enum lists null (tried on
 * 1.36). Without it, the API server drops the null, so that the field is absent.
 */
function publishable(schema: FieldSchema): SchemaNode {
  return mapSchema(schema, ({ nullable, ...node }) => (nullable && !node['enum'] ? { ...node, nullable } : node));
}

const age = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

function text(name: string, jsonPath: string, wide?: 'wide') {
  return { name, type: 'string', jsonPath, ...(wide ? { priority: 1 } : {}) };
}

const presentations: Partial<
  Record<Dialect['name'], { shortNames: string[]; categories: string[]; columns: { name: string; jsonPath: string }[] }>
> = {
  'cluster-claim': {
    shortNames: ['cclaim'],
    categories: ['multicluster', 'muster'],
    columns: [text('Value', '.spec.value'), age],
  },
  'inventory-cluster': {
    shortNames: ['invc'],
    categories: ['multicluster', 'muster'],
    columns: [
      text('Manager', '.spec.clusterManager.name'),
      text('Joined', '.status.conditions[?(@.type=="Joined")].status'),
      text('Healthy', '.status.conditions[?(@.type=="ControlPlaneHealthy")].status'),
      text('Version', '.status.version.kubernetes'),
      text('Display name', '.spec.displayName', 'wide'),
      age,
    ],
  },
  feature: {
    shortNames: ['feat'],
    categories: ['muster'],
    columns: [
      text('State', '.status.state'),
      text('Default', '.status.default'),
      text('Desired', '.spec.desired'),
      text('Source', '.status.source'),
      text('Stability', '.status.stability', 'wide'),
      text('Version', '.status.version', 'wide'),
      age,
    ],
  },
};
