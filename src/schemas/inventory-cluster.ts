/**
 * InventoryCluster, ours (KEP-4322). The bounds are far above any real use: they keep objects and CEL costs small.
 * CEL cannot say that the label equals the manager's name: at the root of a CRD it sees no labels, only the name.
 */
import { clusterManager } from './cluster-manager.ts';
import { condition } from './condition.ts';
import { inventoryCluster } from './dialects.ts';
import type { KindSchema } from './kind.ts';
import { property } from './property.ts';
import type { Schema, Validation } from './schema.ts';
import { version } from './version.ts';

const spec = {
  type: 'object',
  description: 'What the cluster manager and the consumers say of the cluster.',
  nullable: true,
  properties: {
    displayName: {
      type: 'string',
      description: 'Name of the cluster for people; its consumers may set it.',
      maxLength: 4096,
      nullable: true,
    },
    clusterManager: {
      ...clusterManager,
      properties: { name: { ...clusterManager.properties.name, maxLength: 4096 } },
    },
  },
} as const satisfies Schema;

const status = {
  type: 'object',
  description: 'What the cluster manager reports of the cluster.',
  nullable: true,
  properties: {
    version: {
      ...version,
      properties: { kubernetes: { ...version.properties.kubernetes, maxLength: 4096 } },
    },
    properties: {
      type: 'array',
      description: 'Properties of the cluster.',
      nullable: true,
      maxItems: 4096,
      // Not a map: names that repeat are for the webhook to warn of, a map would refuse them.
      'x-kubernetes-list-type': 'atomic',
      items: {
        ...property,
        properties: {
          name: { ...property.properties.name, maxLength: 4096 },
          value: { ...property.properties.value, maxLength: 128_000 },
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
} as const satisfies Schema;

const hadManager = 'has(oldSelf.spec) && has(oldSelf.spec.clusterManager) && has(oldSelf.spec.clusterManager.name)';
const hasManager = 'has(self.spec) && has(self.spec.clusterManager) && has(self.spec.clusterManager.name)';

const validations: readonly Validation[] = [
  {
    rule: `!(${hadManager}) || (${hasManager} && self.spec.clusterManager.name == oldSelf.spec.clusterManager.name)`,
    message: 'the cluster manager never changes: create a new object for another manager',
    reason: 'FieldValueForbidden',
    fieldPath: '.spec.clusterManager',
  },
];

export const inventoryClusterV1alpha1: KindSchema = {
  dialect: inventoryCluster,
  version: 'v1alpha1',
  typeName: 'InventoryCluster',
  schema: {
    type: 'object',
    description: 'An InventoryCluster stands for one cluster of a fleet, as one cluster manager sees it.',
    properties: { spec, status },
    'x-kubernetes-validations': validations,
  },
};
