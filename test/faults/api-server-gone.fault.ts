/**
 * The API server is gone, by refusing and by hanging, and comes back: with what it had, with an old snapshot of etcd, and with
 * one from before muster was installed. muster runs on all the while.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clusterClaim } from '../../src/api/dialects.ts';
import {
  type ControlPlane,
  grantAccess,
  type Muster,
  register,
  startControlPlane,
  startMuster,
} from '../e2e/harness/index.ts';
import { type Asker, askerOf } from '../e2e/races/ask.ts';
import { type ClaimDialect, DIALECTS, type Identity } from '../e2e/races/identity.ts';
import { done } from '../e2e/races/raced.ts';
import { type RoundRobin, startRoundRobin } from '../e2e/races/round-robin.ts';
import { askFor, type Tallies } from './api-server-gone/asking.ts';
import { begin, goOn, identitiesOf, letBy, race, recoveryOf, reset } from './api-server-gone/identities.ts';
import { type Snapshot, takeSnapshot } from './api-server-gone/snapshot.ts';
import { byForm, record } from './figure.ts';

const AWAY_MS = byForm({ short: 12_000, full: 300_000, scheduled: 300_000 });
/** Longer than a connection may be idle. */
const FROZEN_MS = byForm({ short: 12_000, full: 120_000, scheduled: 300_000 });
/** Under the lifetime of an intent, so that one of the snapshot still holds when it is back. */
const BRIEF_MS = 12_000;
const PAIRS = byForm({ short: 6, full: 60, scheduled: 60 });
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

const of = (dialect: ClaimDialect, user?: string) => identitiesOf(controlPlane)(dialect, user);

/** Tells what was decided while the API server was away; expects nothing yet. */
function told({ object, looking, identity, stall }: Tallies): string {
  const wrong = object.wrong.length + looking.wrong.length + identity.wrong.length;
  return (
    `${object.asked} writes decided from the object alone, the slowest in ${object.slowest.toFixed(0)} ms, and ` +
    `${looking.asked} that look elsewhere in vain (leaving; an id that is none), in ${looking.slowest.toFixed(0)} ms; ` +
    `${identity.asked} identity writes 503, the slowest in ${identity.slowest.toFixed(0)} ms; wrong ${wrong}` +
    // The figures are then those of the machine.
    (stall > 500 ? ` (the test itself stood still for ${stall.toFixed(0)} ms)` : '')
  );
}

function expectRight({ object, looking, identity, stall }: Tallies): void {
  expect([object, looking, identity].flatMap(({ wrong }) => wrong).slice(0, 20)).toEqual([]);
  expect(object.asked).toBeGreaterThan(50);
  expect(identity.asked).toBeGreaterThan(5);
  expect(identity.slowest).toBeLessThan(DEADLINE_MS + 5 * stall);
  expect(looking.slowest).toBeLessThan(DEADLINE_MS + 5 * stall);
  // None of these asks anybody.
  expect(object.slowest).toBeLessThan(2000 + 5 * stall);
}

const list = (times: readonly number[]) => times.map((time) => `${time.toFixed(0)} ms`).join(' and ');

test('it hangs: its connections stay open, and nothing comes', async () => {
  await reset(controlPlane, 'one');
  const pid = controlPlane.apiServerPid() ?? 0;
  process.kill(pid, 'SIGSTOP');
  let tallies: Tallies;
  try {
    tallies = await askFor(FROZEN_MS, askers);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const took = await recoveryOf(of(clusterClaim), askers);
  record(
    'api-server-gone',
    'frozen (SIGSTOP)',
    `${FROZEN_MS / 1000} s: ${told(tallies)}; thawed, the API server answered a read after ${took.readable.toFixed(0)} ms, and the two replicas allowed an identity write ${list(took.allowed)} later`,
  );
  expectRight(tallies);
  expect(Math.max(...took.allowed)).toBeLessThan(30_000);
}, 600_000);

/** Of a membership that was left, and is there again: the id of then, and the answers to whoever would change it. */
const RIGHT = { id: 'one', change: 403, delete: 403, joinAgain: 409, leave: 200, changeAfter: 200 };

const outages = byForm({ short: [BRIEF_MS], full: [BRIEF_MS, AWAY_MS], scheduled: [BRIEF_MS, AWAY_MS] });

test.each(outages)(
  'stopped for %d ms, and back with an old snapshot of etcd',
  async (away) => {
    const taken = await begin(controlPlane, askers);
    const snapshot = await takeSnapshot(controlPlane, 'old');
    await goOn(controlPlane);
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
    const each = await recoveryOf(of(clusterClaim), askers);
    // One that was made is gone, and the intents of then hold again, for what is left of their time.
    const gone = [(await ocm.membership()).status, (await property.id()).status];
    const waited = await Promise.all([
      letBy(taken, away + 3 * LIFETIME_MS, ocm.join),
      letBy(taken, away + 3 * LIFETIME_MS, () => property.changeId('x')),
    ]);
    const right = Object.entries(RIGHT).filter(([what, verdict]) => verdicts[what as keyof typeof RIGHT] === verdict);
    await reset(controlPlane, 'raced');
    const { pairs, violations, lonely } = await race(controlPlane, PAIRS);
    record(
      'api-server-gone',
      `stopped for ${away / 1000} s, back with an old snapshot`,
      `${told(tallies)}; back, verdicts right ${right.length} of ${Object.keys(RIGHT).length} and the first identity write stored ${first.toFixed(0)} ms after it was ready; ` +
        `intents of the snapshot let rivals by ${waited.map((time) => (time / 1000).toFixed(1)).join(' and ')} s after they were first seen; ` +
        `${pairs} races on the restored Leases, ${violations} violations`,
    );
    expectRight(tallies);
    expect(verdicts).toEqual(RIGHT);
    expect(gone).toEqual([404, 200]);
    expect(Math.max(...each.allowed)).toBeLessThan(30_000);
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
  const took = await recoveryOf(of(clusterClaim), askers);
  record(
    'api-server-gone',
    'a snapshot from before muster was installed',
    `identity writes refused with ${refused.map(({ status }) => status?.code).join(' and ')}, ${refused.filter(namesWhatLacks).length} of ${refused.length} with the missing right or Lease named; allowed ${list(took.allowed)} after the manifests were applied again (${(performance.now() - began).toFixed(0)} ms with applying)`,
  );
  for (const { allowed, status } of refused) expect([allowed, status?.code]).toEqual([false, 503]);
  expect(refused.filter((answer) => !namesWhatLacks(answer)).map(({ status }) => status?.message)).toEqual([]);
  expect(Math.max(...took.allowed)).toBeLessThan(30_000);
}, 120_000);

function namesWhatLacks({ status }: { status?: { message?: string } }): boolean {
  return /muster may not get|does not exist/.test(status?.message ?? '');
}

test('it was the same two processes all the while, and neither met a bug of its own', () => {
  for (const muster of musters) {
    expect(() => process.kill(muster.pid, 0)).not.toThrow();
    expect(muster.log()).not.toMatch(/a bug in muster|"a failure nobody caught/);
  }
});
