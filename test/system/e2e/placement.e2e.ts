/** Placement decisions on an API server with the CRDs of cluster-inventory-api: each rule denies and allows. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defaultPolicy } from '../../../src/engine/policy.ts';
import { requiredEnforcement } from '../../../src/manifests/requirements.ts';
import { type Guarded, runMuster, startGuarded } from './harness/index.ts';
import { upstreamDefinitions } from './upstream/index.ts';

const GROUP = '/apis/multicluster.x-k8s.io/v1alpha1';
const SCHEDULERS = { harbormaster: [{ user: 'bob' }] };

let guarded: Guarded;

beforeAll(async () => {
  const settings = { ...defaultPolicy.settings, placements: { schedulers: new Map(Object.entries(SCHEDULERS)) } };
  guarded = await startGuarded({
    crds: 'none',
    objects: [
      ...upstreamDefinitions(),
      ...['harbor', 'estuary'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
      ...[profile('pier-1', 'harbor'), profile('pier-2', 'estuary'), profile('pier-3', 'harbor')],
    ],
    muster: { config: { placements: { schedulers: SCHEDULERS } } },
    registration: { enforcement: requiredEnforcement({ ...defaultPolicy, settings }) },
  });
});
afterAll(() => guarded?.stop());

function profile(name: string, namespace: string) {
  const metadata = { name, namespace, labels: { 'x-k8s.io/cluster-manager': 'tidewater' } };
  const spec = { displayName: name, clusterManager: { name: 'tidewater' } };
  return { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ClusterProfile', metadata, spec };
}

interface Decision {
  readonly name: string;
  readonly references?: readonly object[];
  readonly labels?: object;
  readonly schedulerName?: string;
}

function decision({ name, references = [], labels = {}, schedulerName }: Decision) {
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'PlacementDecision',
    metadata: { name, namespace: 'harbor', labels },
    decisions: references.map((clusterProfileRef) => ({ clusterProfileRef, reason: 'free berths' })),
    ...(schedulerName !== undefined && { schedulerName }),
  };
}

const collection = `${GROUP}/namespaces/harbor/placementdecisions`;
const create = (of: Decision, user = 'jane') => guarded.controlPlane.api(user).call('POST', collection, decision(of));
const patch = (name: string, change: object, user = 'jane') =>
  guarded.controlPlane.api(user).call('PATCH', `${collection}/${name}`, change);
const remove = (name: string, user = 'jane') => guarded.controlPlane.api(user).call('DELETE', `${collection}/${name}`);
const silent = { status: 201, warnings: [] };

describe('what the tests of cluster-inventory-api do', () => {
  const references = [{ name: 'pier-1' }, { name: 'pier-2', namespace: 'estuary' }];

  test('a decision is created, updated and deleted', async () => {
    const labels = { 'multicluster.x-k8s.io/decision-key': 'cranes' };
    expect(await create({ name: 'cranes', references, labels, schedulerName: 'first' })).toMatchObject(silent);
    const { decisions } = decision({ name: 'cranes', references: [...references, { name: 'pier-3' }] });
    expect(await patch('cranes', { decisions, schedulerName: 'second' })).toMatchObject({ status: 200, warnings: [] });
    expect((await remove('cranes')).status).toBe(200);
  });

  test('an empty decision is created', async () => {
    expect(await create({ name: 'empty' })).toMatchObject(silent);
  });

  test('more than a hundred are refused by the CRD', async () => {
    const many = Array.from({ length: 101 }, (_, index) => ({ name: `pier-${index}` }));
    const { status, body } = await create({ name: 'many', references: many });
    expect([status, body.message]).toEqual([422, expect.not.stringContaining('[placement/')]);
  });
});

test('a profile stands once in a decision', async () => {
  const twice = [{ name: 'pier-1' }, { name: 'pier-1', namespace: 'harbor' }];
  expect(await create({ name: 'twice', references: twice })).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('[placement/one-to-one] decisions[1].clusterProfileRef.name: ') },
  });
  const twoNamespaces = [{ name: 'pier-2', namespace: 'estuary' }, { name: 'pier-1' }];
  expect(await create({ name: 'once', references: twoNamespaces })).toMatchObject(silent);
});

describe('a profile exists', () => {
  test('one that does not is a warning, and an update reads only what is new', async () => {
    const { status, warnings } = await create({ name: 'gone', references: [{ name: 'pier-9' }] });
    expect([status, warnings]).toEqual([201, [expect.stringContaining('[placement/profile-exists]')]]);
    const { decisions } = decision({ name: 'gone', references: [{ name: 'pier-1' }, { name: 'pier-9' }] });
    expect(await patch('gone', { decisions })).toMatchObject({ status: 200, warnings: [] });
  });

  test('one that was created a moment ago is seen', async () => {
    for (let round = 0; round < 20; round++) {
      const name = `new-${round}`;
      const path = `${GROUP}/namespaces/harbor/clusterprofiles`;
      expect((await guarded.controlPlane.api('jane').call('POST', path, profile(name, 'harbor'))).status).toBe(201);
      expect(await create({ name, references: [{ name }] })).toMatchObject(silent);
    }
  });

  test('a hundred are read once each', async () => {
    const reads = async () =>
      Number(/muster_cluster_reads_total\{outcome="absent"\} (\d+)/.exec(await guarded.muster.metrics())?.[1] ?? 0);
    const before = await reads();
    const hundred = Array.from({ length: 100 }, (_, index) => ({ name: `absent-${index}` }));
    expect((await create({ name: 'hundred', references: hundred })).status).toBe(201);
    expect((await reads()) - before).toBe(100);
  });
});

test('an index is a number', async () => {
  const label = (value: string) => ({ 'multicluster.x-k8s.io/decision-index': value });
  expect(await create({ name: 'index-0', labels: label('0') })).toMatchObject(silent);
  const warned = [expect.stringContaining('[placement/index]')];
  expect(await create({ name: 'index-x', labels: label('x') })).toMatchObject({ status: 201, warnings: warned });
  // A label alone is sent, too.
  const changed = await patch('index-0', { metadata: { labels: label('01') } });
  expect(changed).toMatchObject({ status: 200, warnings: warned });
});

describe('a scheduler alone writes its decisions', () => {
  const own = { schedulerName: 'harbormaster', references: [{ name: 'pier-1' }] };
  const refused = { status: 403, body: { message: expect.stringContaining('[placement/scheduler]') } };
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: '2f6d2a52-9a0b-4a3e-8f0e-7b1f2b0c9d11' };

  test('others are refused to create, change, label, own and delete', async () => {
    expect(await create({ name: 'owned', ...own })).toMatchObject(refused);
    expect(await create({ name: 'owned', ...own }, 'bob')).toMatchObject(silent);
    for (const change of [
      { decisions: [] },
      { schedulerName: null },
      { metadata: { labels: { a: 'b' } } },
      { metadata: { ownerReferences: [owner] } },
    ])
      expect(await patch('owned', change)).toMatchObject(refused);
    expect(await remove('owned')).toMatchObject(refused);
    expect(await patch('owned', { metadata: { annotations: { seen: 'yes' } } })).toMatchObject({ status: 200 });
    expect(await patch('owned', { decisions: [] }, 'bob')).toMatchObject({ status: 200 });
    expect((await remove('owned', 'bob')).status).toBe(200);
  });
});

test('slices and revisions are compared by scan', async () => {
  const labels = (index: string, revision: string) => ({
    'multicluster.x-k8s.io/decision-key': 'sliced',
    'multicluster.x-k8s.io/decision-index': index,
    'multicluster.x-k8s.io/decision-revision': revision,
  });
  await create({ name: 'sliced-0', references: [{ name: 'pier-1' }], labels: labels('0', '1') });
  await create({ name: 'sliced-1', references: [{ name: 'pier-1' }], labels: labels('2', '2') });
  const args = ['--kubeconfig', guarded.controlPlane.kubeconfig('admin'), '-o', 'json'];
  const { stdout } = await runMuster(['scan', '--live', ...args]);
  const { results } = JSON.parse(stdout) as { results: { name: string; findings: { ruleId: string }[] }[] };
  const of = (name: string) =>
    results.filter((one) => one.name === name).flatMap(({ findings }) => findings.map(({ ruleId }) => ruleId));
  expect(of('sliced-0')).toEqual(['placement/one-to-one']);
  expect(of('sliced-1')).toEqual(['placement/one-to-one', 'placement/slices', 'placement/revision']);
  expect(of('gone')).toEqual(['placement/profile-exists']);
});
