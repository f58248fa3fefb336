/**
 * ClusterClaim, ours (KEP-2149). No CEL: the API server would answer 422 to an UPDATE that breaks the id's syntax or changes
 * the membership, on which `kubectl apply --force` and delivery tools delete the claim and create it anew. The webhook and the
 * policies answer 403.
 */
import { claimShape } from './claim-shape.ts';
import { clusterClaim } from './dialects.ts';
import type { KindSchema } from './kind.ts';

export const clusterClaimV1alpha1: KindSchema = {
  dialect: clusterClaim,
  version: 'v1alpha1',
  typeName: 'ClusterClaim',
  schema: claimShape('ClusterClaim', clusterClaim.claim.valueLimit),
};
