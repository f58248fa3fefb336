/** The mixture: claims, inventory and features; created, updated and deleted; allowed, warned about and denied. */
import {
  CLIENT,
  clusterClaim,
  clusterProfile,
  clusterProperty,
  condition,
  DEPOT,
  feature,
  health,
  inventoryCluster,
  MEMBERSHIP,
  SERVER,
} from './objects.ts';
import type { Fields, Scenario } from './review.ts';

const JANE = 'jane';
const status = { operation: 'UPDATE', subresource: 'status' } as const;
const TASKS = ['MigrateStorage', 'RestartNodes', 'WaitForUses'];
const PAST = '2026-03-02T10:00:00Z';

function use(version: string, enabled: string): Fields {
  return { version, enabled, reportTime: '2026-03-02T09:30:00Z' };
}

const claims: readonly Scenario[] = [
  {
    name: 'a custom claim is made',
    operation: 'CREATE',
    object: clusterClaim('region.harbour.example', 'north-sea'),
    user: JANE,
    allowed: true,
  },
  {
    name: 'a reserved name',
    operation: 'CREATE',
    object: clusterClaim('region.k8s.io', 'north-sea'),
    user: JANE,
    allowed: false,
  },
  {
    name: 'a claim gets another value',
    operation: 'UPDATE',
    oldObject: clusterClaim('region.harbour.example', 'north-sea'),
    object: clusterClaim('region.harbour.example', 'baltic'),
    user: JANE,
    allowed: true,
  },
  {
    name: 'an id that is none',
    operation: 'CREATE',
    object: clusterProperty('cluster.clusterset.k8s.io', 'Berth_7'),
    user: JANE,
    allowed: false,
  },
  {
    name: 'the membership moves to another set',
    operation: 'UPDATE',
    oldObject: clusterProperty('clusterset.k8s.io', 'harbour'),
    object: clusterProperty('clusterset.k8s.io', 'canal'),
    user: MEMBERSHIP,
    allowed: false,
  },
  {
    name: 'the id goes, outside of a set',
    operation: 'DELETE',
    oldObject: clusterClaim('id.k8s.io', 'berth-7'),
    user: JANE,
    allowed: true,
    warned: true,
  },
  {
    name: 'a property gets another value',
    operation: 'UPDATE',
    oldObject: clusterProperty('zone.harbour.example', 'a'),
    object: clusterProperty('zone.harbour.example', 'b'),
    user: JANE,
    allowed: true,
  },
];

const inventory: readonly Scenario[] = [
  {
    name: 'a cluster is registered',
    operation: 'CREATE',
    object: inventoryCluster(undefined),
    user: DEPOT,
    allowed: true,
  },
  {
    name: 'a cluster without its label',
    operation: 'CREATE',
    object: inventoryCluster(undefined, { labels: { region: 'north-sea' } }),
    user: DEPOT,
    allowed: false,
  },
  {
    name: 'a health report',
    ...status,
    oldObject: inventoryCluster(health()),
    object: inventoryCluster(
      health({ conditions: [condition('ControlPlaneHealthy', 'Unknown'), condition('Joined', 'True')] }),
    ),
    user: DEPOT,
    allowed: true,
  },
  {
    name: 'a condition without a reason',
    ...status,
    oldObject: inventoryCluster(health()),
    object: inventoryCluster(health({ conditions: [condition('Joined', 'True', { reason: '' })] })),
    user: DEPOT,
    allowed: false,
  },
  {
    name: 'a health report of a profile',
    ...status,
    oldObject: clusterProfile(health({ properties: [] })),
    object: clusterProfile(health()),
    user: DEPOT,
    allowed: true,
  },
  {
    name: 'a version that reads as none',
    ...status,
    oldObject: clusterProfile(health()),
    object: clusterProfile(health({ version: { kubernetes: 'latest' } })),
    user: DEPOT,
    allowed: true,
    warned: true,
  },
  {
    name: 'a profile changes its manager',
    operation: 'UPDATE',
    oldObject: clusterProfile(health()),
    object: clusterProfile(health(), 'wharf'),
    user: DEPOT,
    allowed: false,
  },
  { name: 'a profile goes', operation: 'DELETE', oldObject: clusterProfile(health()), user: DEPOT, allowed: true },
];

const features: readonly Scenario[] = [
  {
    name: 'a feature begins to turn on',
    ...status,
    oldObject: feature('kube-system', { state: 'Off', transitionTasks: [] }),
    object: feature('kube-system', { state: 'TurningOn', transitionTasks: TASKS }),
    user: SERVER,
    allowed: true,
  },
  {
    name: 'a task is done',
    ...status,
    oldObject: feature('kube-system', { state: 'TurningOn', transitionTasks: TASKS }),
    object: feature('kube-system', { state: 'TurningOn', transitionTasks: TASKS.slice(1) }),
    user: SERVER,
    allowed: true,
  },
  {
    name: 'a state is left out',
    ...status,
    oldObject: feature('apps', { state: 'Off', transitionTasks: [] }),
    object: feature('apps', { state: 'On', transitionTasks: [] }),
    user: CLIENT,
    allowed: false,
  },
  {
    name: 'a task is skipped',
    ...status,
    oldObject: feature('apps', { state: 'TurningOn', transitionTasks: TASKS }),
    object: feature('apps', { state: 'TurningOn', transitionTasks: TASKS.slice(2) }),
    user: CLIENT,
    allowed: false,
  },
  {
    name: 'a transition completes, and nobody waited for uses',
    ...status,
    oldObject: feature('kube-system', { state: 'TurningOn', transitionTasks: ['WaitForUses'] }),
    object: feature('kube-system', { state: 'On', transitionTasks: [] }),
    user: SERVER,
    allowed: true,
    warned: true,
  },
  {
    name: 'a transition completes when its time has come',
    ...status,
    oldObject: feature('apps', { state: 'TurningOn', transitionTasks: ['WaitForUses'], useEvaluationTime: PAST }),
    object: feature('apps', { state: 'On', transitionTasks: [], uses: [use('1.36.3', 'Enabled')] }),
    user: CLIENT,
    allowed: true,
  },
  {
    name: 'a client reports its use',
    ...status,
    oldObject: feature('kube-system', { state: 'On', uses: [use('1.36.2', 'Enabled')] }),
    object: feature('kube-system', { state: 'On', uses: [use('1.36.2', 'Enabled'), use('1.36.3', 'Enabled')] }),
    user: CLIENT,
    allowed: true,
  },
  {
    name: 'a stranger changes the state',
    ...status,
    oldObject: feature('kube-system', { state: 'Off', transitionTasks: [] }),
    object: feature('kube-system', { state: 'TurningOn', transitionTasks: TASKS }),
    user: CLIENT,
    allowed: false,
  },
  {
    name: 'a feature is announced',
    operation: 'CREATE',
    object: feature('apps', undefined),
    user: JANE,
    allowed: true,
  },
  {
    name: 'a feature goes',
    operation: 'DELETE',
    oldObject: feature('apps', { state: 'Off', transitionTasks: [] }),
    user: JANE,
    allowed: true,
  },
];

/** In the order in which each connection sends them, each beginning somewhere else. */
export const scenarios: readonly Scenario[] = [...claims, ...inventory, ...features];
