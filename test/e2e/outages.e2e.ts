/** What goes on while the API server, its history or muster's credentials are away, and how long it takes to be well again. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clusterClaim } from '../../src/api/dialects.ts';
import {
  type ControlPlane,
  grantAccess,
  type Json,
  type Muster,
  register,
  say,
  startControlPlane,
  startMuster,
  until,
} from './harness/index.ts';
import { type Asker, askerOf, type Write } from './races/ask.ts';
import { type Identity, identityOf } from './races/identity.ts';

const AWAY_MS = 20_000;

let controlPlane: ControlPlane;
let muster: Muster;
let asker: Asker;
let identity: Identity;
/** The stored id, as the API server would hand it over. */
let id: Json;
let kubeconfig: string;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  kubeconfig = join(controlPlane.folder, 'rotated.kubeconfig');
  copyFileSync(controlPlane.kubeconfig('muster', { namespace: 'muster-system' }), kubeconfig);
  muster = await startMuster({ args: ['--kubeconfig', kubeconfig] });
  await register(controlPlane, muster);
  asker = askerOf(muster);
  identity = identityOf(clusterClaim, controlPlane.api('jane'));
  expect(await identity.createId('one')).toMatchObject({ status: 201 });
  id = (await identity.id()).body;
});
afterAll(async () => {
  asker?.close();
  await muster?.stop();
  await controlPlane?.stop();
});

const change = (): Write => ({ operation: 'UPDATE', oldObject: id, object: { ...id, spec: { value: 'two' } } });
const malformed = (): Write => ({
  operation: 'UPDATE',
  oldObject: id,
  object: { ...id, spec: { value: 'Not_A_Label' } },
});
const custom = (value: unknown): Write => ({
  operation: 'CREATE',
  object: { apiVersion: id.apiVersion, kind: id.kind, metadata: { name: 'zone.example.com' }, spec: { value } },
});
const codeOf = (response: Json): number => (response.allowed ? 200 : response.status.code);

/** Milliseconds from now until an identity write is allowed. It takes no intent of its own that would stay: a value at a time. */
async function untilAllowed(): Promise<number> {
  return until('an identity write to be allowed again', async () => codeOf(await asker.ask(change())) === 200, 60);
}

/** A test that asks commits nothing: another version of the id settles the intent that stayed. */
async function settle(): Promise<void> {
  const path = `/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims/${identity.idName}`;
  const annotations = { touched: String(Date.now()) };
  const { status, body } = await controlPlane.api('jane').call('PATCH', path, { metadata: { annotations } });
  expect(status).toBe(200);
  id = body;
}

test('all is well: each kind of write is decided, and muster says so', async () => {
  expect(codeOf(await asker.ask(change()))).toBe(200);
  expect(codeOf(await asker.ask(malformed()))).toBe(403);
  expect(codeOf(await asker.ask(custom('apac')))).toBe(200);
  expect(await muster.metrics()).toContain('muster_cluster_up 1');
});

