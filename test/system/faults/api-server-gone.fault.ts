/**
 * The API server hangs, is stopped, and returns with an old snapshot of etcd. The same two replicas run all the while.
 */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clusterClaim, clusterProperty, ocmClusterClaim } from '../../../src/api/dialects.ts';
import {
  type ApiAnswer,
  type Asker,
  askerOf,
  type ClaimDialect,
  type ControlPlane,
  DIALECTS,
  done,
  freeLock,
  grantAccess,
  type Identity,
  identityOf,
  type Json,
  type Muster,
  patchLease,
  register,
  resetIdentities,
  type ServiceProxy,
  startControlPlane,
  startMuster,
  startProxy,
  until,
} from '../e2e/harness/index.ts';
import { race } from '../e2e/races/pairs.ts';
import { reviewFor, type Tallies } from './api-server-gone/outage.ts';
import { byForm, limitMs, record } from './figures.ts';

/**
 * Of each outage. The first is shorter than the lifetime of a lock, so that a lock of the snapshot still holds
 * afterwards.
 */
const OUTAGES_MS = byForm([12_000], [12_000, 300_000]);
/** Longer than a connection may be idle. */
const FROZEN_MS = byForm(12_000, 120_000);
const PAIRS = byForm(6, 60);
const LIFETIME_MS = 60_000;
/** Whole seconds, a retry, and an API server that starts. */
const SLACK_MS = limitMs(5000);
/** `timeoutSeconds` of the registration. */
const DEADLINE_MS = limitMs(5000);
const RECOVERY_MS = limitMs(30_000);

let controlPlane: ControlPlane;
let musters: Muster[];
let askers: Asker[];
let proxy: ServiceProxy;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  musters = await Promise.all([startMuster({ controlPlane }), startMuster({ controlPlane })]);
  askers = musters.map((muster) => askerOf(muster));
  proxy = await startProxy({ targets: () => musters });
  await register(controlPlane, musters, { timeoutSeconds: 'printed', url: proxy.url });
  for (const dialect of DIALECTS) done(await of(dialect).createId('one'));
});
afterAll(async () => {
  for (const asker of askers ?? []) asker.close();
  await Promise.all((musters ?? []).map((muster) => muster.kill()));
  await proxy?.close();
  await controlPlane?.stop();
});

const of = (dialect: ClaimDialect, user = 'jane'): Identity => identityOf(dialect, controlPlane.api(user));

/** Copies etcd's data; the result restores it, while the API server is stopped, and starts the API server. */
async function takeSnapshot(): Promise<() => Promise<void>> {
  const { etcd, folder } = controlPlane;
  const data = join(folder, 'etcd');
  const copy = join(folder, 'etcd-copy');
  await etcd.stop();
  cpSync(data, copy, { recursive: true });
  await etcd.start();
  const isServed = async () =>
    (await controlPlane.api('admin').call('GET', '/api/v1/namespaces/default')).status === 200;
  await until('the API server to read from etcd', isServed);
  return async () => {
    await etcd.stop();
    rmSync(data, { recursive: true });
    cpSync(copy, data, { recursive: true });
    await etcd.start();
    await controlPlane.startApiServer();
  };
}

function inWords({ object, looking, identity }: Tallies): string {
  const ms = (time: number) => `${time.toFixed(0)} ms`;
  return (
    `${object.count} writes decided from the object alone, the slowest in ${ms(object.slowest)}, and ${looking.count} for which other objects ` +
    `were sought in vain, in ${ms(looking.slowest)}; ${identity.count} identity writes 503, the slowest in ${ms(identity.slowest)}; wrong ${wrongOf({ object, looking, identity }).length}`
  );
}

function wrongOf(tallies: Tallies): string[] {
  return Object.values(tallies).flatMap(({ wrong }) => wrong);
}

function expectRight(tallies: Tallies): void {
  expect(wrongOf(tallies).slice(0, 20)).toEqual([]);
  expect(tallies.object.count).toBeGreaterThan(byForm(10, 50));
  expect(tallies.identity.count).toBeGreaterThan(byForm(1, 5));
  for (const { slowest } of Object.values(tallies)) expect(slowest).toBeLessThan(DEADLINE_MS);
}

/** Milliseconds from the first read that the API server answers until each replica allows an identity write. */
async function recoveryOf(one: Identity): Promise<number[]> {
  let old: Json;
  await until('a read', async () => {
    const answer = await one.id().catch(() => undefined);
    old = answer?.body;
    return answer?.status === 200;
  });
  const write = () => ({ operation: 'UPDATE', old, object: { ...old, spec: { value: 'asked' } } }) as const;
  return Promise.all(askers.map((asker) => until('an identity write', async () => (await asker.ask(write())).allowed)));
}

/** Repeats a write while it is refused with 503; returns the milliseconds since `taken` until it was allowed. */
async function waitedSince(taken: number, limitMs: number, write: () => Promise<ApiAnswer>): Promise<number> {
  for (;;) {
    const { status, body } = await write();
    const waited = performance.now() - taken;
    if (status < 300) return waited;
    if (status !== 503 || waited > limitMs) throw new Error(`${status} after ${waited} ms: ${body.message}`);
    await sleep(1000);
  }
}

