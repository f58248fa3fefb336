/** What must keep working: orders of writing, edits of metadata, objects on their way out, objects older than the webhook. */
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import {
  type ControlPlane,
  grantAccess,
  type Json,
  type Muster,
  register,
  startControlPlane,
  startMuster,
  until,
} from './harness/index.ts';
import { claim, feature, here, id, inventory, memberInventory, membership, profile, value } from './verbs/objects.ts';
import { configuration } from './verbs/scenario.ts';
import { type World, worldOf } from './verbs/worlds.ts';

jest.setTimeout(60_000);

let controlPlane: ControlPlane;
let muster: Muster;
let world: World;

beforeAll(async () => {
  controlPlane = await startControlPlane({ crds: 'loose', controllerManager: true });
  await grantAccess(controlPlane);
  muster = await startMuster({ controlPlane, config: configuration });
  await register(controlPlane, muster, { failurePolicy: 'Fail' });
  world = worldOf(controlPlane);
}, 120_000);
afterAll(async () => {
  await muster?.stop();
  await controlPlane?.stop();
});
beforeEach(() => world.reset([]));

const CLAIMS = 'clusterclaims.multicluster.x-k8s.io';
const kubectl = (args: string, input?: Json) => controlPlane.kubectl('jane', args.split(' '), input);

/** kubectl's way, all of it succeeding. */
async function succeeds(args: string, input?: Json): Promise<string> {
  const { code, stdout, stderr } = await kubectl(args, input);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.anything() });
  return stdout + stderr;
}

async function names(): Promise<string> {
  return (await kubectl(`get ${CLAIMS} -o jsonpath={.items[*].metadata.name}`)).stdout;
}

test.each(['apply', 'apply --server-side', 'create'])(
  '%s: membership before id, as in alphabetical order',
  async (verb) => {
    expect(await succeeds(`${verb} -f -`, [membership, id])).toContain('[claim/clusterset-requires-id]');
    expect(await names()).toBe('clusterset.k8s.io id.k8s.io');
    await succeeds('apply -f -', [membership, id]);
  },
);

test('id and membership deleted in one command: id first is refused, and the next round succeeds; or membership first', async () => {
  await world.reset([id, membership]);
  const { code, stderr } = await kubectl('delete -f -', [id, membership]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('[claim/id-present-in-clusterset]') });
  expect(await names()).toBe('id.k8s.io');
  await succeeds('delete -f -', [id]);
  await world.reset([id, membership]);
  await succeeds('delete -f -', [membership, id]);
  expect(await names()).toBe('');
});

test('delete --all and deletecollection go by name: the membership first, so both are gone', async () => {
  await world.reset([id, membership, claim('custom.example.com', value('x'))]);
  await succeeds(`delete ${CLAIMS} --all`);
  await world.reset([id, membership, claim('custom.example.com', value('x'))]);
  await succeeds('delete --raw /apis/multicluster.x-k8s.io/v1alpha1/clusterclaims');
  expect(await names()).toBe('');
});

test('apply --prune takes away an id only outside of a ClusterSet', async () => {
  const fleet = { labels: { app: 'fleet' } };
  const all = [id, membership, claim('custom.example.com', value('x'))].map((object) => ({
    ...object,
    metadata: { ...object.metadata, ...fleet },
  }));
  const prune = 'apply --prune -l app=fleet --prune-allowlist=multicluster.x-k8s.io/v1alpha1/ClusterClaim -f -';
  await succeeds('apply -f -', all);
  const { code, stderr } = await kubectl(prune, all.slice(1));
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('[claim/id-present-in-clusterset]') });
  expect(await names()).toContain('id.k8s.io');
  // In two rounds, as the refusal asks: leave, then delete.
  await kubectl(prune, [all[0], all[2]]);
  await succeeds(prune, [all[2]]);
  expect(await names()).toBe('custom.example.com');
});

test('leave, change the id and rejoin, at once', async () => {
  await world.reset([id, membership]);
  await succeeds(`delete ${CLAIMS} clusterset.k8s.io`);
  await succeeds('apply -f -', claim('id.k8s.io', value('b')));
  await succeeds('apply -f -', membership);
});

test.each([
  ['an id in a ClusterSet', [membership, id]],
  ['a membership', [id, membership]],
  ['an InventoryCluster of another manager', [inventory('one', { spec: { clusterManager: { name: 'n' } } })]],
  ['a ClusterProfile older than the webhook, without a manager', [profile('one', { spec: {} }, here)]],
  ['a Feature', [feature('one', { status: { state: 'On' } }, here)]],
])('label and annotate %s', async (_, objects: readonly Json[]) => {
  await world.reset(objects);
  const { kind, apiVersion, metadata } = objects.at(-1);
  const target = `${kind}.${apiVersion.split('/').reverse().join('.')} ${metadata.name}`;
  await succeeds(`annotate ${target} note=x`);
  if (kind !== 'ClusterProfile') await succeeds(`label ${target} team=x`);
});