test('the API server is away for 20 s: what the object tells is decided, identity writes wait, nothing is restarted', async () => {
  await controlPlane.stopApiServer('SIGKILL');
  const end = performance.now() + AWAY_MS;
  const codes = {
    change: new Map<number, number>(),
    malformed: new Map<number, number>(),
    custom: new Map<number, number>(),
  };
  const count = (into: Map<number, number>, code: number) => into.set(code, (into.get(code) ?? 0) + 1);
  let slowest = 0;
  while (performance.now() < end) {
    const began = performance.now();
    count(codes.custom, codeOf(await asker.ask(custom('apac'))));
    count(codes.malformed, codeOf(await asker.ask(malformed())));
    slowest = Math.max(slowest, performance.now() - began);
    count(codes.change, codeOf(await asker.ask(change())));
    await sleep(25);
  }
  const total = [...codes.custom.values()].reduce((sum, each) => sum + each, 0);
  say(
    `API server away: ${total} of each write asked; of the object alone all decided, the slowest two in ${slowest.toFixed(0)} ms`,
  );
  expect(Object.fromEntries(Object.entries(codes).map(([name, found]) => [name, [...found.keys()]]))).toEqual({
    custom: [200],
    malformed: [403],
    change: [503],
  });
  const ready = await fetch(`${muster.opsUrl}/readyz?verbose`);
  expect(ready.status).toBe(200);
  expect(await ready.text()).toMatch(/\[!\]cluster advisory: the API server at https:\S+ can't be reached/);
  expect(await muster.metrics()).toContain('muster_cluster_up 0');
  expect(muster.log().match(/"the cluster: the API server/g)).toHaveLength(1);

  await controlPlane.startApiServer();
  const took = await untilAllowed();
  say(`API server back: the first identity write was allowed ${took.toFixed(0)} ms after it was ready`);
  expect(took).toBeLessThan(30_000);
  const response = await asker.ask(change());
  expect(response.allowed).toBe(true);
});

test('after it the API server calls as before, and the cluster is said to be in order', async () => {
  await settle();
  expect(await identity.changeId('after-the-outage')).toMatchObject({ status: 200 });
  expect(await identity.join()).toMatchObject({ status: 201 });
  expect(await identity.changeId('too-late')).toMatchObject({ status: 403 });
  expect(await identity.leave()).toMatchObject({ status: 200 });
  id = (await identity.id()).body;
  await until('said to be in order', async () => (await muster.metrics()).includes('muster_cluster_up 1'), 70);
  expect(muster.log()).toContain('the cluster is in order again');
});

test('an API server that restarts under writes: none breaks the norm, none is lost for good', async () => {
  expect(await identity.join()).toMatchObject({ status: 201 });
  let running = true;
  const seen = new Map<string, number>();
  const writing = (async () => {
    for (let round = 0; running; round++) {
      const found = await identity.changeId(`forbidden-${round}`).then(
        ({ status }) => String(status),
        () => 'no answer',
      );
      seen.set(found, (seen.get(found) ?? 0) + 1);
      if (found !== '403') await sleep(20);
    }
  })();
  await sleep(500);
  await controlPlane.stopApiServer();
  await controlPlane.startApiServer();
  await sleep(1000);
  running = false;
  await writing;
  say(`API server restarted under writes: ${JSON.stringify(Object.fromEntries(seen))}`);
  expect(seen.get('200')).toBeUndefined();
  expect(seen.get('403')).toBeGreaterThan(10);
  expect((await identity.id()).body.spec.value).toBe('after-the-outage');
  expect(await identity.leave()).toMatchObject({ status: 200 });
});

test('etcd forgets history: nothing here reads any', async () => {
  for (let round = 0; round < 5; round++) {
    await controlPlane.etcd.compact();
    expect(await identity.changeId(`compacted-${round}`)).toMatchObject({ status: 200 });
    expect(await identity.join()).toMatchObject({ status: 201 });
    expect(await identity.changeId('no')).toMatchObject({ status: 403 });
    expect(await identity.leave()).toMatchObject({ status: 200 });
  }
  id = (await identity.id()).body;
});

test('a token that is valid no more: named, and healed by itself when it is rotated', async () => {
  const good = readFileSync(kubeconfig, 'utf8');
  writeFileSync(kubeconfig, good.replace('token-of-muster', 'token-of-nobody'));
  // The token in memory is still good: a restart of the API server is not needed to see the file, a 401 is.
  const bad = await startMuster({ args: ['--kubeconfig', kubeconfig] });
  const badly = askerOf(bad);
  try {
    const refused = await badly.ask(change());
    expect(codeOf(refused)).toBe(503);
    expect(refused.status.message).toContain("does not know muster's credentials");
    expect(codeOf(await badly.ask(malformed()))).toBe(403);
    writeFileSync(kubeconfig, good);
    const began = performance.now();
    expect(codeOf(await badly.ask(change()))).toBe(200);
    say(`token rotated: the next identity write was allowed, in ${(performance.now() - began).toFixed(0)} ms`);
  } finally {
    badly.close();
    await bad.stop();
  }
});

test.each([
  [
    'the Lease is gone',
    '/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/muster-cluster-claim',
    'does not exist',
  ],
  [
    'the right to it is gone',
    '/apis/rbac.authorization.k8s.io/v1/namespaces/muster-system/rolebindings/muster',
    'may not get the Lease',
  ],
  [
    'the right to read is gone',
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/muster',
    'may not get clusterclaims',
  ],
])('%s: a 503 that says so, and well again once it is back', async (_, path, said) => {
  const api = controlPlane.api('admin');
  expect(await api.call('DELETE', path)).toMatchObject({ status: 200 });
  const answered = async (holds: (response: Json) => boolean) => {
    const end = Date.now() + 20_000;
    for (;;) {
      const response = await asker.ask(change());
      if (holds(response)) return response;
      if (Date.now() > end) throw new Error(JSON.stringify(response));
      await sleep(20);
    }
  };
  const response = await answered((each) => codeOf(each) === 503);
  expect(response.status.message).toContain(said);
  await grantAccess(controlPlane);
  await answered((each) => codeOf(each) === 200);
});

test('it was one process all the while', () => {
  expect(() => process.kill(muster.pid, 0)).not.toThrow();
  expect(muster.log()).not.toMatch(/a bug in muster|"a failure nobody caught/);
});
