/**
 * `matchConditions` on a real API server: which writes it calls for. Instead of muster a server records
 * the calls and allows them, under `failurePolicy: Fail` throughout: an expression that fails would refuse the write.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Enforcement } from '../../../src/manifests/requirements.ts';
import { VALIDATING_WEBHOOKS } from '../../../src/manifests/webhooks.ts';
import type { Operation, Subresource } from '../../../src/rules/rule.ts';
import { examples } from '../../support/examples.ts';
import { newFolder } from '../../support/folder.ts';
import { placementDecision } from '../../support/objects.ts';
import type { Write } from '../../support/writes.ts';
import {
  type ControlPlane,
  type Json,
  register,
  type ScriptedWebhook,
  startControlPlane,
  startWebhook,
} from './harness/index.ts';
import { send, store as storeNew } from './policies/write.ts';
import * as objects from './verbs/objects.ts';

/** The examples of forbidden writes: file, object, write. */
const denied = examples
  .filter(({ folder }) => folder === 'deny')
  .map((example): [string, Json, Write] => [example.file, example.object ?? example.old, example]);

/** All that a configuration can make the API server send. */
const ALL: Enforcement = {
  webhooks: Object.fromEntries(
    VALIDATING_WEBHOOKS.map(({ name, action = 'deny', serves }) => [name, serves ? 'deny' : action]),
  ),
  profileLabel: true,
  closedNamespaces: [],
};

/** Without the webhooks for what owners and managers alone may change. */
const WITHOUT_SCHEDULERS: Enforcement = {
  ...ALL,
  webhooks: Object.fromEntries(Object.entries(ALL.webhooks).filter(([name]) => !name.endsWith('-owners'))),
};

let controlPlane: ControlPlane;
let recorder: ScriptedWebhook;
const folder = newFolder().path;
/** `/validate UPDATE features/status name`, in the order of the calls. */
let calls: string[] = [];
/** Of the stored object in the last call. */
let lastVersion: string | undefined;

beforeAll(async () => {
  recorder = await startWebhook(folder, ({ path, request }, answer) => {
    const { uid, operation, resource, subResource, object, oldObject } = request;
    const what = subResource ? `${resource.resource}/${subResource}` : resource.resource;
    const call = `${path} ${operation} ${what} ${(object ?? oldObject).metadata.name}`;
    // An API server whose cache held an older version of the object reads it anew, and calls again. Two webhooks that
    // match one write are called with the same version of it. (Each call has a uid of its own.)
    const version = oldObject?.metadata.resourceVersion;
    if (calls.at(-1) !== call || version === lastVersion) calls.push(call);
    lastVersion = version;
    answer.end(
      JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, allowed: true } }),
    );
  });
  controlPlane = await startControlPlane({ crds: 'loose' });
  const names = new Set(['tide', 'muster-system', ...denied.flatMap(([, object]) => object.metadata.namespace ?? [])]);
  await controlPlane.apply(...[...names].map(objects.newNamespace));
  await register(controlPlane, recorder, { failurePolicy: 'Fail', enforcement: ALL });
});
beforeEach(() => {
  calls = [];
});
afterAll(async () => {
  await controlPlane?.stop();
  recorder?.close();
});

test.each(denied)(
  'a write with a finding is called for: %s',
  async (_, object, { operation, subresource = '', old }) => {
    if (old) await store(old);
    calls = [];
    const status = await write(operation, object, subresource);
    await remove(object);
    expect(status).toBeLessThan(300);
    expect(calls.find((call) => call.startsWith(`/validate ${operation} `))).toBeDefined();
  },
);

const claim = objects.id;
const status = { status: { conditions: [{ type: 'Joined' }] } };
const cluster = objects.inventory('a', { ...objects.managed('m'), ...status }, objects.labelled('m'));
const profile = objects.profile(
  'a',
  { ...objects.managed('m'), ...status },
  { namespace: 'tide', ...objects.labelled('m') },
);
const feature = objects.feature(
  'a',
  { spec: { desired: 'Enabled' }, status: { state: 'Off', uses: [] } },
  { namespace: 'tide' },
);
const serviceImport: Json = {
  apiVersion: 'multicluster.x-k8s.io/v1beta1',
  kind: 'ServiceImport',
  metadata: { name: 'web', namespace: 'tide' },
  spec: { type: 'ClusterSetIP', ports: [{ port: 80 }] },
};
/** What anyone may name as an owner, and nobody has. */
const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: '2f6d2a52-9a0b-4a3e-8f0e-7b1f2b0c9d11' };
const kinds: readonly (readonly [string, Json])[] = [
  ['ClusterClaim', claim],
  ['ClusterProperty, in its older version', objects.olderProperty('id.k8s.io', objects.value('a'))],
  ['InventoryCluster', cluster],
  ['ClusterProfile', profile],
  ['Feature', feature],
  ['Feature in kube-system', { ...feature, metadata: { name: 'a', namespace: 'kube-system' } }],
];

