/** Valid objects that the tables of cases start from. */
import type { JsonObject } from '../../src/rules/rule.ts';

const claim = (apiVersion: string, kind: string, name: string, value: string): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name },
  spec: { value },
});

export const id = claim('multicluster.x-k8s.io/v1alpha1', 'ClusterClaim', 'id.k8s.io', 'north-1');
export const membership = claim('multicluster.x-k8s.io/v1alpha1', 'ClusterClaim', 'clusterset.k8s.io', 'blue-fleet');
export const custom = claim('multicluster.x-k8s.io/v1alpha1', 'ClusterClaim', 'region.example.org', 'north');
export const ocmId = claim('cluster.open-cluster-management.io/v1alpha1', 'ClusterClaim', 'id.k8s.io', 'north-1');
export const ocmMembership = claim(
  'cluster.open-cluster-management.io/v1alpha1',
  'ClusterClaim',
  'clusterset.k8s.io',
  'blue-fleet',
);
export const propertyId = claim('about.k8s.io/v1beta1', 'ClusterProperty', 'cluster.clusterset.k8s.io', 'north-1');
export const propertyOlderId = claim('about.k8s.io/v1alpha1', 'ClusterProperty', 'id.k8s.io', 'north-1');
export const ocmCustom = claim(
  'cluster.open-cluster-management.io/v1alpha1',
  'ClusterClaim',
  'region.example.org',
  'north',
);
export const propertyAlphaId = claim(
  'about.k8s.io/v1alpha1',
  'ClusterProperty',
  'cluster.clusterset.k8s.io',
  'north-1',
);
export const propertyAlphaMembership = claim(
  'about.k8s.io/v1alpha1',
  'ClusterProperty',
  'clusterset.k8s.io',
  'blue-fleet',
);
export const propertyCustom = claim('about.k8s.io/v1beta1', 'ClusterProperty', 'region.example.org', 'north');
export const propertyMembership = claim('about.k8s.io/v1beta1', 'ClusterProperty', 'clusterset.k8s.io', 'blue-fleet');

export const inventory: JsonObject = {
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'InventoryCluster',
  metadata: { name: 'harbour-7k2', labels: { 'x-k8s.io/cluster-manager': 'harbour' } },
  spec: { displayName: 'North', clusterManager: { name: 'harbour' } },
};

export const profile: JsonObject = {
  apiVersion: 'multicluster.x-k8s.io/v1alpha2',
  kind: 'ClusterProfile',
  metadata: { name: 'harbour-7k2', namespace: 'fleet-a', labels: { 'x-k8s.io/cluster-manager': 'harbour' } },
  spec: { displayName: 'North', clusterManager: { name: 'harbour' } },
};

export const profileAlpha: JsonObject = { ...profile, apiVersion: 'multicluster.x-k8s.io/v1alpha1' };

export const feature: JsonObject = {
  apiVersion: 'features.x-k8s.io/v1alpha1',
  kind: 'Feature',
  metadata: { name: 'fastlane', namespace: 'kube-system' },
  spec: {},
  status: {
    class: 'kube-system',
    name: 'FastLane',
    stability: 'Beta',
    version: '1.40.0',
    default: 'Disabled',
    source: 'CommandLine',
    state: 'Off',
    transitionTasks: [],
    uses: [],
  },
};
