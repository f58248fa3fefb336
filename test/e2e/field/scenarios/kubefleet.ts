/** KubeFleet: its hub agent reconciles a ClusterProfile by CreateOrUpdate and Status().Update. */
import { condition, here, labelled, managed, profile } from '../objects.ts';
import { away, restarting, type Scenario, up, upWithManagers } from '../scenario.ts';
import { before, during, has, hasLabel, passes, refuses, store, writes } from '../steps.ts';

const own = { ...profile('{field}', {}, here), apiVersion: 'multicluster.x-k8s.io/v1alpha1' };
const foreign = profile('{field}', managed('another'), { ...here, ...labelled('another') });
const reconcile = (kubernetes = 'v1.36.3') => {
  const status = {
    version: { kubernetes },
    conditions: [{ ...condition, type: 'ControlPlaneHealthy', reason: 'MemberClusterAPIServerHealthy' }],
    accessProviders: [{ name: 'KubeFleet', cluster: { server: 'https://member-1.example.com:6443' } }],
  };
  return writes('kubefleet', 'kubefleet', own, { change: { status } });
};

export const kubefleet: readonly Scenario[] = [
  up(
    '`CreateOrUpdate` and `Status().Update` in every round, `Delete` when the member leaves',
    'passes, without a warning; a round that changes nothing writes the status alone',
    ...['created', 'unchanged'].map((outcome) =>
      passes(reconcile(), { warns: null, steps: [`create-or-update: ${outcome}`, 'update-status'] }),
    ),
    hasLabel(own, {}, 'KubeFleet'),
    passes(writes('kubefleet', 'delete', own)),
  ),
  up(
    '`CreateOrUpdate` on a ClusterProfile that names another manager',
    'refused (403): its label would differ from `spec.clusterManager.name`; the object stays',
    store(foreign),
    refuses(reconcile(), 'inventory/cluster-manager-label', { keeps: [foreign] }),
  ),
  upWithManagers(
    'the same rounds where managers are configured and it is one',
    'passes, without a warning; another user is refused (403) to create for `KubeFleet`',
    refuses(
      writes('outsider', 'create', profile('{field}-other', managed('KubeFleet'), here)),
      'inventory/sole-manager',
    ),
    passes(reconcile(), { warns: null }),
    passes(writes('kubefleet', 'delete', own)),
  ),
  restarting('`CreateOrUpdate` and `Status().Update`, round after round', 'passes', during(reconcile('v1.36.{round}'))),
  away(
    '`CreateOrUpdate` that changes nothing, and `Status().Update`',
    'passes',
    before(passes(reconcile())),
    passes(reconcile('v1.36.4')),
    has(own, { status: { version: { kubernetes: 'v1.36.4' } } }),
  ),
];
