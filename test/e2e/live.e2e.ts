/** The live cluster state on a real API server: the ways by which a cluster joins and leaves, and what a Lease holds afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProperty } from '../../src/api/dialects.ts';
import {
  type Asker,
  askerOf,
  type ControlPlane,
  freeLock,
  grantAccess,
  type Identity,
  identityOf,
  type Json,
  type Muster,
  patchLease,
  register,
  startControlPlane,
  startMuster,
} from './harness/index.ts';

const CLAIMS = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
const MEMBERSHIP = `${CLAIMS}/clusterset.k8s.io`;

let controlPlane: ControlPlane;
let muster: Muster;
let asker: Asker;
let jane: Identity;
let bob: Identity;

const api = (user = 'jane') => controlPlane.api(user);
const claim = (name: string, value: string, metadata: object = {}): Json => ({
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'ClusterClaim',
  metadata: { name, ...metadata },
  spec: { value },
});
const membership = claim('clusterset.k8s.io', 'fleet');
const lease = async () =>
  (await api('admin').call('GET', '/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/muster-cluster-claim'))
    .body;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  muster = await startMuster({ controlPlane, config: { exemptions: { users: ['admin'] } } });
  await register(controlPlane, muster);
  asker = askerOf(muster);
  [jane, bob] = [identityOf(clusterClaim, api('jane')), identityOf(clusterClaim, api('bob'))];
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

test('the log names the API server and the namespace, and no token', () => {
  expect(muster.log()).toContain(`(${controlPlane.url}, Leases in muster-system)`);
  expect(muster.log()).not.toContain('token-of-muster');
});

describe('the id can not be changed between join and leave, however these are written', () => {
  type Way = () => Promise<{ status?: number; code?: number }>;
  const apply = { contentType: 'application/apply-patch+yaml' };
  const kubectl = (verb: string[]) => controlPlane.kubectl('jane', [...verb, '-f', '-'], membership);
  const ways: readonly [string, Way, Way][] = [
    ['POST and DELETE', () => jane.join(), () => jane.leave()],
    [
      'server-side apply',
      () => api().call('PATCH', `${MEMBERSHIP}?fieldManager=t`, membership, apply),
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
    ['kubectl apply and delete', () => kubectl(['apply']), () => kubectl(['delete'])],
    ['kubectl replace --force', () => kubectl(['replace', '--force']), () => jane.leave()],
    ['another user leaves', () => jane.join(), () => bob.leave()],
    ['an exempt user leaves', () => jane.join(), () => api('admin').call('DELETE', MEMBERSHIP)],
  ];

  test.each(ways)('%s', async (_, join, leave) => {
    const isDone = ({ status = 200, code = 0 }: { status?: number; code?: number }) => status < 300 && code === 0;
    expect(isDone(await join())).toBe(true);
    expect(await bob.changeId('while-member')).toMatchObject({ status: 403 });
    expect(await jane.deleteId()).toMatchObject({ status: 403 });
    expect(isDone(await leave())).toBe(true);
    // Foreground deletion ends with the garbage collector, which does not run here.
    if ((await jane.membership()).status === 200) {
      expect(await bob.changeId('still-member')).toMatchObject({ status: 403 });
      await api('admin').call('PATCH', MEMBERSHIP, { metadata: { finalizers: null } });
    }
    expect(await bob.changeId(`after-${Date.now()}`)).toMatchObject({ status: 200 });
  });
});

test('a membership with a finalizer counts until it is gone', async () => {
  const object = claim('clusterset.k8s.io', 'fleet', { finalizers: ['example.com/later'] });
  expect(await api().call('POST', CLAIMS, object)).toMatchObject({ status: 201 });
  expect(await jane.leave()).toMatchObject({ status: 200 });
  expect(await jane.changeId('too-early')).toMatchObject({ status: 403 });
  expect(await api('bob').call('PATCH', MEMBERSHIP, { metadata: { finalizers: null } })).toMatchObject({ status: 200 });
  expect(await bob.changeId('now')).toMatchObject({ status: 200 });
});

test('a dry run gets the same verdict and writes no Lease', async () => {
  const before = await lease();
  const change = () => api('bob').call('PATCH', `${CLAIMS}/id.k8s.io?dryRun=All`, { spec: { value: 'dry' } });
  expect(await api('bob').call('POST', `${CLAIMS}?dryRun=All`, membership)).toMatchObject({ status: 201 });
  expect(await change()).toMatchObject({ status: 200 });
  expect((await lease()).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  await jane.join();
  expect(await change()).toMatchObject({ status: 403 });
});

test('a replica that takes over between join and change needs only the Lease', async () => {
  expect(await jane.join()).toMatchObject({ status: 201 });
  const other = await startMuster({ controlPlane });
  await register(controlPlane, other);
  expect(await bob.changeId('no')).toMatchObject({ status: 403 });
  expect(await jane.leave()).toMatchObject({ status: 200 });
  expect(await bob.changeId('yes')).toMatchObject({ status: 200 });
  await register(controlPlane, muster);
  await other.stop();
});

test('claims written in an older version of the API count too', async () => {
  const one = identityOf(clusterProperty, api());
  const path = '/apis/about.k8s.io/v1alpha1/clusterproperties';
  const metadata = { name: 'id.k8s.io' };
  const id = { apiVersion: 'about.k8s.io/v1alpha1', kind: 'ClusterProperty', metadata, spec: { value: 'one' } };
  expect(await api().call('POST', path, id)).toMatchObject({ status: 201 });
  expect(await one.join()).toMatchObject({ status: 201 });
  expect(await api().call('PATCH', `${path}/id.k8s.io`, { spec: { value: 'two' } })).toMatchObject({ status: 403 });
  expect(await one.createId('two')).toMatchObject({ status: 403 });
  expect(await one.createId('one')).toMatchObject({ status: 201 });
  expect(await api().call('DELETE', `${path}/id.k8s.io`)).toMatchObject({ status: 200 });
  expect(await one.deleteId()).toMatchObject({ status: 403 });
});

test('a lock held by another writer blocks with a 503 until an operator frees it', async () => {
  const renewTime = new Date(Date.now() + 3_600_000).toISOString().replace('Z', '000Z');
  await patchLease(controlPlane, clusterClaim, {
    metadata: { annotations: null },
    spec: { holderIdentity: 'x', renewTime },
  });
  const { status, body } = await bob.changeId('blocked');
  expect({ status, seconds: body.details.retryAfterSeconds }).toEqual({ status: 503, seconds: 1 });
  expect(body.message).toMatch(/another write of this cluster's identity .*try again/);
  await freeLock(controlPlane, clusterClaim);
  expect(await bob.changeId('free')).toMatchObject({ status: 200 });
});

test('a forged leave frees nothing while the join is on its way', async () => {
  const object = claim('clusterset.k8s.io', 'fleet', { uid: 'on-its-way' });
  expect(await asker.ask({ operation: 'CREATE', object })).toMatchObject({ allowed: true });
  // Whoever may read the Lease knows the uid.
  expect(JSON.stringify((await lease()).metadata.annotations)).toContain('on-its-way');
  expect(await asker.ask({ operation: 'DELETE', oldObject: object })).toMatchObject({ allowed: true });
  expect(await bob.changeId('too-early')).toMatchObject({ status: 503 });
  await freeLock(controlPlane, clusterClaim);
  expect(await bob.changeId('free')).toMatchObject({ status: 200 });
});

test('while the API server restarts and etcd drops its history, no forbidden write is stored', async () => {
  await jane.changeId('kept');
  expect(await jane.join()).toMatchObject({ status: 201 });
  let running = true;
  const statuses = new Map<number, number>();
  const writing = (async () => {
    for (let round = 0; running; round++) {
      const { status } = await jane.changeId(`forbidden-${round}`).catch(() => ({ status: 0 }));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await sleep(20);
    }
  })();
  await controlPlane.stopApiServer();
  await controlPlane.startApiServer();
  await controlPlane.etcd.compact();
  await sleep(1000);
  running = false;
  await writing;
  expect(statuses.get(200)).toBeUndefined();
  expect(statuses.get(403)).toBeGreaterThan(5);
  expect((await jane.id()).body.spec.value).toBe('kept');
  expect(await jane.leave()).toMatchObject({ status: 200 });
});
