/**
 * The mixture: writes of claims, inventory and features; created, updated and deleted; allowed, warned about and
 * denied. In the order in which each connection sends them, each beginning somewhere else.
 */
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
  JANE,
  MEMBERSHIP,
  SERVER,
} from './objects.ts';
import type { Fields, Scenario } from './review.ts';

const TASKS = ['MigrateStorage', 'RestartNodes', 'WaitForUses'];
const PAST = '2026-03-02T10:00:00Z';
const off = { state: 'Off', transitionTasks: [] };
const turningOn = (transitionTasks = TASKS, more: Fields = {}) => ({ state: 'TurningOn', transitionTasks, ...more });
const on = (more: Fields = {}) => ({ state: 'On', transitionTasks: [], ...more });
const use = (version: string) => ({ version, enabled: 'Enabled', reportTime: '2026-03-02T09:30:00Z' });
const uses = (...versions: string[]) => ({ state: 'On', uses: versions.map(use) });
const ofServer = 'kube-system';
const ofClient = 'apps';
const degraded = health({
  conditions: [
    condition('ControlPlaneHealthy', 'Unknown', { lastTransitionTime: '2026-06-01T11:59:00Z' }),
    condition('Joined', 'True'),
  ],
});

type Expected = 'allowed' | 'denied';

function expecting(expected: Expected) {
  return { allowed: expected === 'allowed' };
}
function create(name: string, user: string, object: Fields, expected: Expected): Scenario {
  return { name, operation: 'CREATE', object, user, ...expecting(expected) };
}
function update(name: string, user: string, oldObject: Fields, object: Fields, expected: Expected): Scenario {
  return { name, operation: 'UPDATE', oldObject, object, user, ...expecting(expected) };
}
function status(name: string, user: string, oldObject: Fields, object: Fields, expected: Expected): Scenario {
  return { ...update(name, user, oldObject, object, expected), subresource: 'status' };
}
function remove(name: string, user: string, oldObject: Fields, expected: Expected): Scenario {
  return { name, operation: 'DELETE', oldObject, user, ...expecting(expected) };
}
function step(name: string, user: string, namespace: string, from: Fields, to: Fields, expected: Expected): Scenario {
  return status(name, user, feature(namespace, from), feature(namespace, to), expected);
}

const region = (value: string) => clusterClaim('region.harbour.example', value);
const zone = (value: string) => clusterProperty('zone.harbour.example', value);
const memberOf = (set: string) => clusterProperty('clusterset.k8s.io', set);
const cluster = inventoryCluster(health());
const profile = clusterProfile(health());

export const scenarios: readonly Scenario[] = [
  create('a custom claim is made', JANE, region('north-sea'), 'allowed'),
  create('a reserved name', JANE, clusterClaim('region.k8s.io', 'north-sea'), 'denied'),
  update('a claim gets another value', JANE, region('north-sea'), region('baltic'), 'allowed'),
  create('an id that is none', JANE, clusterProperty('cluster.clusterset.k8s.io', 'Berth_7'), 'denied'),
  update('the membership moves to another set', MEMBERSHIP, memberOf('harbour'), memberOf('canal'), 'denied'),
  remove('the id goes, outside of a set', JANE, clusterClaim('id.k8s.io', 'berth-7'), 'allowed'),
  update('a property gets another value', JANE, zone('a'), zone('b'), 'allowed'),

  create('a cluster is registered', DEPOT, inventoryCluster(undefined), 'allowed'),
  create(
    'a cluster without its label',
    DEPOT,
    inventoryCluster(undefined, { labels: { region: 'north-sea' } }),
    'denied',
  ),
  status('a health report', DEPOT, cluster, inventoryCluster(degraded), 'allowed'),
  status(
    'a condition without a reason',
    DEPOT,
    cluster,
    inventoryCluster(health({ conditions: [condition('Joined', 'True', { reason: '' })] })),
    'denied',
  ),
  status('a health report of a profile', DEPOT, clusterProfile(health({ properties: [] })), profile, 'allowed'),
  status(
    'a version that reads as none',
    DEPOT,
    profile,
    clusterProfile(health({ version: { kubernetes: 'latest' } })),
    'allowed',
  ),
  update('a profile changes its manager', DEPOT, profile, clusterProfile(health(), 'wharf'), 'denied'),
  remove('a profile goes', DEPOT, profile, 'allowed'),

  step('a feature begins to turn on', SERVER, ofServer, off, turningOn(), 'allowed'),
  step('a task is done', SERVER, ofServer, turningOn(), turningOn(TASKS.slice(1)), 'allowed'),
  step('a state is left out', CLIENT, ofClient, off, on(), 'denied'),
  step('a task is skipped', CLIENT, ofClient, turningOn(), turningOn(TASKS.slice(2)), 'denied'),
  step(
    'a transition completes, and nobody waited for uses',
    SERVER,
    ofServer,
    turningOn(['WaitForUses']),
    on(),
    'allowed',
  ),
  step(
    'a transition completes when its time has come',
    CLIENT,
    ofClient,
    turningOn(['WaitForUses'], { useEvaluationTime: PAST }),
    on({ uses: [use('1.36.3')] }),
    'allowed',
  ),
  step('a client reports its use', CLIENT, ofServer, uses('1.36.2'), uses('1.36.2', '1.36.3'), 'allowed'),
  step('a stranger changes the state', CLIENT, ofServer, off, turningOn(), 'denied'),
  create('a feature is announced', JANE, feature('apps', undefined), 'allowed'),
  remove('a feature goes', JANE, feature('apps', off), 'allowed'),
];
