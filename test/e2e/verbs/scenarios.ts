/** One write a rule refuses and a near one that it does not, for each concept and each kind of write. */
import type { Json } from '../harness/index.ts';

export interface Side {
  readonly user: string;
  /** What is stored before; the last object is the one written to. */
  readonly world: readonly Json[];
  /** CREATE: the object. UPDATE: what changes, as a merge patch. DELETE: nothing. */
  readonly write?: Json;
}

export interface Scenario {
  readonly rule: string;
  /** What the refusal tells the user to do. */
  readonly remedy: RegExp;
  readonly on: 'CREATE' | 'UPDATE' | 'STATUS' | 'DELETE';
  readonly allowed: Side;
  readonly forbidden: Side;
  /** To delete and create anew is the remedy the rule itself names: `replace --force` is no bypass of it. */
  readonly renews?: true;
  /** The rule speaks of certain names only. */
  readonly byName?: true;
}

export const configuration = {
  exemptions: { users: ['admin'] },
  rules: { 'inventory/sole-manager': 'deny' },
  inventory: { managers: { m: [{ user: 'jane' }] } },
  features: { serverFlow: [{ namespace: 'default', principals: [{ user: 'jane' }] }] },
};

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
export const inventory = of('multicluster.x-k8s.io/v1alpha1', 'InventoryCluster');
export const profile = of('multicluster.x-k8s.io/v1alpha2', 'ClusterProfile');
export const feature = of('features.x-k8s.io/v1alpha1', 'Feature');

export const value = (text: string) => ({ spec: { value: text } });
const managed = (name: string) => ({ spec: { clusterManager: { name } } });
const labelled = (name: string) => ({ labels: { 'x-k8s.io/cluster-manager': name } });
export const here = { namespace: 'default' };

export const id = claim('id.k8s.io', value('a'));
export const membership = claim('clusterset.k8s.io', value('set'));
export const memberInventory = inventory('one', managed('m'), labelled('m'));
const memberProfile = profile('one', managed('m'), { ...here, ...labelled('m') });
const offFeature = feature('one', { status: { state: 'Off', source: 'Default', default: 'Enabled' } }, here);
const condition = {
  type: 'Joined',
  status: 'True',
  reason: 'Joined',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const { reason: _, ...withoutReason } = condition;

export const scenarios: readonly Scenario[] = [
  {
    rule: 'claim/reserved-name',
    byName: true,
    remedy: /name/,
    on: 'CREATE',
    allowed: { user: 'jane', world: [], write: claim('mine.example.com', value('a')) },
    forbidden: { user: 'jane', world: [], write: claim('mine.k8s.io', value('a')) },
  },
  {
    rule: 'claim/id-syntax',
    byName: true,
    remedy: /must be/,
    on: 'CREATE',
    allowed: { user: 'jane', world: [], write: property('cluster.clusterset.k8s.io', value('a.b')) },
    forbidden: { user: 'jane', world: [], write: property('cluster.clusterset.k8s.io', value('A_B')) },
  },
  {
    rule: 'inventory/cluster-manager-label',
    remedy: /set the label/,
    on: 'CREATE',
    // Without the label: the mutating webhook adds it.
    allowed: { user: 'jane', world: [], write: inventory('one', managed('m')) },
    forbidden: { user: 'jane', world: [], write: inventory('one', managed('m'), labelled('other')) },
  },
  {
    rule: 'inventory/cluster-manager',
    remedy: /set it to the name/,
    on: 'CREATE',
    allowed: { user: 'jane', world: [], write: memberProfile },
    forbidden: { user: 'jane', world: [], write: profile('one', { spec: { displayName: 'x' } }, here) },
  },
  {
    rule: 'feature/server-flow',
    remedy: /leave it to the server flow/,
    on: 'CREATE',
    allowed: { user: 'jane', world: [], write: feature('one', {}, here) },
    forbidden: { user: 'bob', world: [], write: feature('one', {}, here) },
  },
  {
    rule: 'claim/id-immutable-in-clusterset',
    remedy: /leave/i,
    on: 'UPDATE',
    allowed: { user: 'jane', world: [id], write: value('b') },
    forbidden: { user: 'jane', world: [membership, id], write: value('b') },
  },
  {
    rule: 'claim/id-syntax',
    remedy: /must be/,
    on: 'UPDATE',
    allowed: { user: 'jane', world: [property('id.k8s.io', value('a'))], write: value('b') },
    forbidden: { user: 'jane', world: [property('id.k8s.io', value('a'))], write: value('A_B') },
  },
  {
    rule: 'inventory/cluster-manager-immutable',
    remedy: /keep it as stored/,
    on: 'UPDATE',
    renews: true,
    allowed: { user: 'jane', world: [memberInventory], write: { spec: { displayName: 'x' } } },
    forbidden: {
      user: 'jane',
      world: [memberInventory],
      write: { ...managed('n'), metadata: labelled('n') },
    },
  },
  {
    rule: 'inventory/cluster-manager-label',
    remedy: /set the label/,
    on: 'UPDATE',
    allowed: { user: 'jane', world: [memberProfile], write: { metadata: { labels: { fleet: 'x' } } } },
    forbidden: { user: 'jane', world: [memberProfile], write: { metadata: labelled('n') } },
  },
  {
    rule: 'feature/shape',
    remedy: /must be one of/,
    on: 'UPDATE',
    allowed: { user: 'jane', world: [offFeature], write: { spec: { desired: 'Enabled' } } },
    forbidden: { user: 'jane', world: [offFeature], write: { spec: { desired: 'Maybe' } } },
  },
  {
    rule: 'feature/transition',
    remedy: /TurningOn/,
    on: 'STATUS',
    allowed: {
      user: 'jane',
      world: [offFeature],
      write: { status: { state: 'TurningOn', transitionTasks: ['WaitForUses'] } },
    },
    forbidden: { user: 'jane', world: [offFeature], write: { status: { state: 'On' } } },
  },
  {
    rule: 'inventory/conditions',
    remedy: /metav1\.Condition has/,
    on: 'STATUS',
    allowed: { user: 'jane', world: [memberInventory], write: { status: { conditions: [condition] } } },
    forbidden: { user: 'jane', world: [memberInventory], write: { status: { conditions: [withoutReason] } } },
  },
  {
    rule: 'inventory/conditions',
    remedy: /"True", "False" or "Unknown"/,
    on: 'STATUS',
    allowed: { user: 'jane', world: [memberProfile], write: { status: { conditions: [condition] } } },
    forbidden: {
      user: 'jane',
      world: [memberProfile],
      write: { status: { conditions: [{ ...condition, status: true }] } },
    },
  },
  {
    rule: 'claim/id-present-in-clusterset',
    remedy: /leave/i,
    on: 'DELETE',
    allowed: { user: 'jane', world: [id] },
    // The membership is on its way out and still there: to delete both at once would be to leave first.
    forbidden: {
      user: 'jane',
      world: [claim('clusterset.k8s.io', value('set'), { finalizers: ['e2e.muster/hold'] }), id],
    },
  },
  {
    rule: 'inventory/sole-manager',
    remedy: /leave it to the manager/,
    on: 'DELETE',
    allowed: { user: 'jane', world: [memberInventory] },
    forbidden: { user: 'bob', world: [memberInventory] },
  },
  {
    rule: 'feature/server-flow',
    remedy: /leave it to the server flow/,
    on: 'DELETE',
    allowed: { user: 'jane', world: [offFeature] },
    forbidden: { user: 'bob', world: [offFeature] },
  },
];
