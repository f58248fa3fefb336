/** Valid objects that the tables of cases start from. */
import type { JsonObject } from '../../src/base/json.ts';
import { claim, property as newProperty, ocmClaim, olderProperty } from './objects.ts';

const claims = (
  make: typeof claim,
  idName = 'id.k8s.io',
): Readonly<Record<'id' | 'membership' | 'custom', JsonObject>> => ({
  id: make(idName, 'north-1'),
  membership: make('clusterset.k8s.io', 'blue-fleet'),
  custom: make('region.example.org', 'north'),
});

export const { id, membership, custom } = claims(claim);
export const ocm = claims(ocmClaim);
export const property = {
  ...claims(newProperty, 'cluster.clusterset.k8s.io'),
  olderId: olderProperty('id.k8s.io', 'north-1'),
};
/** ClusterProperty in an older version. */
export const alpha = claims(olderProperty, 'cluster.clusterset.k8s.io');

/** A ClusterProperty in its newest version. */
export const v1 = (object: JsonObject): JsonObject => ({ ...object, apiVersion: 'about.k8s.io/v1' });

/** An owner that does not exist. */
export const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: '0' };

/** What an object that is being deleted has, beside its base. */
export const DYING = {
  '/metadata/deletionTimestamp': '2026-06-01T11:59:00Z',
  '/metadata/finalizers': ['example.org/wait'],
};

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

export const placement: JsonObject = {
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'PlacementDecision',
  metadata: { name: 'crane-0', namespace: 'fleet-a' },
  schedulerName: 'harbourmaster',
  decisions: [{ clusterProfileRef: { name: 'harbour-7k2' }, reason: 'near' }],
};

export const serviceExport: JsonObject = {
  apiVersion: 'multicluster.x-k8s.io/v1beta1',
  kind: 'ServiceExport',
  metadata: { name: 'web', namespace: 'shop' },
};

export const serviceImport: JsonObject = {
  apiVersion: 'multicluster.x-k8s.io/v1beta1',
  kind: 'ServiceImport',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    type: 'ClusterSetIP',
    ips: ['10.42.0.7', 'fd00:42::7'],
    ipFamilies: ['IPv4', 'IPv6'],
    ports: [{ name: 'http', protocol: 'TCP', port: 80 }],
    sessionAffinity: 'None',
  },
};

/** The list of decisions with a reference to each of these, `NAME` or `NAMESPACE/NAME`. */
export function decisionsOf(...references: readonly string[]) {
  return references.map((reference) => {
    const [name = '', namespace] = reference.split('/').toReversed();
    return { clusterProfileRef: namespace === undefined ? { name } : { name, namespace } };
  });
}