describe.each(kinds)('%s', (_, object) => {
  const withStatus = 'status' in object;
  const changed = (more: object) => ({ ...object, metadata: { ...object.metadata, ...more } });

  test('an update that leaves what the rules read as it is is not called for', async () => {
    await store(object);
    calls = [];
    await expectWrite('UPDATE', object);
    await expectWrite('UPDATE', changed({ annotations: { note: 'x' } }));
    if (!('labels' in object.metadata)) await expectWrite('UPDATE', changed({ labels: { any: 'x' } }));
    if (withStatus) await expectWrite('UPDATE', changed({ annotations: { note: 'y' } }), 'status');
    await expectWrite('UPDATE', changed({ finalizers: ['e2e.example.com/hold'] }));
    // On its way out: the finalizer's removal is what lets it go.
    await removeBy(object, 'jane');
    calls = [];
    await expectWrite('UPDATE', changed({ finalizers: [] }));
    expect(calls).toEqual([]);
  });

  test('an update that changes them is called for, once, whatever they become', async () => {
    const resource = await resourceOf(object);
    // Of an inventory object rules read the manager alone: in the second and the last it is missing.
    const isInventory = object.kind === 'InventoryCluster' || object.kind === 'ClusterProfile';
    const member = (value: Json) => (isInventory ? { clusterManager: value } : { value });
    await store(object);
    for (const spec of [member(7), 'text', member({ a: [1, 2.5, null] }), { displayName: 'x' }]) {
      calls = [];
      await expectWrite('UPDATE', { ...object, spec });
      expect(calls).toEqual([`/validate UPDATE ${resource} ${object.metadata.name}`]);
      // The same again changes nothing.
      await expectWrite('UPDATE', { ...object, spec });
      expect(calls).toHaveLength(1);
    }
    for (const status of withStatus ? [{ state: 'On' }, null, 'text', undefined] : []) {
      calls = [];
      await expectWrite('UPDATE', { ...object, status }, 'status');
      expect(calls).toEqual([`/validate UPDATE ${resource}/status ${object.metadata.name}`]);
    }
    await remove(object);
  });

  test('objects as large as can be stored', async () => {
    const filled = (letter: string) => ({ value: letter.repeat(1_400_000), clusterManager: letter });
    const large = { ...object, spec: filled('x') };
    await store(large);
    calls = [];
    await expectWrite('UPDATE', { ...large, metadata: { ...object.metadata, annotations: { note: 'x' } } });
    expect(calls).toEqual([]);
    await expectWrite('UPDATE', { ...large, spec: filled('y') });
    expect(calls).toHaveLength(1);
    await remove(object);
  });
});

describe('updates of a claim', () => {
  const own = objects.claim('own.example.com', 'a');
  const membership = objects.claim('clusterset.k8s.io', 'a');

  test.each([
    [own, objects.value('b'), false],
    [own, { spec: { value: '', other: 'x' } }, false],
    [own, objects.value('x'.repeat(1024)), false],
    [own, objects.value('x'.repeat(1025)), true],
    [own, { spec: { value: 7 } }, true],
    [own, { spec: { value: null } }, true],
    [own, { spec: {} }, true],
    [own, { spec: 'text' }, true],
    [own, { spec: null }, true],
    [claim, objects.value('b'), true],
    [membership, objects.value('b'), true],
  ])('%j to %j: called for: %s', async (before, change, isCalled) => {
    await store(before);
    calls = [];
    await expectWrite('UPDATE', { ...before, ...change });
    expect(calls).toEqual(isCalled ? [`/validate UPDATE clusterclaims ${before.metadata.name}`] : []);
    await remove(before);
  });
});

