/**
 * The API server is gone, by refusing and by hanging, and comes back: with what it had, with an old snapshot of etcd, and with
 * one from before muster was installed. muster runs on all the while.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clusterClaim, clusterProperty, ocmClusterClaim } from '../../src/schemas/dialects.ts';
import {
  type ApiAnswer,
  type ControlPlane,
  grantAccess,
  type Json,
  type Muster,
  register,
  startControlPlane,
  startMuster,
} from '../e2e/harness/index.ts';
import { type Asker, askerOf } from '../e2e/races/ask.ts';
import { follow, violationsIn } from '../e2e/races/history.ts';
import { type ClaimDialect, type Identity, identityOf } from '../e2e/races/identity.ts';
import { newTally, racePairs } from '../e2e/races/pairs.ts';
import { type RoundRobin, startRoundRobin } from '../e2e/races/round-robin.ts';
import { askFor, type Tallies } from './api-server-gone/asking.ts';
import { type Snapshot, takeSnapshot } from './api-server-gone/snapshot.ts';
import { byForm, record } from './figure.ts';

const DIALECTS: readonly ClaimDialect[] = [clusterClaim, ocmClusterClaim, clusterProperty];
const AWAY_MS = byForm({ short: 12_000, full: 300_000, scheduled: 300_000 });
/** Under the lifetime of an intent, so that one of the snapshot still holds when it is back. */
const BRIEF_MS = 12_000;
const PAIRS = byForm({ short: 6, full: 60, scheduled: 60 });
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/muster-system/leases';
const LIFETIME_MS = 60_000;
/** Whole seconds, a retry, and a machine that is busy with an API server's start. */
const SLACK_MS = 5000;
/** `timeoutSeconds` of the registration. */
const DEADLINE_MS = 5000;

let controlPlane: ControlPlane;
let musters: Muster[];
let askers: Asker[];
let service: RoundRobin;
/** From before muster was installed. */
let bare: Snapshot;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  bare = await takeSnapshot(controlPlane, 'bare');
  await grantAccess(controlPlane);
  musters = await Promise.all([startMuster({ controlPlane }), startMuster({ controlPlane })]);
  askers = musters.map((muster) => askerOf(muster));
  service = await startRoundRobin(musters.map(({ port }) => port));
  await register(controlPlane, musters, { url: service.url });
  for (const dialect of DIALECTS) done(await of(dialect).createId('one'));
});
afterAll(async () => {
  for (const asker of askers ?? []) asker.close();
  await Promise.all((musters ?? []).map((muster) => muster.kill()));
  await service?.close();
  await controlPlane?.stop();
});

const of = (dialect: ClaimDialect, user = 'jane'): Identity => identityOf(dialect, controlPlane.api(user));

function done(answer: ApiAnswer): void {
  expect([answer.status < 300, answer.body.message]).toEqual([true, undefined]);
}

/** An id of this value and no membership, in all dialects, and nothing that waits. */
async function reset(value: string): Promise<void> {
  for (const one of DIALECTS.map((dialect) => of(dialect))) {
    await lease(one.dialect, { spec: { holderIdentity: null } });
    if ((await one.membership()).status === 200) done(await one.leave());
    if ((await one.id()).status === 404) done(await one.createId(value));
    else done(await one.changeId(value));
  }
}

async function lease({ name }: ClaimDialect, patch: Json): Promise<void> {
  done(await controlPlane.api('admin').call('PATCH', `${LEASES}/muster-${name}`, patch));
}

/** Milliseconds until each replica, asked directly, allows a write that it allowed before. */
async function untilEachAllows(dialect: ClaimDialect): Promise<number[]> {
  const began = performance.now();
  return Promise.all(
    askers.map(async (asker) => {
      for (;;) {
        const { body: oldObject } = await of(dialect).id();
        const object = { ...oldObject, spec: { value: 'asked' } };
        if ((await asker.ask({ operation: 'UPDATE', oldObject, object })).allowed) return performance.now() - began;
        if (performance.now() - began > 60_000) throw new Error('not allowed again within 60 s');
        await sleep(20);
      }
    }),
  );
}

/** Tells what was decided while the API server was away; expects nothing yet. */
function told({ object, looking, identity }: Tallies): string {
  const wrong = object.wrong.length + looking.wrong.length + identity.wrong.length;
  return (
    `${object.asked} writes decided from the object alone, the slowest in ${object.slowest.toFixed(0)} ms, and ` +
    `${looking.asked} that look elsewhere in vain (leaving; an id that is none), in ${looking.slowest.toFixed(0)} ms; ` +
    `${identity.asked} identity writes 503, the slowest in ${identity.slowest.toFixed(0)} ms; wrong ${wrong}`
  );
}

