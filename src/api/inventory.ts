/**
 * InventoryCluster, ours (KEP-4322). The bounds are far above any real use: they keep objects small. It has no CEL: on
 * an UPDATE that changes the manager, the API server would answer 422, and then `kubectl apply --force` and delivery
 * tools delete the object and create it again. The webhook and the policies answer 403.
 */
import { inventoryCluster } from './dialects.ts';
import { type FieldSchema, type KindSchema, optionalText } from './schema.ts';

// Each run of one class of characters ends where the next class begins: one way to match, so the time is linear.
const LABEL = '[a-z0-9]+(-+[a-z0-9]+)*';
const QUALIFIED_NAME = `^(${LABEL}(\\.${LABEL})*/)?[A-Za-z0-9]+([-._]+[A-Za-z0-9]+)*$`;

/** metav1.Condition, as apimachinery's markers bound it. KEP-4322: "conforming to metav1.Condition format". */
export const condition = {
  type: 'object',
  description: 'One aspect of the current state.',
  required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
  properties: {
    type: {
      type: 'string',
      description: 'Which condition this is, in CamelCase or as domain.example.com/CamelCase.',
      maxLength: 316,
      pattern: QUALIFIED_NAME,
    },
    status: {
      type: 'string',
      description: 'Whether the condition holds. Text: in YAML quote "True" and "False".',
      enum: ['True', 'False', 'Unknown'],
    },
    observedGeneration: {
      type: 'integer',
      description: 'The metadata.generation that the condition was set upon.',
      format: 'int64',
      minimum: 0,
      nullable: true,
    },
    lastTransitionTime: {
      type: 'string',
      description: 'When the status last changed from one value to another.',
      format: 'date-time',
    },
    reason: {
      type: 'string',
      description: 'Why the status last changed, as one CamelCase word for programs.',
      minLength: 1,
      maxLength: 1024,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    },
    message: {
      type: 'string',
      description: 'Details of the last change for people; may be empty.',
      maxLength: 32_768,
    },
  },
} as const satisfies FieldSchema;

const spec = {
  type: 'object',
  description: 'The cluster, as its manager and its consumers describe it.',
  nullable: true,
  properties: {
    displayName: optionalText('Name of the cluster for people; its consumers may set it.', { maxLength: 4096 }),
    clusterManager: {
      type: 'object',
      description: 'The cluster manager that created this object; it never changes.',
      nullable: true,
      properties: {
        name: optionalText(
          'Name of the cluster manager: a label value, the same as in the label x-k8s.io/cluster-manager.',
          { maxLength: 4096 },
        ),
      },
    },
  },
} as const satisfies FieldSchema;

const status = {
  type: 'object',
  description: 'The state of the cluster, as the cluster manager reports it.',
  nullable: true,
  properties: {
    version: {
      type: 'object',
      description: 'Versions of the cluster.',
      nullable: true,
      properties: {
        kubernetes: optionalText('Version of Kubernetes, such as 1.30.2.', { maxLength: 4096 }),
      },
    },
    properties: {
      type: 'array',
      description: 'Properties of the cluster.',
      nullable: true,
      maxItems: 4096,
      // As upstream: the managers of two properties don't overwrite each other under server-side apply.
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        description: 'One property of the cluster.',
        required: ['name'],
        properties: {
          name: {
            type: 'string',
            description: 'Name of the property: that of a ClusterProperty, or one of the cluster manager.',
            maxLength: 4096,
          },
          value: optionalText('The value; its meaning depends on the name.', { maxLength: 128_000 }),
        },
      },
    },
    conditions: {
      type: 'array',
      description: 'Health of the cluster. Predefined types: ControlPlaneHealthy and Joined.',
      nullable: true,
      maxItems: 1024,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: condition,
    },
  },
} as const satisfies FieldSchema;

export const inventoryClusterV1alpha1: KindSchema = {
  dialect: inventoryCluster,
  version: 'v1alpha1',
  schema: {
    type: 'object',
    description: 'An InventoryCluster represents one cluster of a fleet, as one cluster manager sees it.',
    properties: { spec, status },
  },
};
