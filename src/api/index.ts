/** The kinds whose CustomResourceDefinitions are ours, in the order of the catalogue. */
import { clusterClaimV1alpha1 } from './claim.ts';
import { featureV1alpha1 } from './feature.ts';
import { inventoryClusterV1alpha1 } from './inventory.ts';
import type { KindSchema } from './schema.ts';

export const kinds: readonly KindSchema[] = [clusterClaimV1alpha1, inventoryClusterV1alpha1, featureV1alpha1];
