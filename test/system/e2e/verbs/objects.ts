/** Objects of every guarded kind, each with only what a test needs. */
import type { Json } from '../harness/index.ts';

const of =
  (apiVersion: string, kind: string) =>
  (name: string, rest: Json, metadata: Json = {}) => ({
    apiVersion,
    kind,
    metadata: { name, ...metadata },
    ...rest,
  });
export const claim = of('multicluster.x-k8s.io/v1alpha1', 'ClusterClaim');
export const ocmClaim = of('cluster.open-cluster-management.io/v1alpha1', 'ClusterClaim');
export const property = of('about.k8s.io/v1beta1', 'ClusterProperty');
export const olderProperty = of('about.k8s.io/v1alpha1', 'ClusterProperty');
export const inventory = of('multicluster.x-k8s.io/v1alpha1', 'InventoryCluster');
export const profile = of('multicluster.x-k8s.io/v1alpha2', 'ClusterProfile');
export const feature = of('features.x-k8s.io/v1alpha1', 'Feature');

export const value = (text: string) => ({ spec: { value: text } });
export const managed = (name: string) => ({ spec: { clusterManager: { name } } });
export const labelled = (name: string) => ({ labels: { 'x-k8s.io/cluster-manager': name } });
export const here = { namespace: 'default' };

export const id = claim('id.k8s.io', value('a'));
export const membership = claim('clusterset.k8s.io', value('set'));
export const memberInventory = inventory('one', managed('m'), labelled('m'));
export const memberProfile = profile('one', managed('m'), { ...here, ...labelled('m') });
export const offFeature = feature('one', { status: { state: 'Off', source: 'Default', default: 'Enabled' } }, here);
export const condition = {
  type: 'Joined',
  status: 'True',
  reason: 'Joined',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
export const { reason: _, ...withoutReason } = condition;
