/**
 * A hub's objects as they are stored: four kinds, some 1.5 KiB each with what an API server adds, and one in fifty that a rule
 * has something to say about. The same at every run.
 */

export interface StoredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [member: string]: unknown };
  readonly [member: string]: unknown;
}

export interface Kind {
  readonly group: string;
  readonly plural: string;
  /** Of the version that is stored. */
  readonly version: string;
  /** In how many of a hundred objects. */
  readonly share: number;
  readonly object: (index: number) => StoredObject;
}

/** One in so many breaks a rule. */
export const BAD_EVERY = 50;

const isBad = (index: number) => index % BAD_EVERY === 0;
const TIME = '2026-01-01T00:00:00Z';
const MANAGER = { 'x-k8s.io/cluster-manager': 'depot' };

export const KINDS: readonly Kind[] = [
  { group: 'multicluster.x-k8s.io', plural: 'inventoryclusters', version: 'v1alpha1', share: 40, object: cluster },
  { group: 'multicluster.x-k8s.io', plural: 'clusterprofiles', version: 'v1alpha2', share: 25, object: profile },
  { group: 'about.k8s.io', plural: 'clusterproperties', version: 'v1beta1', share: 20, object: property },
  { group: 'features.x-k8s.io', plural: 'features', version: 'v1alpha1', share: 15, object: feature },
];

function cluster(index: number): StoredObject {
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'InventoryCluster',
    metadata: metadata(index, 'cluster', { labels: isBad(index) ? {} : MANAGER }),
    spec: { displayName: `cluster-${index}.fleet`, clusterManager: { name: 'depot' } },
    status: { version: { kubernetes: 'v1.36.3' }, properties: properties(index), conditions: conditions() },
  };
}

function profile(index: number): StoredObject {
  const labels = { ...MANAGER, 'multicluster.x-k8s.io/clusterset': `set-${index % 9}` };
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha2',
    kind: 'ClusterProfile',
    metadata: metadata(index, 'profile', { namespace: `fleet-${index % 20}`, labels: isBad(index) ? {} : labels }),
    spec: { displayName: `profile ${index}`, clusterManager: { name: 'depot' } },
    status: { version: { kubernetes: 'v1.36.3' }, properties: properties(index), conditions: conditions() },
  };
}

function property(index: number): StoredObject {
  const name = `p${index}.${isBad(index) ? 'k8s.io' : 'example.com'}`;
  return {
    apiVersion: 'about.k8s.io/v1beta1',
    kind: 'ClusterProperty',
    metadata: { ...metadata(index, 'property', {}), name },
    spec: { value: `value ${index}` },
  };
}

function feature(index: number): StoredObject {
  const name = `feature-${index}`;
  return {
    apiVersion: 'features.x-k8s.io/v1alpha1',
    kind: 'Feature',
    metadata: metadata(index, 'feature', { namespace: `apps-${index % 20}` }),
    spec: {},
    status: {
      class: `apps-${index % 20}`,
      name: isBad(index) ? 'another' : name,
      default: 'Disabled',
      source: 'CommandLine',
      version: `1.${index % 9}.0`,
    },
  };
}

function properties(index: number) {
  return [
    { name: 'clusterset.k8s.io', value: `set-${index % 9}` },
    { name: 'cluster.clusterset.k8s.io', value: `cluster-${index}` },
    { name: 'location.example.com', value: `region-${index % 7}` },
  ];
}

function conditions() {
  const one = { status: 'True', reason: 'AsExpected', message: 'as it should be', lastTransitionTime: TIME };
  return [
    { ...one, type: 'ControlPlaneHealthy' },
    { ...one, type: 'Joined' },
  ];
}

/** With what an API server and two writers leave behind. */
function metadata(index: number, name: string, more: { namespace?: string; labels?: object }) {
  const entry = (manager: string, subresource: object) => ({
    manager,
    operation: 'Update',
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    time: TIME,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:x-k8s.io/cluster-manager': {} } }, 'f:spec': { '.': {} } },
    ...subresource,
  });
  return {
    name: `${name}-${index}`,
    ...more,
    uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    generation: 1,
    creationTimestamp: TIME,
    managedFields: [entry('depot', {}), entry('agent', { subresource: 'status' })],
  };
}