describe('creations of a claim', () => {
  test.each([
    ['own.example.com', objects.value('a'), false],
    ['own.example.com', objects.value('x'.repeat(1024)), false],
    ['x-k8s.io', objects.value('a'), false],
    ['own.x-k8s.io', objects.value('a'), false],
    ['own.example.com', objects.value('x'.repeat(1025)), true],
    ['own.example.com', {}, true],
    ['own', objects.value('a'), true],
    ['own.k8s.io', objects.value('a'), true],
    ['sigs.k8s.io', objects.value('a'), true],
    ['own.kubernetes.io', objects.value('a'), true],
    ['id.k8s.io', objects.value('a'), true],
    ['clusterset.k8s.io', objects.value('a'), true],
  ])('%s with %j: called for: %s', async (name, more, isCalled) => {
    const object = { ...objects.claim(name, 'a'), spec: undefined, ...more };
    await expectWrite('CREATE', object);
    expect(calls).toEqual(isCalled ? [`/validate CREATE clusterclaims ${name}`] : []);
    await remove(object);
  });
});

test('creations and updates of an OCM claim without a value, which its API takes, are not called for', async () => {
  const object = { ...objects.ocmClaim('own.example.com', ''), spec: {} };
  await expectWrite('CREATE', object);
  await expectWrite('UPDATE', { ...object, spec: { other: 'x' } });
  await remove(object);
  expect(calls).toEqual([]);
});

describe('creations of an inventory object', () => {
  const { labels } = objects.labelled('m');
  const withLabels = (...more: object[]) => ({
    metadata: { ...profile.metadata, labels: Object.assign({}, ...more) },
  });
  const memberId = (text: string) => ({ 'multicluster.x-k8s.io/inventory-member-id': text });
  const cases: readonly (readonly [string, Json, boolean])[] = [
    ['a sound one', {}, true],
    ['with a member id', withLabels(labels, memberId('a')), true],
    ['with an empty member id', withLabels(labels, memberId('')), false],
    ['with the label of another manager', withLabels(objects.labelled('other').labels), false],
    ['without a label', withLabels(), false],
    ['without a manager', { spec: { clusterManager: {} } }, false],
    ['with a manager that is a text', { spec: { clusterManager: 'm' } }, false],
    ['with a spec that is a text', { spec: 'm' }, false],
    ['without a spec', { spec: undefined }, false],
  ];
  async function callsFor(more: Json): Promise<string[]> {
    const object = { ...profile, ...more };
    await expectWrite('CREATE', object);
    await remove(object);
    return calls.filter((call) => call.startsWith('/validate CREATE '));
  }

  test.each(cases)('%s: called for once', async (_, more) => {
    expect(await callsFor(more)).toEqual(['/validate CREATE clusterprofiles a']);
  });

  describe('by the webhook for sound ones', () => {
    beforeAll(() =>
      register(controlPlane, recorder, { failurePolicy: 'Fail', enforcement: ALL, only: ['inventory-creations'] }),
    );
    afterAll(() => register(controlPlane, recorder, { failurePolicy: 'Fail', enforcement: ALL }));

    test.each(cases)('%s: called for: %j', async (_, more, isSound) => {
      expect(await callsFor(more)).toHaveLength(isSound ? 1 : 0);
    });
  });
});

