/** Two inventories on a hub with the CRDs of cluster-inventory-api, clean as KEP-4322 has them; and what rules find. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newerProperty } from '../../support/objects.ts';
import {
  type ControlPlane,
  definitionsOf,
  type Guarded,
  type Json,
  register,
  startControlPlane,
  startGuarded,
  startMuster,
} from './harness/index.ts';
import { tokenOf } from './harness/users.ts';
import { rulesByObject, scanned } from './scan/objects.ts';
import { upstreamDefinitions } from './upstream/index.ts';

const MEMBER_ID = 'multicluster.x-k8s.io/inventory-member-id';
const MANAGER = 'open-cluster-management';
const INVENTORIES = ['team-a', 'team-b'] as const;

let guarded: Guarded;
let hub: ControlPlane;
let member: ControlPlane;

beforeAll(async () => {
  const upstream = upstreamDefinitions() as Json[];
  const names = new Set(upstream.map(({ metadata }) => metadata.name));
  const others = (definitionsOf('published') as Json[]).filter(({ metadata }) => !names.has(metadata.name));
  const namespaces = INVENTORIES.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  [guarded, member] = await Promise.all([
    startGuarded({ crds: 'none', objects: [...upstream, ...others, ...namespaces] }),
    startControlPlane(),
  ]);
  hub = guarded.controlPlane;
}, 180_000);
afterAll(() => Promise.all([guarded?.stop(), member?.stop()]));

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
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: { namespace, name, labels },
    spec: { displayName: name, clusterManager: { name: MANAGER } },
  };
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
      ...{ type: 'Joined', status: 'True', reason: 'ManagedClusterJoined', message: 'Managed cluster joined' },
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
  const object = { apiVersion: 'features.x-k8s.io/v1alpha1', kind: 'Feature', spec: {} };
  const whole = { ...object, metadata: { name, namespace: 'team-a' } };
  await hub.apply(whole);
  const { status: code } = await hub.api('admin').call('PATCH', `${await hub.pathOf(whole)}/status`, { status });
  expect(code).toBe(200);
}

const scanHub = () => scanned('--live', '--kubeconfig', hub.kubeconfig('admin'));

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
  const { code, report: found } = await scanHub();
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

  test('refuses it where the configuration denies', async () => {
    const strict = await startMuster({
      controlPlane: hub,
      config: { rules: { 'inventory/member-id-unique': 'deny' } },
    });
    try {
      await register(hub, strict);
      expect(await create({ ...first, name: 'twin-4' })).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining('[inventory/member-id-unique]') },
      });
      expect(await create({ ...first, name: 'single-1', memberId: 'single-1' })).toMatchObject(created);
    } finally {
      await register(hub, guarded.muster);
      await strict.stop();
    }
  });
});

test('a scan finds what no write shows', async () => {
  const [inA, inB] = INVENTORIES.map(
    (namespace) =>
      (name: string, memberId?: string): Profile => ({
        namespace,
        name,
        ...(memberId !== undefined && { memberId }),
      }),
  ) as [(name: string, id?: string) => Profile, (name: string, id?: string) => Profile];
  const same = identity('fleet', 'pier.example');
  for (const one of [inA('same-name', 'm-1'), inB('same-name', 'm-2'), inA('no-id')])
    expect(await create(one)).toMatchObject(created);
  for (const one of [inA('pier-1', 'p-1'), inB('pier-2', 'p-2')]) {
    expect(await create(one)).toMatchObject(created);
    expect(await report(one, same)).toMatchObject(changed);
  }
  await storeFeature('moving', { state: 'TurningOff', transitionTasks: ['WaitForUses'] });
  expect((await hub.api('admin').call('DELETE', await hub.pathOf(newerProperty('id.k8s.io', '')))).status).toBe(200);
  const { report: found } = await scanHub();
  const named = (namespace: string, name: string) => `multicluster.x-k8s.io ClusterProfile/${namespace}/${name}`;
  expect(rulesByObject(found)).toEqual({
    [named('team-a', 'same-name')]: ['inventory/unique-name'],
    [named('team-b', 'same-name')]: ['inventory/unique-name'],
    [named('team-a', 'no-id')]: ['inventory/member-id-present'],
    [named('team-a', 'pier-1')]: ['inventory/member-id-agrees'],
    [named('team-b', 'pier-2')]: ['inventory/member-id-agrees'],
    [named('team-a', 'twin-1')]: ['inventory/member-id-unique'],
    [named('team-a', 'twin-2')]: ['inventory/member-id-unique'],
    'features.x-k8s.io Feature/team-a/moving': ['feature/settled'],
    'about.k8s.io ClusterProperty/region.example.com': ['claim/id-present'],
  });
});

test('a scan of hub and member compares ids of all ClusterSets, and finds missing properties', async () => {
  await hub.apply(
    newerProperty('cluster.clusterset.k8s.io', 'shared.example'),
    newerProperty('clusterset.k8s.io', 'hubs'),
  );
  const own = [
    newerProperty('cluster.clusterset.k8s.io', 'shared.example'),
    newerProperty('clusterset.k8s.io', 'fleet'),
  ];
  await member.apply(
    ...own,
    newerProperty('region.example.com', 'south'),
    newerProperty('zone.example.com', 'south-1'),
  );
  const lacking = { namespace: 'team-a', name: 'shared', memberId: 'shared' };
  const complete = { ...lacking, namespace: 'team-b' };
  for (const one of [lacking, complete]) expect(await create(one)).toMatchObject(created);
  const carried = [...identity('fleet', 'shared.example'), { name: 'region.example.com', value: 'south' }];
  expect(await report(lacking, carried)).toMatchObject(changed);
  expect(await report(complete, [...carried, { name: 'zone.example.com', value: 'south-1' }])).toMatchObject(changed);
  const contexts = ['--context', 'hub', '--context', 'member'];
  const { report: found } = await scanned('--kubeconfig', bothClusters(), ...contexts);
  const withRule = (rule: string) =>
    found.results
      .filter(({ findings }) => findings.some(({ ruleId }) => ruleId === rule))
      .map(({ cluster, namespace, name }: Json) => [cluster, namespace, name].filter(Boolean).join('/'));
  expect(withRule('claim/id-unique-beyond-clusterset')).toEqual([
    'hub/cluster.clusterset.k8s.io',
    'member/cluster.clusterset.k8s.io',
  ]);
  expect(withRule('inventory/properties-included')).toEqual(['hub/team-a/shared']);
  expect(withRule('claim/id-present')).toEqual([]);
});

/** Returns a kubeconfig with a context for each API server. */
function bothClusters(): string {
  const planes = Object.entries({ hub, member });
  const clusters = planes.map(([name, { url, caFile }]) => ({
    name,
    cluster: { server: url, 'certificate-authority': caFile },
  }));
  const users = [{ name: 'admin', user: { token: tokenOf('admin') } }];
  const contexts = planes.map(([name]) => ({ name, context: { cluster: name, user: 'admin' } }));
  const file = join(hub.folder, 'both.kubeconfig');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'Config', clusters, users, contexts }));
  return file;
}
