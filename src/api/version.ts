/** Versions of what runs in a cluster (KEP-4322, "Version"). */
import type { Schema } from './schema.ts';

export const version = {
  type: 'object',
  description: 'Versions of the cluster.',
  nullable: true,
  properties: {
    kubernetes: { type: 'string', description: 'Version of Kubernetes, such as 1.30.2.', nullable: true },
  },
} as const satisfies Schema;
