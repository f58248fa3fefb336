/** Objects of the guarded kinds, each as sound as a real one. A scenario shows only its difference. */
import type { Fields } from './review.ts';

export const JANE = 'jane';
export const DEPOT = 'system:serviceaccount:fleet:depot';
export const MEMBERSHIP = 'system:serviceaccount:fleet:mcs-controller';
export const SERVER = 'system:serviceaccount:kube-system:feature-manager';
export const CLIENT = 'system:serviceaccount:apps:shop';

const CREATED = '2026-03-02T09:14:07Z';

function metadata(name: string, namespace: string | undefined, over: Fields, manager: string): Fields {
  return {
    name,
    ...(namespace && { namespace }),
    uid: '0b5b6a9e-7b1c-4c1c-9a44-6f0f8c2f4d10',
    resourceVersion: '184467',
    generation: 3,
    creationTimestamp: CREATED,
    annotations: { 'example.com/owner': 'harbour' },
    ...over,
    managedFields: [
      {
        manager,
        operation: 'Update',
        apiVersion: 'v1',
        time: CREATED,
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:metadata': { 'f:annotations': { '.': {}, 'f:example.com/owner': {} } }, 'f:spec': { '.': {} } },
      },
    ],
  };
}

export function clusterClaim(name: string, value: string): Fields {
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterClaim',
    metadata: metadata(name, undefined, {}, 'kubectl'),
    spec: { value },
  };
}

export function clusterProperty(name: string, value: string): Fields {
  return {
    apiVersion: 'about.k8s.io/v1alpha1',
    kind: 'ClusterProperty',
    metadata: metadata(name, undefined, {}, 'kubectl'),
    spec: { value },
  };
}

const LABEL = 'x-k8s.io/cluster-manager';

/** `labels` replace its own; `manager` is what the spec says. */
export function inventoryCluster(status: Fields | undefined, over: { labels?: Fields; manager?: string } = {}): Fields {
  const { labels = { [LABEL]: 'depot', region: 'north-sea' }, manager = 'depot' } = over;
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'InventoryCluster',
    metadata: metadata('depot-x7k2p', undefined, { generateName: 'depot-', labels }, 'depot'),
    spec: { displayName: 'berth 7', clusterManager: { name: manager } },
    ...(status && { status }),
  };
}

export function clusterProfile(status: Fields | undefined, manager = 'depot'): Fields {
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: metadata(
      'depot-berth-9',
      'fleet',
      { labels: { [LABEL]: manager, 'multicluster.x-k8s.io/clusterset': 'harbour' } },
      'depot',
    ),
    spec: { displayName: 'berth 9', clusterManager: { name: manager } },
    ...(status && { status }),
  };
}

export function condition(type: string, status: string, over: Fields = {}): Fields {
  return {
    type,
    status,
    observedGeneration: 3,
    lastTransitionTime: CREATED,
    reason: 'ProbeSucceeded',
    message: 'answered within the bound',
    ...over,
  };
}

/** A status of an inventory object: two conditions, its version, its properties. */
export function health(over: Fields = {}): Fields {
  return {
    conditions: [condition('ControlPlaneHealthy', 'True'), condition('Joined', 'True')],
    version: { kubernetes: 'v1.36.3' },
    properties: [
      { name: 'clusterset.k8s.io', value: 'harbour' },
      { name: 'cluster.clusterset.k8s.io', value: 'berth-7' },
    ],
    ...over,
  };
}

export function feature(namespace: string, status: Fields | undefined, spec: Fields = {}): Fields {
  const whole = { class: namespace, name: 'lighter-loads', stability: 'Beta', version: '1.36.3', default: 'Enabled' };
  return {
    apiVersion: 'features.x-k8s.io/v1alpha1',
    kind: 'Feature',
    metadata: metadata('lighter-loads', namespace, {}, 'feature-manager'),
    spec,
    ...(status && { status: { ...whole, source: 'Default', ...status } }),
  };
}
