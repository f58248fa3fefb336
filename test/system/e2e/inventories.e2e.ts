/**
 * Two inventories on a hub with the CRDs of cluster-inventory-api, clean as KEP-4322 has them; and a member id taken.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { feature, newerProperty, newNamespace, olderProfile } from '../../support/objects.ts';
import { type ControlPlane, definitionsOf, type Guarded, type Json, startGuarded } from './harness/index.ts';
import { rulesByObject, scanned } from './scan/objects.ts';
import { upstreamDefinitions } from './upstream/index.ts';

const MEMBER_ID = 'multicluster.x-k8s.io/inventory-member-id';
const MANAGER = 'open-cluster-management';
const INVENTORIES = ['team-a', 'team-b'] as const;

let guarded: Guarded;
let hub: ControlPlane;

beforeAll(async () => {
  const upstream = upstreamDefinitions() as Json[];
  const names = new Set(upstream.map(({ metadata }) => metadata.name));
  const others = (definitionsOf('published') as Json[]).filter(({ metadata }) => !names.has(metadata.name));
  const namespaces = INVENTORIES.map(newNamespace);
  guarded = await startGuarded({ crds: 'none', objects: [...upstream, ...others, ...namespaces] });
  hub = guarded.controlPlane;
});
afterAll(() => guarded?.stop());

interface Profile {
  readonly namespace: string;
  readonly name: string;
  readonly memberId?: string;
}

/** A profile as the hub of Open Cluster Management creates it for a cluster of a bound ClusterSet. */
function profile({ namespace, name, memberId }: Profile) {
  const labels = {
    'x-k8s.io/cluster-manager': MANAGER,
    'open-cluster-management.io/cluster-name': name,
    ...(memberId !== undefined && { [MEMBER_ID]: memberId }),
  };
  return olderProfile(name, { spec: { displayName: name, clusterManager: { name: MANAGER } } }, { namespace, labels });
}

const identity = (set: string, id: string) => [
  { name: 'clusterset.k8s.io', value: set },
  { name: 'cluster.clusterset.k8s.io', value: id },
];

/** As its status controller reports a cluster. */
const statusOf = (properties: readonly object[]) => ({
  version: { kubernetes: 'v1.36.3' },
  properties,
  conditions: [
    {
      type: 'Joined',
      status: 'True',
      reason: 'ManagedClusterJoined',
      message: 'Managed cluster joined',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ],
});

const pathOf = (namespace: string) => `/apis/multicluster.x-k8s.io/v1alpha1/namespaces/${namespace}/clusterprofiles`;
const create = (of: Profile) => hub.api('jane').call('POST', pathOf(of.namespace), profile(of));
const patch = ({ namespace, name }: Profile, change: object) =>
  hub.api('jane').call('PATCH', `${pathOf(namespace)}/${name}`, change);
const report = ({ namespace, name }: Profile, properties: readonly object[]) =>
  hub.api('jane').call('PATCH', `${pathOf(namespace)}/${name}/status`, { status: statusOf(properties) });
const relabel = (memberId: string) => ({ metadata: { labels: { [MEMBER_ID]: memberId } } });

const created = { status: 201, warnings: [] };
const changed = { status: 200, warnings: [] };

async function storeFeature(name: string, status: object): Promise<void> {
  const whole = feature(name, { spec: {} }, { namespace: 'team-a' });
  await hub.apply(whole);
  const { status: code } = await hub.api('admin').call('PATCH', `${await hub.pathOf(whole)}/status`, { status });
  expect(code).toBe(200);
}

const CLUSTERS = ['harbor', 'estuary'].map((name) => ({ name, memberId: `member-${name}` }));

test('two inventories with the same clusters, names and ids: no warning, and no finding of a scan', async () => {
  for (const namespace of INVENTORIES) {
    for (const cluster of CLUSTERS) {
      const one = { namespace, ...cluster };
      expect(await create(one)).toMatchObject(created);
      const properties = [...identity('fleet', `${cluster.name}.example`), { name: 'product', value: 'Other' }];
      expect(await report(one, properties)).toMatchObject(changed);
    }
  }
  await hub.apply(newerProperty('id.k8s.io', 'hub-1'), newerProperty('region.example.com', 'north'));
  await storeFeature('calm', { state: 'On', transitionTasks: [] });
  const { code, report: found } = await scanned('--live', '--kubeconfig', hub.kubeconfig('admin'));
  expect(rulesByObject(found)).toEqual({});
  expect([code, found.results.length]).toEqual([0, 7]);
});

describe('inventory/member-id-unique at the webhook', () => {
  const first = { namespace: 'team-a', name: 'twin-1', memberId: 'twin' };
  const second = { ...first, name: 'twin-2' };
  const taken = expect.stringContaining('[inventory/member-id-unique]');
  const moved = expect.stringContaining('[inventory/member-id-stable]');

  test('warns of a second profile of the namespace, and of nothing else', async () => {
    expect(await create(first)).toMatchObject(created);
    expect(await create(second)).toMatchObject({ status: 201, warnings: [taken] });
    expect(await create({ ...first, namespace: 'team-b', name: 'twin-3' })).toMatchObject(created);
    // What is stored is left alone until the label changes.
    expect(await patch(second, { spec: { displayName: 'other' } })).toMatchObject(changed);
    expect(await patch(second, relabel('single'))).toMatchObject({ status: 200, warnings: [moved] });
    const { status, warnings } = await patch(second, relabel('twin'));
    expect([status, new Set(warnings)]).toEqual([200, new Set([taken, moved])]);
  });
});
