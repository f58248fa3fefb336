/** A name and a value that describe a cluster (KEP-4322, "Properties"). */
import type { Schema } from './schema.ts';

export const property = {
  type: 'object',
  description: 'One property of the cluster.',
  properties: {
    name: {
      type: 'string',
      description: 'Name of the property: that of a ClusterProperty, or one of the cluster manager.',
      nullable: true,
    },
    value: { type: 'string', description: 'The value; its meaning depends on the name.', nullable: true },
  },
} as const satisfies Schema;
