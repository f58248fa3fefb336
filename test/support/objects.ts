/** Makes objects of the kinds that muster evaluates, each with only what a test needs. */

import { MANAGER_LABEL } from '../../src/api/labels.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';

/** Returns a maker of objects of a kind; `rest` is what they have beside their metadata. */
const of =
  (apiVersion: string, kind: string) =>
  <T extends object>(name: string, rest: T, metadata: JsonObject = {}) => ({
    apiVersion,
    kind,
    metadata: { name, ...metadata },
    ...rest,
  });

/** Returns a maker of claims. */
const valued = (apiVersion: string, kind: string) => {
  const make = of(apiVersion, kind);
  return (name: string, value: Json, metadata?: JsonObject) => make(name, { spec: { value } }, metadata);
};

export const claim = valued('multicluster.x-k8s.io/v1alpha1', 'ClusterClaim');
export const ocmClaim = valued('cluster.open-cluster-management.io/v1alpha1', 'ClusterClaim');
export const property = valued('about.k8s.io/v1beta1', 'ClusterProperty');
export const olderProperty = valued('about.k8s.io/v1alpha1', 'ClusterProperty');
export const newerProperty = valued('about.k8s.io/v1', 'ClusterProperty');
export const inventory = of('multicluster.x-k8s.io/v1alpha1', 'InventoryCluster');
export const profile = of('multicluster.x-k8s.io/v1alpha2', 'ClusterProfile');
export const olderProfile = of('multicluster.x-k8s.io/v1alpha1', 'ClusterProfile');
export const feature = of('features.x-k8s.io/v1alpha1', 'Feature');
export const placementDecision = of('multicluster.x-k8s.io/v1alpha1', 'PlacementDecision');
export const newNamespace = (name: string) => of('v1', 'Namespace')(name, {});

/** The id and the membership of a member of a ClusterSet. */
export const memberOf = (set: string, id: string, make = property) => [
  make('cluster.clusterset.k8s.io', id),
  make('clusterset.k8s.io', set),
];

/** What a manager's object has: in its spec, and as a label. */
export const managed = (name: string) => ({ spec: { clusterManager: { name } } });
export const labelled = (name: string) => ({ labels: { [MANAGER_LABEL]: name } });
