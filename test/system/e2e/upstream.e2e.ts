/**
 * Writes on an API server with the CRDs as their projects publish them (upstream): two inventories on a hub, clean as
 * KEP-4322 has them; placement decisions, what is read for them and which writes are sent; and exports and imports of
 * services. What else the rules find: test/unit/rules, and match-conditions.e2e.ts for the writes of their examples.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { requiredEnforcement } from '../../../src/manifests/requirements.ts';
import { policyFrom } from '../../support/configuration.ts';
import {
  feature,
  labelled,
  managed,
  newerProperty,
  newNamespace,
  olderProfile,
  placementDecision,
} from '../../support/objects.ts';
import { type ControlPlane, definitionsOf, type Guarded, type Json, startGuarded, until } from './harness/index.ts';
import { rulesByObject, scanned } from './scan/objects.ts';
import { serviceDefinitions, upstreamDefinitions } from './upstream/index.ts';

const CONFIG = { services: { closedNamespaces: ['kube-system', 'default'] } };
const INVENTORIES = ['team-a', 'team-b'] as const;

let guarded: Guarded;
let controlPlane: ControlPlane;

beforeAll(async () => {
  const upstream = [...upstreamDefinitions(), ...serviceDefinitions()] as Json[];
  const names = new Set(upstream.map(({ metadata }) => metadata.name));
  const others = (definitionsOf('published') as Json[]).filter(({ metadata }) => !names.has(metadata.name));
  const namespaces = [...INVENTORIES, 'harbor', 'shop'].map(newNamespace);
  guarded = await startGuarded({
    crds: 'none',
    objects: [...upstream, ...others, ...namespaces],
    muster: { config: CONFIG },
    registration: { enforcement: requiredEnforcement(policyFrom(CONFIG)) },
  });
  controlPlane = guarded.controlPlane;
});
afterAll(() => guarded?.stop());

const api = (user = 'jane') => controlPlane.api(user);
const unmarked = (status: number) => ({ status, warnings: [] });

describe('two inventories on a hub', () => {
  const MEMBER_ID = 'multicluster.x-k8s.io/inventory-member-id';
  const MANAGER = 'open-cluster-management';

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
    return olderProfile(
      name,
      { spec: { displayName: name, clusterManager: { name: MANAGER } } },
      { namespace, labels },
    );
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
  const create = (of: Profile) => api().call('POST', pathOf(of.namespace), profile(of));
  const patch = ({ namespace, name }: Profile, change: object) =>
    api().call('PATCH', `${pathOf(namespace)}/${name}`, change);
  const report = ({ namespace, name }: Profile, properties: readonly object[]) =>
    api().call('PATCH', `${pathOf(namespace)}/${name}/status`, { status: statusOf(properties) });
  const relabel = (memberId: string) => ({ metadata: { labels: { [MEMBER_ID]: memberId } } });

  async function storeFeature(name: string, status: object): Promise<void> {
    const whole = feature(name, { spec: {} }, { namespace: 'team-a' });
    await controlPlane.apply(whole);
    const { status: code } = await api('admin').call('PATCH', `${await controlPlane.pathOf(whole)}/status`, { status });
    expect(code).toBe(200);
  }

  const CLUSTERS = ['harbor', 'estuary'].map((name) => ({ name, memberId: `member-${name}` }));

  test('two inventories with the same clusters, names and ids: no warning, and no finding of a scan', async () => {
    for (const namespace of INVENTORIES) {
      for (const cluster of CLUSTERS) {
        const one = { namespace, ...cluster };
        expect(await create(one)).toMatchObject(unmarked(201));
        const properties = [...identity('fleet', `${cluster.name}.example`), { name: 'product', value: 'Other' }];
        expect(await report(one, properties)).toMatchObject(unmarked(200));
      }
    }
    await controlPlane.apply(newerProperty('id.k8s.io', 'hub-1'), newerProperty('region.example.com', 'north'));
    await storeFeature('calm', { state: 'On', transitionTasks: [] });
    const { code, report: found } = await scanned('--live', '--kubeconfig', controlPlane.kubeconfig('admin'));
    expect(rulesByObject(found)).toEqual({});
    expect([code, found.results.length]).toEqual([0, 7]);
  });

  describe('inventory/member-id-unique at the webhook', () => {
    const first = { namespace: 'team-a', name: 'twin-1', memberId: 'twin' };
    const second = { ...first, name: 'twin-2' };
    const taken = expect.stringContaining('[inventory/member-id-unique]');
    const moved = expect.stringContaining('[inventory/member-id-stable]');

    test('warns of a second profile of the namespace, and of nothing else', async () => {
      expect(await create(first)).toMatchObject(unmarked(201));
      expect(await create(second)).toMatchObject({ status: 201, warnings: [taken] });
      expect(await create({ ...first, namespace: 'team-b', name: 'twin-3' })).toMatchObject(unmarked(201));
      // What is stored is left alone until the label changes.
      expect(await patch(second, { spec: { displayName: 'other' } })).toMatchObject(unmarked(200));
      expect(await patch(second, relabel('single'))).toMatchObject({ status: 200, warnings: [moved] });
      const { status, warnings } = await patch(second, relabel('twin'));
      expect([status, new Set(warnings)]).toEqual([200, new Set([taken, moved])]);
    });
  });
});

describe('placement decisions', () => {
  const GROUP = '/apis/multicluster.x-k8s.io/v1alpha1';
  const profileOf = (name: string, fleet: string) =>
    olderProfile(name, managed('tidewater'), { namespace: fleet, ...labelled('tidewater') });
  beforeAll(() => controlPlane.apply(profileOf('pier-1', 'harbor')));

  interface Decision {
    readonly name: string;
    readonly references?: readonly object[];
    readonly labels?: Readonly<Record<string, string>>;
  }

  function decision({ name, references = [], labels = {} }: Decision) {
    const decisions = references.map((clusterProfileRef) => ({ clusterProfileRef, reason: 'free berths' }));
    return placementDecision(name, { decisions }, { namespace: 'harbor', labels });
  }

  const collection = `${GROUP}/namespaces/harbor/placementdecisions`;
  const create = (of: Decision) => api().call('POST', collection, decision(of));
  const patch = (name: string, change: object) => api().call('PATCH', `${collection}/${name}`, change);

  describe('a profile exists', () => {
    test('one that does not is a warning, and an update reads only what is new', async () => {
      const { status, warnings } = await create({ name: 'gone', references: [{ name: 'pier-9' }] });
      expect([status, warnings]).toEqual([201, [expect.stringContaining('[placement/profile-exists]')]]);
      const { decisions } = decision({ name: 'gone', references: [{ name: 'pier-1' }, { name: 'pier-9' }] });
      expect(await patch('gone', { decisions })).toMatchObject(unmarked(200));
    });
  });

  test('an update of the label with the index is sent, though nothing else changes', async () => {
    const label = (value: string) => ({ 'multicluster.x-k8s.io/decision-index': value });
    expect(await create({ name: 'index', labels: label('0') })).toMatchObject(unmarked(201));
    const changed = await patch('index', { metadata: { labels: label('01') } });
    expect(changed).toMatchObject({ status: 200, warnings: [expect.stringContaining('[placement/index]')] });
  });

  test('a write is evaluated where the CRD has v1alpha2 alone', async () => {
    const definition: Json = upstreamDefinitions()[1];
    const [version] = definition.spec.versions;
    const definitionPath = await controlPlane.pathOf(definition);
    await api('admin').call('DELETE', definitionPath);
    await until('the CRD to be gone', async () => (await api('admin').call('GET', definitionPath)).status === 404);
    await controlPlane.apply({
      ...definition,
      spec: { ...definition.spec, versions: [{ ...version, name: 'v1alpha2' }] },
    });
    const written = decision({ name: 'twice', references: [{ name: 'pier-1' }, { name: 'pier-1' }] });
    const path = collection.replace('v1alpha1', 'v1alpha2');
    const create = () => api().call('POST', path, { ...written, apiVersion: 'multicluster.x-k8s.io/v1alpha2' });
    await until('v1alpha2 to be served', async () => (await create()).status !== 404);
    const message = expect.stringContaining('[placement/one-to-one]');
    expect(await create()).toMatchObject({ status: 403, body: { message } });
  });
});

describe('exports and imports of services', () => {
  const path = (plural: string, { version = 'v1beta1', namespace = 'shop', name = '' }) =>
    `/apis/multicluster.x-k8s.io/${version}/namespaces/${namespace}/${plural}${name && `/${name}`}`;

  function create(kind: string, name: string, { version = 'v1beta1', namespace = 'shop', ...parts }: Json) {
    const object = { apiVersion: `multicluster.x-k8s.io/${version}`, kind, metadata: { name }, ...parts };
    return api().call('POST', path(`${kind.toLowerCase()}s`, { version, namespace }), object);
  }
  const importAs = (name: string, spec: object, version: string) =>
    create('ServiceImport', name, { version, spec: { type: 'ClusterSetIP', ports: [{ port: 80 }], ...spec } });
  const patch = (name: string, change: object, subresource = '') =>
    api().call('PATCH', path('serviceimports', { name: name + subresource }), change);

  test.each(['v1alpha1', 'v1beta1'])('nothing is exported from a closed namespace (%s)', async (version) => {
    for (const namespace of ['kube-system', 'default'])
      expect(await create('ServiceExport', version, { version, namespace })).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining(`[export/namespace] metadata.namespace: nothing may be exported`) },
      });
    expect(await create('ServiceExport', version, { version })).toMatchObject(unmarked(201));
  });

  describe('what is wrong with an import warns', () => {
    test('addresses that change, in either version', async () => {
      expect(await importAs('moving', { ips: ['10.0.0.3'] }, 'v1alpha1')).toMatchObject(unmarked(201));
      expect(await patch('moving', { spec: { ips: ['10.0.0.3', 'fd00::3'] } })).toMatchObject(unmarked(200));
      const warned = [
        expect.stringContaining('[import/addresses-stable] spec.ips: no longer has the address "10.0.0.3"'),
      ];
      expect(await patch('moving', { spec: { ips: ['fd00::3'] } })).toMatchObject({ status: 200, warnings: warned });
      expect(await patch('moving', { spec: { type: 'Headless', ips: null } })).toMatchObject(unmarked(200));
    });

    test('a cluster of the status that no DNS name can have', async () => {
      const clusters = [{ cluster: 'east' }, { cluster: 'West_1' }];
      const warned = [expect.stringContaining('[import/clusters] status.clusters[1].cluster: ')];
      const written = await patch('moving', { status: { clusters } }, '/status');
      expect(written).toMatchObject({ status: 200, warnings: warned });
    });
  });

  test('while muster is away, exports of other namespaces than the closed ones pass', async () => {
    await guarded.muster.stop();
    expect(await create('ServiceExport', 'away', { namespace: 'default' })).toMatchObject({ status: 500 });
    expect(await create('ServiceExport', 'away', {})).toMatchObject(unmarked(201));
  });
});
