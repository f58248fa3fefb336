/**
 * ClusterClaim, ours (KEP-2149, "ClusterClaim CRD"): a name and a value. No CEL: the API server would answer 422 to an UPDATE that breaks
 * the id's syntax or changes the membership, on which `kubectl apply --force` and delivery tools delete the claim and create it anew. The
 * webhook and the policies answer 403.
 */
import { clusterClaim } from './dialects.ts';
import type { KindSchema } from './schema.ts';

export const clusterClaimV1alpha1: KindSchema = {
  dialect: clusterClaim,
  version: 'v1alpha1',
  schema: {
    type: 'object',
    description: 'A ClusterClaim names one fact about the cluster it is stored in.',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        description: 'The fact.',
        required: ['value'],
        properties: {
          value: {
            type: 'string',
            description: 'The value; its meaning depends on the name.',
            maxLength: clusterClaim.claim.valueLimit,
          },
        },
      },
    },
  },
};
