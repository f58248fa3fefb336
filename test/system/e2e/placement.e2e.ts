/**
 * Placement decisions on an API server with the CRDs of cluster-inventory-api: what is read, and which writes are sent.
 * What else the rules find: test/unit/rules/placement, and match-conditions.e2e.ts for the writes of their examples.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { requiredEnforcement } from '../../../src/manifests/requirements.ts';
import { policyFrom } from '../../support/configuration.ts';
import { labelled, managed, newNamespace, olderProfile, placementDecision } from '../../support/objects.ts';
import { type Guarded, type Json, startGuarded, until } from './harness/index.ts';
import { upstreamDefinitions } from './upstream/index.ts';

const GROUP = '/apis/multicluster.x-k8s.io/v1alpha1';
const CONFIG = { placements: { schedulers: { harbormaster: [{ user: 'bob' }] } } };

let guarded: Guarded;

beforeAll(async () => {
  guarded = await startGuarded({
    crds: 'none',
    objects: [...upstreamDefinitions(), newNamespace('harbor'), profileOf('pier-1', 'harbor')],
    muster: { config: CONFIG },
    registration: { enforcement: requiredEnforcement(policyFrom(CONFIG)) },
  });
});
afterAll(() => guarded?.stop());

const profileOf = (name: string, fleet: string) =>
  olderProfile(name, managed('tidewater'), { namespace: fleet, ...labelled('tidewater') });

interface Decision {
  readonly name: string;
  readonly references?: readonly object[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly schedulerName?: string;
}

function decision({ name, references = [], labels = {}, schedulerName }: Decision) {
  const decisions = references.map((clusterProfileRef) => ({ clusterProfileRef, reason: 'free berths' }));
  return placementDecision(name, { decisions, schedulerName }, { namespace: 'harbor', labels });
}

const collection = `${GROUP}/namespaces/harbor/placementdecisions`;
const create = (of: Decision, user = 'jane') => guarded.controlPlane.api(user).call('POST', collection, decision(of));
const patch = (name: string, change: object, user = 'jane') =>
  guarded.controlPlane.api(user).call('PATCH', `${collection}/${name}`, change);
const remove = (name: string, user = 'jane') => guarded.controlPlane.api(user).call('DELETE', `${collection}/${name}`);
const silent = { status: 201, warnings: [] };

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
      expect((await guarded.controlPlane.api('jane').call('POST', path, profileOf(name, 'harbor'))).status).toBe(201);
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

test('an update of the label with the index is sent, though nothing else changes', async () => {
  const label = (value: string) => ({ 'multicluster.x-k8s.io/decision-index': value });
  expect(await create({ name: 'index', labels: label('0') })).toMatchObject(silent);
  const changed = await patch('index', { metadata: { labels: label('01') } });
  expect(changed).toMatchObject({ status: 200, warnings: [expect.stringContaining('[placement/index]')] });
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

test('a write is evaluated where the CRD has v1alpha2 alone', async () => {
  const definition: Json = upstreamDefinitions()[1];
  const [version] = definition.spec.versions;
  const { apply, api, pathOf } = guarded.controlPlane;
  const definitionPath = await pathOf(definition);
  await api('admin').call('DELETE', definitionPath);
  await until('the CRD to be gone', async () => (await api('admin').call('GET', definitionPath)).status === 404);
  await apply({ ...definition, spec: { ...definition.spec, versions: [{ ...version, name: 'v1alpha2' }] } });
  const written = decision({ name: 'twice', references: [{ name: 'pier-1' }, { name: 'pier-1' }] });
  const path = collection.replace('v1alpha1', 'v1alpha2');
  const create = () => api('jane').call('POST', path, { ...written, apiVersion: 'multicluster.x-k8s.io/v1alpha2' });
  await until('v1alpha2 to be served', async () => (await create()).status !== 404);
  const message = expect.stringContaining('[placement/one-to-one]');
  expect(await create()).toMatchObject({ status: 403, body: { message } });
});
