/** Every kind and version muster judges, in the order of the catalogue. */
import { clusterClaimV1alpha1 } from './cluster-claim.ts';
import { clusterProfileV1alpha1, clusterProfileV1alpha2 } from './cluster-profile.ts';
import { clusterPropertyV1, clusterPropertyV1alpha1, clusterPropertyV1beta1 } from './cluster-property.ts';
import { featureV1alpha1 } from './feature.ts';
import { inventoryClusterV1alpha1 } from './inventory-cluster.ts';
import type { KindSchema } from './kind.ts';
import { ocmClusterClaimV1alpha1 } from './ocm-cluster-claim.ts';

export const kinds: readonly KindSchema[] = [
  clusterClaimV1alpha1,
  ocmClusterClaimV1alpha1,
  clusterPropertyV1alpha1,
  clusterPropertyV1beta1,
  clusterPropertyV1,
  inventoryClusterV1alpha1,
  clusterProfileV1alpha1,
  clusterProfileV1alpha2,
  featureV1alpha1,
];
