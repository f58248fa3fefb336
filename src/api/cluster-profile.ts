/** ClusterProfile, what KEP-4322 grew into. The CRD is not ours: this is what muster reads of it, without the bounds. */
import { clusterManager } from './cluster-manager.ts';
import { condition } from './condition.ts';
import { clusterProfile } from './dialects.ts';
import type { KindSchema } from './kind.ts';
import { property } from './property.ts';
import type { Schema } from './schema.ts';
import { version } from './version.ts';

const observedProperty = {
  ...property,
  properties: {
    ...property.properties,
    lastObservedTime: {
      type: 'string',
      description: 'When the property was last seen on the cluster.',
      format: 'date-time',
      nullable: true,
    },
  },
} as const satisfies Schema;

/** Ways to reach the cluster. muster judges none of them: the connection data is left out. */
const providers = {
  type: 'array',
  description: 'Ways to reach the cluster.',
  nullable: true,
  items: {
    type: 'object',
    description: 'One way to reach the cluster.',
    properties: { name: { type: 'string', description: 'Name of the provider.', nullable: true } },
  },
} as const satisfies Schema;

function schema(providersMember: 'credentialProviders' | 'accessProviders'): Schema {
  return {
    type: 'object',
    description: 'A ClusterProfile stands for one cluster of a fleet, as one cluster manager sees it.',
    properties: {
      spec: {
        type: 'object',
        description: 'What the cluster manager and the consumers say of the cluster.',
        nullable: true,
        properties: {
          displayName: { type: 'string', description: 'Name of the cluster for people.', nullable: true },
          clusterManager,
        },
      },
      status: {
        type: 'object',
        description: 'What the cluster manager reports of the cluster.',
        nullable: true,
        properties: {
          version,
          properties: {
            type: 'array',
            description: 'Properties of the cluster.',
            nullable: true,
            items: observedProperty,
          },
          conditions: { type: 'array', description: 'Health of the cluster.', nullable: true, items: condition },
          [providersMember]: providers,
        },
      },
    },
  };
}

export const clusterProfileV1alpha1: KindSchema = {
  dialect: clusterProfile,
  version: 'v1alpha1',
  typeName: 'ClusterProfileV1Alpha1',
  schema: schema('credentialProviders'),
};

export const clusterProfileV1alpha2: KindSchema = {
  dialect: clusterProfile,
  version: 'v1alpha2',
  typeName: 'ClusterProfileV1Alpha2',
  schema: schema('accessProviders'),
};
