/** The live view on a real API server: the ways by which a cluster joins and leaves, and what a Lease is left with. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProperty, ocmClusterClaim } from '../../src/api/dialects.ts';
import {
  type ControlPlane,
  grantAccess,
  type Json,
  type Muster,
  register,
  say,
  startControlPlane,
  startMuster,
} from './harness/index.ts';
import { type Asker, askerOf } from './races/ask.ts';
import { type Identity, identityOf } from './races/identity.ts';

const CLAIMS = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
const MEMBERSHIP = `${CLAIMS}/clusterset.k8s.io`;
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/muster-system/leases';

let controlPlane: ControlPlane;
let muster: Muster;
let asker: Asker;
let jane: Identity;
let bob: Identity;
/** When an intent was left behind whose write never came, by the clock of this test. */
let abandonedAt: number;

const claim = (name: string, value: string, metadata: object = {}): Json => ({
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'ClusterClaim',
  metadata: { name, ...metadata },
  spec: { value },
});
const membership = claim('clusterset.k8s.io', 'fleet');
const abandoned = () => identityOf(ocmClusterClaim, controlPlane.api('jane'));

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  const config = { exemptions: { users: ['admin'] } };
  muster = await startMuster({ controlPlane, config });
  await register(controlPlane, muster);
  asker = askerOf(muster);
  jane = identityOf(clusterClaim, controlPlane.api('jane'));
  bob = identityOf(clusterClaim, controlPlane.api('bob'));
  const one = abandoned();
  expect(await one.createId('one')).toMatchObject({ status: 201 });
  const { body: oldObject } = await one.id();
  const { allowed } = await asker.ask({
    operation: 'UPDATE',
    oldObject,
    object: { ...oldObject, spec: { value: 'two' } },
  });
  expect(allowed).toBe(true);
  abandonedAt = performance.now();
});
afterAll(async () => {
  asker?.close();
  await muster?.stop();
  await controlPlane?.stop();
});
beforeEach(async () => {
  if ((await jane.membership()).status === 200) await jane.leave();
  if ((await jane.id()).status === 404) await jane.createId('start');
});

const lease = async (name = 'muster-cluster-claim') =>
  (await controlPlane.api('admin').call('GET', `${LEASES}/${name}`)).body;

test('it says which cluster it looks at, and that all is in order', async () => {
  expect(muster.log()).toContain(`view: live (${controlPlane.url}, Leases in muster-system)`);
  const ready = await (await fetch(`${muster.opsUrl}/readyz?verbose`)).text();
  expect(ready).toContain('[+]cluster ok');
  expect(muster.log()).not.toContain('token-of-muster');
});

describe('joining and leaving, by whichever way: an id change is refused in between, and only then', () => {
  const api = (user = 'jane') => controlPlane.api(user);
  const apply = { contentType: 'application/apply-patch+yaml' };
  const ways: readonly [
    string,
    () => Promise<{ status?: number; code?: number }>,
    () => Promise<{ status?: number; code?: number }>,
  ][] = [
    ['POST and DELETE', () => jane.join(), () => jane.leave()],
    [
      'server-side apply',
      () => api().call('PATCH', `${MEMBERSHIP}?fieldManager=t`, membership, apply),
      () => jane.leave(),
    ],
    [
      'PUT that creates',
      async () => ((await api().call('PUT', MEMBERSHIP, membership)).status === 201 ? { status: 201 } : jane.join()),
      () => jane.leave(),
    ],
    [
      'deletecollection',
      () => jane.join(),
      () => api().call('DELETE', `${CLAIMS}?fieldSelector=metadata.name%3Dclusterset.k8s.io`),
    ],
    [
      'foreground deletion',
      () => jane.join(),
      () => api().call('DELETE', `${MEMBERSHIP}?propagationPolicy=Foreground`),
    ],
    [
      'kubectl apply and delete',
      () => controlPlane.kubectl('jane', ['apply', '-f', '-'], membership),
      () => controlPlane.kubectl('jane', ['delete', '-f', '-'], membership),
    ],
    [
      'kubectl replace --force',
      () => controlPlane.kubectl('jane', ['replace', '--force', '-f', '-'], membership),
      () => jane.leave(),
    ],
    ['another user leaves', () => jane.join(), () => bob.leave()],
    ['someone exempt leaves', () => jane.join(), () => api('admin').call('DELETE', MEMBERSHIP)],
  ];

  test.each(ways)('%s', async (_, join, leave) => {
    const done = ({ status, code }: { status?: number; code?: number }) => (status ?? 200) < 300 && (code ?? 0) === 0;
    expect(done(await join())).toBe(true);
    expect(await bob.changeId('while-member')).toMatchObject({ status: 403 });
    expect(await jane.deleteId()).toMatchObject({ status: 403 });
    expect(done(await leave())).toBe(true);
    // Foreground deletion ends when the collector has looked; there is none here, and nothing depends on it.
    if ((await jane.membership()).status === 200) {
      expect(await bob.changeId('still-member')).toMatchObject({ status: 403 });
      await api('admin').call('PATCH', MEMBERSHIP, { metadata: { finalizers: null } });
    }
    expect(await bob.changeId(`after-${Date.now()}`)).toMatchObject({ status: 200 });
  });
});

