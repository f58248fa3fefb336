/**
 * InventoryCluster, ours (KEP-4322). The bounds are far above any real use: they keep objects small.
 * No CEL: the API server would answer 422 to an UPDATE that changes the manager, on which `kubectl apply --force` and delivery
 * tools delete the object and create it anew. The webhook and the policies answer 403.
 */
import { clusterManager } from './cluster-manager.ts';
import { condition } from './condition.ts';
import { inventoryCluster } from './dialects.ts';
import type { KindSchema } from './kind.ts';
import { property } from './property.ts';
import type { Schema } from './schema.ts';
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
      // As upstream's: the managers of two properties don't overwrite each other under server-side apply.
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        ...property,
        required: ['name'],
        properties: {
          name: { type: 'string', description: property.properties.name.description, maxLength: 4096 },
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

export const inventoryClusterV1alpha1: KindSchema = {
  dialect: inventoryCluster,
  version: 'v1alpha1',
  typeName: 'InventoryCluster',
  schema: {
    type: 'object',
    description: 'An InventoryCluster stands for one cluster of a fleet, as one cluster manager sees it.',
    properties: { spec, status },
  },
};