describe('updates of a decision', () => {
  const entry = (name: string, reason = 'free berths') => ({ clusterProfileRef: { name }, reason });
  const named = (...decisions: Json[]) => placementDecision('a', { decisions }, { namespace: 'tide' });
  const many = (count: number, reason?: string) =>
    Array.from({ length: count }, (_, index) => entry(`${String(index).padStart(3, '0')}${'a'.repeat(250)}`, reason));
  const notCalled: [string, Json[], Json[]][] = [
    ['other reasons', [entry('x'), entry('y')], [entry('x', 'near'), entry('y')]],
    ['a profile less', [entry('x'), entry('y')], [entry('y')]],
    ['none left', [entry('x')], []],
    ['another order', [entry('x'), entry('y')], [entry('y'), entry('x')]],
    ['one of two that are the same', [entry('x'), entry('x')], [entry('x')]],
    ['a hundred with other reasons', many(100), many(100, 'near')],
    ['the same, one of them twice', [entry('x'), entry('x')], [entry('x'), entry('x')]],
    ['the same, more than a CRD allows', many(101), many(101)],
    ['the same, one of them no object', ['x'], ['x']],
  ];
  const called: [string, Json[], Json[]][] = [
    ['another profile', [entry('x')], [entry('y')]],
    ['one more', [entry('x')], [entry('x'), entry('y')]],
    ['one twice, in place of another', [entry('x'), entry('y')], [entry('x'), entry('x')]],
    ['more than a CRD allows', many(101), many(101, 'near')],
    ['an entry that is no object', [entry('x')], ['x']],
    ['an entry without a reference', [entry('x')], [{ reason: 'near' }]],
    ['entries that were none', ['x'], [entry('x')]],
  ];

  // Without schedulers: a webhook of theirs gets each change.
  beforeAll(() => register(controlPlane, recorder, { failurePolicy: 'Fail', enforcement: WITHOUT_SCHEDULERS }));
  afterAll(() => register(controlPlane, recorder, { failurePolicy: 'Fail', enforcement: ALL }));

  test.each([...notCalled.map((row) => [...row, false] as const), ...called.map((row) => [...row, true] as const)])(
    '%s',
    async (_, before, now, isCalled) => {
      await store(named(...before));
      calls = [];
      await expectWrite('UPDATE', named(...now));
      expect(calls).toEqual(isCalled ? ['/validate UPDATE placementdecisions a'] : []);
      await remove(named());
    },
  );

  test('where schedulers are configured, each change of content, labels or owners is called for, once', async () => {
    await register(controlPlane, recorder, { failurePolicy: 'Fail', enforcement: ALL });
    const before = named(entry('x'));
    await store(before);
    const labels = { any: 'x' };
    const last = (more: object) => ({
      ...named(entry('y')),
      schedulerName: 'z',
      metadata: { ...before.metadata, ...more },
    });
    for (const change of [
      named(entry('x', 'near')),
      named(),
      named(entry('y')),
      last({}),
      last({ labels }),
      last({ labels, ownerReferences: [OWNER] }),
    ]) {
      calls = [];
      await expectWrite('UPDATE', change);
      expect(calls).toEqual(['/validate UPDATE placementdecisions a']);
    }
    await store(named(...many(100)));
    calls = [];
    await expectWrite('UPDATE', named(...many(100, 'near')));
    expect(calls).toEqual(['/validate UPDATE placementdecisions a']);
    await remove(before);
  });

  test('the same while it is being deleted, but for its labels', async () => {
    await register(controlPlane, recorder, { failurePolicy: 'Fail', enforcement: ALL });
    const held = (more: object, ...decisions: Json[]) => {
      const object = named(...decisions);
      return { ...object, metadata: { ...object.metadata, finalizers: ['e2e.example.com/hold'], ...more } };
    };
    await store(held({}, entry('x'), entry('y')));
    await removeBy(named(), 'jane');
    for (const change of [
      held({}, entry('x')),
      held({}, entry('x', 'near')),
      { ...held({}, entry('x', 'near')), schedulerName: 'z' },
    ]) {
      calls = [];
      await expectWrite('UPDATE', change);
      expect(calls).toEqual(['/validate UPDATE placementdecisions a']);
    }
    calls = [];
    const last = { ...held({ labels: { any: 'x' } }, entry('x', 'near')), schedulerName: 'z' };
    await expectWrite('UPDATE', last);
    await expectWrite('UPDATE', { ...last, metadata: { ...last.metadata, finalizers: [] } });
    expect(calls).toEqual([]);
  });
});

describe('updates of an import', () => {
  const metadata = (more: object) => ({ ...serviceImport, metadata: { ...serviceImport.metadata, ...more } });

  test.each<[string, Json, Subresource?]>([
    ['its spec', { ...serviceImport, spec: { ...serviceImport.spec, ports: [] } }],
    ['a label', metadata({ labels: { a: 'b' } })],
    ['an annotation', metadata({ annotations: { a: 'b' } })],
    ['an owner', metadata({ ownerReferences: [OWNER] })],
    ['a finalizer', metadata({ finalizers: ['e2e.example.com/hold'] })],
    ['its status', { ...serviceImport, status: { clusters: [{ cluster: 'a' }] } }, 'status'],
  ])('%s: called for, where import managers are configured', async (_, changed, subresource = '') => {
    await store(serviceImport);
    calls = [];
    await expectWrite('UPDATE', changed, subresource);
    expect(calls).toEqual([`/validate UPDATE serviceimports${subresource && '/status'} web`]);
    if (changed.metadata.finalizers) await expectWrite('UPDATE', serviceImport);
    await remove(serviceImport);
  });
});

