/**
 * Open Cluster Management: the hub keeps a ClusterProfile for each cluster, its placement controller decisions, an
 * add-on ClusterClaims of OCM's own API.
 * KubeFleet: its hub agent reconciles a ClusterProfile by CreateOrUpdate and Status().Update.
 */

import { MANAGER_LABEL } from '../../../../../src/api/labels.ts';
import type { Json } from '../../harness/index.ts';
import { condition, here, labelled, managed, ocmClaim, placementDecision, profile, value } from '../objects.ts';
import { away, awayWithManagers, restarting, type Scenario, up, upWithManagers } from '../scenario.ts';
import { before, during, fails, has, hasLabel, passes, refuses, store, writes } from '../steps.ts';

const MANAGER = 'open-cluster-management';

/** As the hub's lifecycle controller creates it. */
const labels = { ...labelled(MANAGER).labels, 'open-cluster-management.io/cluster-name': '{field}' };
const spec = { ...managed(MANAGER).spec, displayName: '{field}' };
const created = { ...profile('{field}', { spec }, { ...here, labels }), apiVersion: 'multicluster.x-k8s.io/v1alpha1' };

/** As the hub's status controller has it of the ManagedCluster. */
const status = {
  version: { kubernetes: 'v1.36.3' },
  properties: [
    { name: 'id.k8s.io', value: '0b4f7a2e-6b0c-4e59-8f63-1c7f0b7a9a11' },
    { name: 'product.open-cluster-management.io', value: 'Other' },
  ],
  conditions: [
    { ...condition, reason: 'ManagedClusterJoined', message: 'Managed cluster joined' },
    { ...condition, type: 'ControlPlaneHealthy', reason: 'ManagedClusterAvailable', message: 'It is available' },
  ],
};

const clusterSet = {
  metadata: { labels: { [MANAGER_LABEL]: MANAGER, 'multicluster.x-k8s.io/clusterset': 'default' } },
};
const hub = (write: string, change = {}) => writes('ocm', write, created, { change });
const reports = hub('patch-status', { status });
const labelsSet = hub('patch', clusterSet);

/** As the placement controller of the proposed change makes it of its own decision. */
const decision = { ...placementDecision('{field}', {}, here), schedulerName: MANAGER };
const entries = (reason: string, ...names: readonly string[]) =>
  names.map((name) => ({ clusterProfileRef: { name, namespace: '{field}' }, reason }));
const both = { decisions: entries('', '{field}', '{field}-2') };
const decides = (write: string, change: object) =>
  writes('ocmPlacement', write, { ...decision, ...both }, { change: change as Json });
const profiles = [created, profile('{field}-2', { spec }, { ...here, labels })];

const own = ocmClaim('{field}.open-cluster-management.io', 'one');
const claims = [own, { ...ocmClaim('platform.open-cluster-management.io', ''), spec: {} }];
const addOn = (write: string, objects: readonly object[] = [own], text = 'two') =>
  writes('ocmAddOn', write, objects, { change: value(text) });
const ownId = ocmClaim('id.k8s.io', 'a');

