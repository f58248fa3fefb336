/** ClusterProperty of about.k8s.io, what KEP-2149 grew into. All versions have one shape; the CRD is not ours. */
import { claimShape } from './claim-shape.ts';
import { clusterProperty } from './dialects.ts';
import type { KindSchema } from './kind.ts';

const schema = claimShape('ClusterProperty', clusterProperty.claim.valueLimit);

export const clusterPropertyV1alpha1: KindSchema = {
  dialect: clusterProperty,
  version: 'v1alpha1',
  typeName: 'ClusterPropertyV1Alpha1',
  schema,
};

export const clusterPropertyV1beta1: KindSchema = {
  dialect: clusterProperty,
  version: 'v1beta1',
  typeName: 'ClusterPropertyV1Beta1',
  schema,
};

export const clusterPropertyV1: KindSchema = {
  dialect: clusterProperty,
  version: 'v1',
  typeName: 'ClusterPropertyV1',
  schema,
};
