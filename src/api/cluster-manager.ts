/** Who manages a cluster of the inventory (KEP-4322, "Cluster Manager"). */
import type { Schema } from './schema.ts';

export const clusterManager = {
  type: 'object',
  description: 'The cluster manager that created this object; it never changes.',
  nullable: true,
  properties: {
    name: {
      type: 'string',
      description: 'Name of the cluster manager: a label value, the same as in the label x-k8s.io/cluster-manager.',
      nullable: true,
    },
  },
} as const satisfies Schema;