test('a membership with a finalizer counts until it is gone; then nobody waits', async () => {
  const object = claim('clusterset.k8s.io', 'fleet', { finalizers: ['example.com/later'] });
  expect(await controlPlane.api('jane').call('POST', CLAIMS, object)).toMatchObject({ status: 201 });
  expect(await jane.leave()).toMatchObject({ status: 200 });
  expect(await jane.changeId('too-early')).toMatchObject({ status: 403 });
  const let_go = { metadata: { finalizers: null } };
  expect(await controlPlane.api('bob').call('PATCH', MEMBERSHIP, let_go)).toMatchObject({ status: 200 });
  expect(await bob.changeId('now')).toMatchObject({ status: 200 });
});

test('a dry run decides alike, and writes no Lease', async () => {
  const before = await lease();
  const api = controlPlane.api('bob');
  expect(await api.call('POST', `${CLAIMS}?dryRun=All`, membership)).toMatchObject({ status: 201 });
  const path = `${CLAIMS}/id.k8s.io?dryRun=All`;
  expect(await api.call('PATCH', path, { spec: { value: 'dry' } })).toMatchObject({ status: 200 });
  expect((await lease()).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  await jane.join();
  expect(await api.call('PATCH', path, { spec: { value: 'dry' } })).toMatchObject({ status: 403 });
});

test('muster restarted between join and change: what it needs is in the Lease', async () => {
  expect(await jane.join()).toMatchObject({ status: 201 });
  const other = await startMuster({ controlPlane });
  await register(controlPlane, other);
  expect(await bob.changeId('no')).toMatchObject({ status: 403 });
  expect(await jane.leave()).toMatchObject({ status: 200 });
  expect(await bob.changeId('yes')).toMatchObject({ status: 200 });
  await register(controlPlane, muster);
  await other.stop();
});

test('an older version of the API is the same world', async () => {
  const admin = identityOf(clusterProperty, controlPlane.api('jane'));
  const path = '/apis/about.k8s.io/v1alpha1/clusterproperties';
  const property = (name: string, value: string) => ({
    ...{ apiVersion: 'about.k8s.io/v1alpha1', kind: 'ClusterProperty', metadata: { name }, spec: { value } },
  });
  const api = controlPlane.api('jane');
  expect(await api.call('POST', path, property('id.k8s.io', 'one'))).toMatchObject({ status: 201 });
  expect(await admin.join()).toMatchObject({ status: 201 });
  expect(await api.call('PATCH', `${path}/id.k8s.io`, { spec: { value: 'two' } })).toMatchObject({ status: 403 });
  expect(await admin.createId('two')).toMatchObject({ status: 403 });
  expect(await admin.createId('one')).toMatchObject({ status: 201 });
  expect(await api.call('DELETE', `${path}/id.k8s.io`)).toMatchObject({ status: 200 });
  expect(await admin.deleteId()).toMatchObject({ status: 403 });
});

test('a Lease that somebody else holds blocks, and says so; freed by hand, it goes on', async () => {
  const api = controlPlane.api('admin');
  const path = `${LEASES}/muster-cluster-claim`;
  const renewTime = new Date(Date.now() + 3_600_000).toISOString().replace('Z', '000Z');
  const annotations = { 'intent.muster/operation': null, 'intent.muster/object': null };
  const held = { metadata: { annotations }, spec: { holderIdentity: 'a stranger', renewTime } };
  expect(await api.call('PATCH', path, held)).toMatchObject({ status: 200 });
  const refused = await bob.changeId('blocked');
  expect(refused).toMatchObject({ status: 503 });
  expect(refused.body.message).toContain("another write of this cluster's identity is under way; try again");
  expect(refused.body.message).not.toContain('stranger');
  expect(refused.body.details.retryAfterSeconds).toBe(1);
  expect(await api.call('PATCH', path, { spec: { holderIdentity: null } })).toMatchObject({ status: 200 });
  expect(await bob.changeId('free')).toMatchObject({ status: 200 });
});

test('a leave that no API server sent frees nothing while the join is on its way', async () => {
  const api = controlPlane.api('admin');
  const object = claim('clusterset.k8s.io', 'fleet', { uid: 'on-its-way' });
  expect(await asker.ask({ operation: 'CREATE', object })).toMatchObject({ allowed: true });
  // Whoever may read the Lease knows the uid.
  expect((await lease()).metadata.annotations['intent.muster/uid']).toBe('on-its-way');
  expect(await asker.ask({ operation: 'DELETE', oldObject: object })).toMatchObject({ allowed: true });
  expect(await bob.changeId('too-early')).toMatchObject({ status: 503 });
  await api.call('PATCH', `${LEASES}/muster-cluster-claim`, { spec: { holderIdentity: null } });
  expect(await bob.changeId('free')).toMatchObject({ status: 200 });
});

test('an intent whose write never came blocks rivals for a minute, and no longer', async () => {
  const rival = identityOf(ocmClusterClaim, controlPlane.api('bob'));
  const elapsed = () => performance.now() - abandonedAt;
  while (elapsed() < 58_000) {
    expect(await rival.join()).toMatchObject({ status: 503 });
    await sleep(Math.min(5000, Math.max(0, 58_000 - elapsed())));
  }
  while ((await rival.join()).status === 503 && elapsed() < 90_000) await sleep(100);
  say(`an abandoned intent lapsed after ${(elapsed() / 1000).toFixed(1)} s`);
  expect((await rival.membership()).status).toBe(200);
  expect(elapsed()).toBeLessThan(70_000);
}, 120_000);
