/** ClusterClaim of Open Cluster Management: the same idea with a smaller value. Its CRD is not ours. */
import { claimShape } from './claim-shape.ts';
import { ocmClusterClaim } from './dialects.ts';
import type { KindSchema } from './kind.ts';

export const ocmClusterClaimV1alpha1: KindSchema = {
  dialect: ocmClusterClaim,
  version: 'v1alpha1',
  typeName: 'OcmClusterClaim',
  schema: claimShape('ClusterClaim', ocmClusterClaim.claim.valueLimit),
};