test('the manager label of an inventory object is not to be changed, and comes back where it is taken away', async () => {
  await world.reset([memberInventory]);
  const relabel = (label: string) =>
    kubectl(`label inventorycluster.v1alpha1.multicluster.x-k8s.io one --overwrite ${label}`);
  const stderr = expect.stringContaining('[inventory/cluster-manager-label]');
  expect(await relabel('x-k8s.io/cluster-manager=n')).toMatchObject({ code: 1, stderr });
  expect(await relabel('x-k8s.io/cluster-manager-')).toMatchObject({ code: 0, stderr });
  expect((await world.read(memberInventory))?.metadata.labels).toEqual(memberInventory.metadata.labels);
});

test('an object that is being deleted lets go of its finalizers, whatever is wrong with it', async () => {
  const held = { finalizers: ['e2e.muster/hold'] };
  const objects = [
    claim('clusterset.k8s.io', value('set'), held),
    claim('id.k8s.io', value('Not_A_Label'), held),
    inventory('one', { spec: {} }, held),
    profile('one', { spec: {} }, { ...here, ...held }),
    feature('one', { spec: { desired: 'Maybe' } }, { ...here, ...held }),
  ];
  await world.reset(objects.map((object) => ({ ...object, terminating: true })));
  for (const object of objects) {
    const { metadata, ...stored } = await world.read(object);
    expect(metadata.deletionTimestamp).toBeDefined();
    const { status } = await controlPlane
      .api('bob')
      .call('PUT', await controlPlane.pathOf(object), { ...stored, metadata: { ...metadata, finalizers: [] } });
    expect({ kind: object.kind, status }).toEqual({ kind: object.kind, status: 200 });
    expect(await world.read(object)).toBeUndefined();
  }
});

test('an object older than the webhook stays editable beside what was wrong', async () => {
  await world.reset([
    claim('id.k8s.io', value('Not_A_Label')),
    claim('old.k8s.io', value('x')),
    inventory('one', { spec: {} }),
    feature('one', { status: { state: 'On', transitionTasks: ['left'] } }, here),
  ]);
  const merge = (target: string, patch: Json) => `patch ${target} --type=merge -p ${JSON.stringify(patch)}`;
  const one = 'inventorycluster.v1alpha1.multicluster.x-k8s.io one';
  await succeeds(merge(`${CLAIMS} old.k8s.io`, value('y')));
  await succeeds(merge(one, { spec: { displayName: 'x' } }));
  await succeeds(merge('features one', { spec: { desired: 'Disabled' } }));
  await succeeds(`${merge('features one', { status: { version: '2' } })} --subresource=status`);
  // What was wrong may be mended, and not made wrong anew.
  await succeeds(merge(`${CLAIMS} id.k8s.io`, value('a')));
  const { stderr } = await kubectl(merge(`${CLAIMS} id.k8s.io`, value('Not_A_Label')));
  expect(stderr).toContain('[claim/id-syntax]');
});

test('the namespace controller empties a namespace whose objects only others may delete', async () => {
  await controlPlane.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'leaving' } });
  const there = { namespace: 'leaving' };
  const manager = { spec: { clusterManager: { name: 'm' } } };
  await controlPlane.apply(
    feature('one', {}, there),
    profile('one', manager, { ...there, labels: { 'x-k8s.io/cluster-manager': 'm' } }),
  );
  const { code } = await controlPlane.kubectl('admin', ['delete', 'namespace', 'leaving', '--timeout=40s']);
  expect(code).toBe(0);
});

test('the garbage collector takes what an owner leaves, except the id of a member', async () => {
  await world.reset([membership, claim('owner.example.com', value('x'))]);
  const owner = await world.read(claim('owner.example.com', {}));
  const ownerReferences = [
    { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid },
  ];
  const owned = [
    inventory('owned', { spec: { clusterManager: { name: 'm' } } }, { ownerReferences }),
    claim('id.k8s.io', value('a'), { ownerReferences }),
  ];
  await controlPlane.apply(...owned);
  await succeeds(`delete ${CLAIMS} owner.example.com`);
  const collected = async () => (await world.read(owned[0])) === undefined && refusedTheCollector();
  await until('the garbage collector to come', collected, 40);
  expect(await world.read(id)).toBeDefined();
});

function refusedTheCollector(): boolean {
  const lines = muster.log().split('\n');
  return lines.some((line) => line.includes('generic-garbage-collector') && line.includes('id-present-in-clusterset'));
}