describe('deletions', () => {
  const named = (name: string) => ({ ...claim, metadata: { name } });

  test('of claims: of ids and memberships alone', async () => {
    const names = ['a.example.com', 'clusterset.k8s.io', 'id.k8s.io', 'z.example.com'];
    for (const name of names) await store(named(name));
    for (const name of names) {
      calls = [];
      await removeBy(named(name), 'jane');
      expect(calls).toEqual(name.endsWith('k8s.io') ? [`/validate DELETE clusterclaims ${name}`] : []);
    }
  });

  test('of claims in a collection, where the request has no name', async () => {
    for (const name of ['a.example.com', 'clusterset.k8s.io', 'id.k8s.io']) await store(named(name));
    calls = [];
    const path = (await controlPlane.pathOf(claim)).replace(/\/[^/]+$/, '');
    expect((await controlPlane.api('jane').call('DELETE', path)).status).toBe(200);
    expect(calls).toEqual([
      '/validate DELETE clusterclaims clusterset.k8s.io',
      '/validate DELETE clusterclaims id.k8s.io',
    ]);
  });

  test.each(['generic-garbage-collector', 'namespace-controller'])('by the %s: of ids alone', async (name) => {
    const user = { username: `system:serviceaccount:kube-system:${name}`, groups: ['system:masters'] };
    for (const object of [claim, cluster, profile, feature]) {
      await store(object);
      calls = [];
      const { status: code } = await send(controlPlane, { operation: 'DELETE', user, object }, undefined, {
        dryRun: false,
      });
      expect(code).toBe(200);
      expect(calls).toEqual(object === claim ? ['/validate DELETE clusterclaims id.k8s.io'] : []);
    }
  });

  const decision = placementDecision('a', { decisions: [] }, { namespace: 'tide' });
  test.each([cluster, profile, feature, decision, serviceImport])(
    'by anyone else are called for: $kind',
    async (object) => {
      await store(object);
      calls = [];
      await removeBy(object, 'jane');
      expect(calls).toEqual([`/validate DELETE ${await resourceOf(object)} ${object.metadata.name}`]);
    },
  );
});

test.each([
  [undefined, true],
  [null, true],
  [{ other: 'x' }, true],
  [{ 'x-k8s.io/cluster-manager': 'm' }, false],
  [{ 'x-k8s.io/cluster-manager': '' }, false],
])('labels %j: the mutating webhook is called to add the label of the manager: %s', async (labels, isCalled) => {
  const object = { ...cluster, metadata: { name: 'b', ...(labels === undefined ? {} : { labels }) } };
  await expectWrite('CREATE', object);
  const validating = '/validate CREATE inventoryclusters b';
  expect(calls).toEqual(isCalled ? ['/mutate CREATE inventoryclusters b', validating] : [validating]);
  await remove(object);
});

test("nothing is called for in muster's own namespace, and in kube-system only for features", async () => {
  for (const object of [profile, feature])
    for (const namespace of ['muster-system', 'kube-system']) {
      calls = [];
      const here = { ...object, metadata: { ...object.metadata, namespace } };
      await expectWrite('CREATE', here);
      const guarded = object === feature && namespace === 'kube-system';
      expect(calls).toEqual(guarded ? ['/validate CREATE features a'] : []);
      await remove(here);
    }
});

async function expectWrite(operation: Operation, object: Json, subresource: Subresource = ''): Promise<void> {
  expect(await write(operation, object, subresource)).toBeLessThan(300);
}

/** As jane, whatever the object's version. Returns the status code. */
async function write(operation: Operation, object: Json, subresource: Subresource = ''): Promise<number> {
  const { body } = await controlPlane.api('admin').call('GET', await controlPlane.pathOf(object));
  return (await send(controlPlane, { operation, subresource, object }, body, { dryRun: false })).status;
}

/** Stores the object with its status, in place of one that is stored already. */
async function store(object: Json): Promise<void> {
  await remove(object);
  await storeNew(controlPlane, object);
}

async function remove(object: Json): Promise<void> {
  if (object.metadata.name !== undefined) await removeBy(object, 'admin');
}

async function removeBy(object: Json, user: string): Promise<void> {
  await controlPlane.api(user).call('DELETE', await controlPlane.pathOf(object));
}

async function resourceOf(object: Json): Promise<string> {
  return (await controlPlane.pathOf(object)).split('/').at(-2) ?? '';
}