function expectRight({ object, looking, identity }: Tallies): void {
  expect([object.wrong, looking.wrong, identity.wrong]).toEqual([[], [], []]);
  expect(object.asked).toBeGreaterThan(50);
  expect(identity.asked).toBeGreaterThan(5);
  expect(identity.slowest).toBeLessThan(DEADLINE_MS);
  expect(looking.slowest).toBeLessThan(DEADLINE_MS);
  // None of these asks anybody.
  expect(object.slowest).toBeLessThan(2000);
}

const list = (times: readonly number[]) => times.map((time) => `${time.toFixed(0)} ms`).join(' and ');

test('it hangs: its connections stay open, and nothing comes', async () => {
  await reset('one');
  const pid = controlPlane.apiServerPid() ?? 0;
  process.kill(pid, 'SIGSTOP');
  let tallies: Tallies;
  try {
    tallies = await askFor(AWAY_MS, askers);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const took = await untilEachAllows(clusterClaim);
  record(
    'api-server-gone',
    'frozen (SIGSTOP)',
    `${AWAY_MS / 1000} s: ${told(tallies)}; thawed, the first identity write was allowed after ${list(took)} by the two replicas`,
  );
  expectRight(tallies);
  expect(Math.max(...took)).toBeLessThan(30_000);
}, 600_000);

/** A moment's state that none of the times after it agrees with, and intents that were under way then. */
async function prepare(): Promise<{ snapshot: Snapshot; taken: number }> {
  await reset('one');
  done(await of(clusterClaim).join());
  // Of another's hand, and from the future: it counts from when it is first seen.
  const renewTime = new Date(Date.now() + 3_600_000).toISOString().replace('Z', '000Z');
  const annotations = { 'intent.muster/operation': null, 'intent.muster/object': null };
  await lease(clusterProperty, { metadata: { annotations }, spec: { holderIdentity: 'a stranger', renewTime } });
  const taken = performance.now();
  for (const asker of askers) {
    for (const dialect of [ocmClusterClaim, clusterProperty]) {
      const { body: oldObject } = await of(dialect).id();
      const { allowed } = await asker.ask({
        operation: 'UPDATE',
        oldObject,
        object: { ...oldObject, spec: { value: 'x' } },
      });
      expect(allowed).toBe(dialect === ocmClusterClaim);
    }
  }
  return { snapshot: await takeSnapshot(controlPlane, 'old'), taken };
}

/** The opposite of what the snapshot holds. */
async function goOn(): Promise<void> {
  done(await of(clusterClaim).leave());
  for (let nth = 0; nth < 20; nth++) done(await of(clusterClaim, 'bob').changeId(`later-${nth}`));
  const annotations = { touched: 'yes' };
  const path = `/apis/cluster.open-cluster-management.io/v1alpha1/clusterclaims/${of(ocmClusterClaim).idName}`;
  done(await controlPlane.api('jane').call('PATCH', path, { metadata: { annotations } }));
  done(await of(ocmClusterClaim, 'bob').join());
  await lease(clusterProperty, { spec: { holderIdentity: null } });
  done(await of(clusterProperty).deleteId());
}

/** Milliseconds since `taken` until it was let by. */
async function letBy(taken: number, write: () => Promise<ApiAnswer>): Promise<number> {
  for (;;) {
    const { status, body } = await write();
    const waited = performance.now() - taken;
    if (status < 300) return waited;
    if (status !== 503) throw new Error(`${status} ${body.message}`);
    if (waited > AWAY_MS + 3 * LIFETIME_MS) throw new Error(`still 503 after ${waited} ms: ${body.message}`);
    await sleep(1000);
  }
}

/** Races of writes that forbid each other, in all dialects: how many broke the norm. */
async function race(): Promise<{ pairs: number; violations: number; lonely: string[] }> {
  const tally = newTally();
  const found = await Promise.all(
    DIALECTS.map(async (dialect) => {
      const one = of(dialect);
      const history = await follow(controlPlane, dialect);
      await racePairs(one, 'change', PAIRS, tally);
      await racePairs(one, 'delete', PAIRS, tally);
      const mark = `mark-${Date.now()}`;
      if ((await one.membership()).status === 200) done(await one.leave());
      done((await one.id()).status === 404 ? await one.createId(mark) : await one.changeId(mark));
      await history.until((events) => events.some(({ value }) => value === mark));
      history.close();
      return violationsIn(history.events, dialect).length;
    }),
  );
  return { pairs: tally.pairs, violations: found.reduce((sum, count) => sum + count, 0), lonely: tally.lonely };
}

const outages = byForm({ short: [BRIEF_MS], full: [BRIEF_MS, AWAY_MS], scheduled: [BRIEF_MS, AWAY_MS] });

test.each(outages)(
  'stopped for %d ms, and back with an old snapshot of etcd',
  async (away) => {
    const { snapshot, taken } = await prepare();
    await goOn();
    await controlPlane.stopApiServer();
    const tallies = await askFor(away, askers);
    await snapshot.restore();
    const back = performance.now();
    const [claims, ocm, property] = DIALECTS.map((dialect) => of(dialect, 'bob')) as [Identity, Identity, Identity];
    // A membership that was left is there again; ids and versions are the old ones.
    const verdicts = {
      id: (await claims.id()).body.spec.value,
      change: (await claims.changeId('forbidden')).status,
      delete: (await claims.deleteId()).status,
      joinAgain: (await claims.join()).status,
      leave: (await claims.leave()).status,
      changeAfter: (await claims.changeId('allowed')).status,
    };
    const first = performance.now() - back;
    const each = await untilEachAllows(clusterClaim);
    // One that was made is gone, and the intents of then hold again, for what is left of their time.
    const gone = [(await ocm.membership()).status, (await property.id()).status];
    const waited = await Promise.all([letBy(taken, ocm.join), letBy(taken, () => property.changeId('x'))]);
    await reset('raced');
    const { pairs, violations, lonely } = await race();
    record(
      'api-server-gone',
      `stopped for ${away / 1000} s, back with an old snapshot`,
      `${told(tallies)}; back, verdicts right ${Object.keys(verdicts).length} of ${Object.keys(verdicts).length} and the first identity write stored ${first.toFixed(0)} ms after it was ready; ` +
        `intents of the snapshot let rivals by ${waited.map((time) => (time / 1000).toFixed(1)).join(' and ')} s after they were first seen; ` +
        `${pairs} races on the restored Leases, ${violations} violations; restarts of muster 0`,
    );
    expectRight(tallies);
    expect(verdicts).toEqual({ id: 'one', change: 403, delete: 403, joinAgain: 409, leave: 200, changeAfter: 200 });
    expect(gone).toEqual([404, 200]);
    expect(Math.max(...each)).toBeLessThan(30_000);
    const latest = Math.max(LIFETIME_MS, back - taken) + SLACK_MS;
    for (const time of waited) expect(time).toBeGreaterThan(LIFETIME_MS - 1000);
    for (const time of waited) expect(time).toBeLessThan(latest);
    expect({ violations, lonely }).toEqual({ violations: 0, lonely: [] });
  },
  900_000,
);

test('back with a snapshot from before muster was installed: named, and well once it is installed again', async () => {
  await controlPlane.stopApiServer('SIGKILL');
  await bare.restore();
  const one = of(clusterClaim);
  // Nothing is registered: the API server asks nobody.
  done(await one.createId('one'));
  const { body: oldObject } = await one.id();
  const change = { operation: 'UPDATE', oldObject, object: { ...oldObject, spec: { value: 'two' } } } as const;
  const refused = await Promise.all(askers.map((asker) => asker.ask(change)));
  const began = performance.now();
  await grantAccess(controlPlane);
  const took = await untilEachAllows(clusterClaim);
  record(
    'api-server-gone',
    'a snapshot from before muster was installed',
    `identity writes 503, with the missing right or Lease named; allowed ${list(took)} after the manifests were applied again (${(performance.now() - began).toFixed(0)} ms with applying)`,
  );
  for (const { allowed, status } of refused) {
    expect([allowed, status.code]).toEqual([false, 503]);
    expect(status.message).toMatch(/muster may not get|does not exist/);
  }
  expect(Math.max(...took)).toBeLessThan(30_000);
}, 120_000);

test('it was the same two processes all the while, and neither met a bug of its own', () => {
  for (const muster of musters) {
    expect(() => process.kill(muster.pid, 0)).not.toThrow();
    expect(muster.log()).not.toMatch(/a bug in muster|"a failure nobody caught/);
  }
});
