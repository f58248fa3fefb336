/**
 * ClusterClaim, ours (KEP-2149, "ClusterClaim CRD"): a name and a value. It has no CEL: on an UPDATE that violates a
 * CEL rule, the API server answers 422, and then `kubectl apply --force` and delivery tools delete the claim and create
 * it again. The webhook and the policies answer 403.
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