test('while it hangs, with open connections and without answers', async () => {
  await resetIdentities(controlPlane, 'one');
  const pid = controlPlane.apiServerPid() ?? 0;
  process.kill(pid, 'SIGSTOP');
  const tallies = await reviewFor(FROZEN_MS, askers).finally(() => process.kill(pid, 'SIGCONT'));
  const allowed = await recoveryOf(of(clusterClaim));
  const slowest = Math.max(...allowed).toFixed(0);
  record(
    'api-server-gone',
    'frozen (SIGSTOP)',
    `${FROZEN_MS / 1000} s: ${inWords(tallies)}; then an identity write was allowed within ${slowest} ms`,
  );
  expectRight(tallies);
  expect(Math.max(...allowed)).toBeLessThan(RECOVERY_MS);
});

/**
 * Leaves a state that the later one contradicts: a membership, and locks that are held. Returns when these were taken.
 */
async function holdLocks(): Promise<number> {
  await resetIdentities(controlPlane, 'one');
  done(await of(clusterClaim).join());
  // A lock of another writer, with a time in the future: its lifetime counts from when it is first seen.
  const renewTime = new Date(Date.now() + 3_600_000).toISOString().replace('Z', '000Z');
  await patchLease(controlPlane, clusterProperty, {
    metadata: { annotations: null },
    spec: { holderIdentity: 'x', renewTime },
  });
  const taken = performance.now();
  for (const asker of askers)
    for (const dialect of [ocmClusterClaim, clusterProperty]) {
      const { body: old } = await of(dialect).id();
      const object = { ...old, spec: { value: 'x' } };
      expect((await asker.ask({ operation: 'UPDATE', old, object })).allowed).toBe(dialect === ocmClusterClaim);
    }
  return taken;
}

/** Contradicts what `holdLocks` left: the cluster leaves, another joins, an id is deleted. */
async function goOn(): Promise<void> {
  done(await of(clusterClaim).leave());
  for (let nth = 0; nth < 20; nth++) done(await of(clusterClaim, 'bob').changeId(`later-${nth}`));
  for (const dialect of [ocmClusterClaim, clusterProperty]) await freeLock(controlPlane, dialect);
  done(await of(ocmClusterClaim, 'bob').join());
  done(await of(clusterProperty).deleteId());
}

test.each(OUTAGES_MS)('stopped for %d ms, it returns with an old snapshot of etcd', async (outage) => {
  const taken = await holdLocks();
  const restore = await takeSnapshot();
  await goOn();
  await controlPlane.stopApiServer();
  const tallies = await reviewFor(outage, askers);
  const ready = await fetch(`${musters[0]?.opsUrl}/readyz?verbose`);
  const readiness = await ready.text();
  await restore();
  const back = performance.now();
  const [claims, ocm, property] = DIALECTS.map((dialect) => of(dialect, 'bob')) as [Identity, Identity, Identity];
  // The membership exists again.
  const statuses = [];
  for (const write of [
    () => claims.changeId('forbidden'),
    claims.deleteId,
    claims.join,
    claims.leave,
    () => claims.changeId('allowed'),
  ])
    statuses.push((await write()).status);
  const first = performance.now() - back;
  const allowed = await recoveryOf(of(clusterClaim));
  // The locks of the snapshot hold for the rest of their lifetime.
  const waited = await Promise.all([
    waitedSince(taken, outage + 3 * LIFETIME_MS, ocm.join),
    waitedSince(taken, outage + 3 * LIFETIME_MS, () => property.changeId('x')),
  ]);
  await resetIdentities(controlPlane, 'raced');
  const { pairs, ...races } = await race(controlPlane, PAIRS);
  const total = Object.values(tallies).reduce((sum, { count }) => sum + count, 0);
  record(
    'api-server-gone',
    `stopped for ${outage / 1000} s, back with an old snapshot`,
    `${inWords(tallies)}; the first identity write was stored ${first.toFixed(0)} ms after the return; locks of the snapshot ` +
      `held ${waited.map((time) => (time / 1000).toFixed(1)).join(' and ')} s; ${pairs} races on the restored Leases, ${races.violations} violations`,
    outage === OUTAGES_MS.at(-1)
      ? `${wrongOf(tallies).length} wrong verdicts of ${total}; the first identity write stored ${(first / 1000).toFixed(1)} s after the return`
      : undefined,
  );
  expectRight(tallies);
  expect([ready.status, readiness]).toEqual([
    200,
    expect.stringMatching(/\[!\]cluster advisory: the API server at https:\S+ /),
  ]);
  expect(statuses).toEqual([403, 403, 409, 200, 200]);
  expect(Math.max(...allowed)).toBeLessThan(RECOVERY_MS);
  const latest = Math.max(LIFETIME_MS, back - taken) + SLACK_MS;
  for (const time of waited) expect(time).toBeGreaterThan(LIFETIME_MS - 1000);
  for (const time of waited) expect(time).toBeLessThan(latest);
  expect(races).toEqual({ violations: 0, lonely: [], neither: 0 });
});

test('no replica was restarted or met an internal error', () => {
  for (const muster of musters) {
    expect(() => process.kill(muster.pid, 0)).not.toThrow();
    expect(muster.log()).not.toMatch(/a bug in muster|an uncaught exception/);
  }
});