export const ocm: readonly Scenario[] = [
  up(
    'the hub: `create`, a merge patch of labels, a merge patch of `/status`',
    'passes, without a warning',
    ...[hub('create'), labelsSet, reports, hub('delete')].map((write) => passes(write, { warns: null })),
  ),
  up(
    'the placement controller: `create` of a decision, `update` with other reasons, without a cluster, and with it',
    'passes, without a warning',
    store(...profiles),
    ...[{}, { decisions: entries('score 90', '{field}') }, both].map((change, index) =>
      passes(decides(index === 0 ? 'create' : 'update', change), { warns: null }),
    ),
    has(decision, both),
  ),
  up(
    'the add-on: `create`, `update` and `delete` of claims of its own, one of them empty',
    'passes',
    ...['create', 'update', 'delete'].map((write) => passes(addOn(write, claims))),
  ),
  up(
    'the add-on: `create` of a claim with a reserved name, `zone.topology.kubernetes.io`',
    'passes with a warning; other claims APIs refuse it',
    passes(addOn('create', [ocmClaim('zone.topology.kubernetes.io', 'eu-1')]), { warns: 'claim/reserved-name' }),
  ),
  up(
    'any user: `update` of `id.k8s.io` while `clusterset.k8s.io` exists',
    'refused (403); the id stays',
    store(ownId, ocmClaim('clusterset.k8s.io', 'set')),
    refuses(addOn('update', [ownId]), 'claim/id-immutable-in-clusterset', { keeps: [ownId] }),
  ),
  upWithManagers(
    'the hub: the same writes where managers are configured and it is one; then the writes of another user',
    'passes; another user is refused (403), and only warned for a status',
    ...[hub('create'), labelsSet, reports].map((write) => passes(write)),
    refuses(writes('outsider', 'delete', created), 'inventory/sole-manager'),
    passes(writes('outsider', 'patch-status', created, { change: { status: { version: { kubernetes: 'v1.0.0' } } } }), {
      warns: 'inventory/sole-manager',
    }),
    passes(hub('delete')),
  ),
  restarting(
    'the placement controller: `update` of a decision that takes one cluster for another, again and again',
    'passes',
    store(...profiles, { ...decision, decisions: [] }),
    during(decides('update', { decisions: entries('score {round}', '{field}-{round}') })),
  ),
  restarting(
    'the add-on: `update` of a claim of its own, again and again',
    'passes',
    store(own),
    during(addOn('update', [own], 'value-{round}')),
  ),
  away(
    'the hub: `create`, merge patches of `/status` and of the ClusterSet label',
    'passes: neither a new cluster nor health reports wait for muster',
    ...[hub('create'), reports, labelsSet].map((write) => passes(write)),
  ),
  away(
    'the placement controller: `update` of a decision without a cluster, with other reasons, and with one more cluster',
    'passes, so that workloads leave a cluster that failed; one more is refused (500) until muster is back',
    before(store(...profiles, { ...decision, ...both })),
    passes(decides('update', { decisions: entries('', '{field}') })),
    passes(decides('update', { decisions: entries('score 90', '{field}') })),
    fails(decides('update', both)),
    has(decision, { decisions: entries('score 90', '{field}') }),
  ),
  away(
    'the add-on: `create`, `update` and `delete` of claims of its own, one of them empty, then `create` of `id.k8s.io`',
    'passes; the id is refused (500) until muster is back; the add-on tries again by itself',
    ...['create', 'update', 'delete'].map((write) => passes(addOn(write, claims))),
    fails(addOn('create', [ownId])),
  ),
];

const shell = { ...profile('{field}', {}, here), apiVersion: 'multicluster.x-k8s.io/v1alpha1' };
const foreign = profile('{field}', managed('another'), { ...here, ...labelled('another') });
const reconcile = (kubernetes = 'v1.36.3') => {
  const status = {
    version: { kubernetes },
    conditions: [{ ...condition, type: 'ControlPlaneHealthy', reason: 'MemberClusterAPIServerHealthy' }],
    accessProviders: [{ name: 'KubeFleet', cluster: { server: 'https://member-1.example.com:6443' } }],
  };
  return writes('kubefleet', 'kubefleet', shell, { change: { status } });
};

export const kubefleet: readonly Scenario[] = [
  up(
    '`CreateOrUpdate` in every round, `Status().Update` if it changes, `Delete` when the member leaves',
    'passes, without a warning; a round that changes nothing writes nothing',
    passes(reconcile(), { warns: null, steps: ['create-or-update: created', 'update-status'] }),
    passes(reconcile(), { warns: null, steps: ['create-or-update: unchanged'] }),
    hasLabel(shell, {}, 'KubeFleet'),
    passes(writes('kubefleet', 'delete', shell)),
  ),
  up(
    '`CreateOrUpdate` on a ClusterProfile that names another manager',
    'refused: it would change the manager (403; 422 by the CRD that KubeFleet installs); the object stays',
    store(foreign),
    refuses(reconcile(), 'inventory/cluster-manager-immutable', { keeps: [foreign] }),
  ),
  upWithManagers(
    'the same rounds where managers are configured and it is one',
    'passes, without a warning; another user may not create for `KubeFleet` (403)',
    refuses(
      writes('outsider', 'create', profile('{field}-other', managed('KubeFleet'), here)),
      'inventory/sole-manager',
    ),
    passes(reconcile(), { warns: null }),
    passes(writes('kubefleet', 'delete', shell)),
  ),
  upWithManagers(
    '`Delete` when a member leaves, of a ClusterProfile that names another manager, where managers are configured',
    'refused (403); the MemberCluster stays until that profile is gone',
    store(created),
    refuses(writes('kubefleet', 'delete', created), 'inventory/sole-manager', { keeps: [created] }),
  ),
  restarting('`CreateOrUpdate` and `Status().Update`, round after round', 'passes', during(reconcile('v1.36.{round}'))),
  away(
    '`CreateOrUpdate` of a new member and of one that changes nothing, and `Status().Update`',
    'passes',
    ...['v1.36.3', 'v1.36.4'].map((kubernetes) => passes(reconcile(kubernetes))),
    has(shell, { status: { version: { kubernetes: 'v1.36.4' } } }),
  ),
  awayWithManagers(
    '`Delete` when a member leaves, where managers are configured',
    'refused (500) until muster is back; the MemberCluster stays until then',
    before(passes(reconcile())),
    fails(writes('kubefleet', 'delete', shell), { keeps: [shell] }),
  ),
];
