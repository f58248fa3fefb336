/** Races on a cluster's identity: two replicas, a real API server, and writes at the same moment. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clusterClaim } from '../../src/api/dialects.ts';
import {
  type ControlPlane,
  DIALECTS,
  grantAccess,
  identityOf,
  type Muster,
  register,
  type ServiceProxy,
  say,
  startControlPlane,
  startMuster,
  startProxy,
} from './harness/index.ts';
import { race } from './races/pairs.ts';
import { serveWithoutLocks } from './races/without-locks.ts';

const PAIRS = Number(process.env['RACE_PAIRS'] ?? 600);

let controlPlane: ControlPlane;
let musters: Muster[];
let proxy: ServiceProxy;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  musters = await Promise.all([startMuster({ controlPlane }), startMuster({ controlPlane })]);
  proxy = await startProxy({ targets: () => musters });
  await register(controlPlane, musters, { url: proxy.url });
});
afterAll(async () => {
  await Promise.all((musters ?? []).map((muster) => muster.stop()));
  await proxy?.close();
  await controlPlane?.stop();
});

test('a script that leaves, changes the id and joins again a hundred times is never refused', async () => {
  const one = identityOf(clusterClaim, controlPlane.api('jane'));
  const refused: string[] = [];
  const step = async (write: Promise<{ status: number; body: { message?: string } }>) => {
    const { status, body } = await write;
    if (status > 299) refused.push(`${status} ${body.message}`);
  };
  await step(one.createId('first'));
  await step(one.join());
  for (let round = 0; round < 100; round++) {
    await step(one.leave());
    await step(one.changeId(`round-${round}`));
    await step(one.join());
  }
  expect(refused).toEqual([]);
});

test.each(DIALECTS.map((dialect) => [dialect.name, dialect] as const))(
  'writes of two users one after the other are never refused: %s',
  async (_, dialect) => {
    const [jane, bob] = ['jane', 'bob'].map((user) => identityOf(dialect, controlPlane.api(user)));
    if (jane === undefined || bob === undefined) throw new Error('two users');
    if ((await jane.membership()).status === 200) await jane.leave();
    if ((await jane.id()).status === 200) await jane.deleteId();
    const statuses: number[] = [];
    for (const write of [
      () => jane.createId('one'),
      ...[jane.join, jane.leave, bob.join, bob.leave, jane.deleteId],
      ...[() => bob.createId('two'), () => bob.changeId('three'), jane.deleteId, jane.join],
      ...[() => jane.createId('four'), bob.leave, () => bob.changeId('five'), bob.deleteId],
    ])
      statuses.push((await write()).status);
    expect(statuses.filter((status) => status > 299)).toEqual([]);
  },
);

test('a controller that creates a membership that exists blocks nobody', async () => {
  const [jane, bob] = [
    identityOf(clusterClaim, controlPlane.api('jane')),
    identityOf(clusterClaim, controlPlane.api('bob')),
  ];
  expect(await jane.createId('one')).toMatchObject({ status: 201 });
  expect(await jane.join()).toMatchObject({ status: 201 });
  for (let again = 0; again < 3; again++)
    expect(await jane.join()).toMatchObject({ status: 409, body: { reason: 'AlreadyExists' } });
  expect(await jane.leave()).toMatchObject({ status: 200 });
  expect(await bob.changeId('two')).toMatchObject({ status: 200 });
  expect(await bob.deleteId()).toMatchObject({ status: 200 });
});

test('without locks the same races break the norm, so the test can fail', async () => {
  const plain = await serveWithoutLocks(controlPlane);
  try {
    await register(controlPlane, plain);
    expect((await race(controlPlane, 10)).violations).toBeGreaterThan(0);
  } finally {
    await register(controlPlane, musters, { url: proxy.url });
    await plain.close();
  }
}, 300_000);

test('of two writes that forbid each other, at least one is stored and never both out of order', async () => {
  const { pairs, ...tally } = await race(controlPlane, Math.ceil(PAIRS / 6));
  say(`races: ${pairs} pairs, ${tally.violations} violations; connections ${[...proxy.made.values()].join(' and ')}`);
  expect(tally).toEqual({ violations: 0, lonely: [], neither: 0 });
  expect(pairs).toBeGreaterThanOrEqual(PAIRS);
  expect(proxy.made.size).toBe(2);
}, 600_000);

test('the Leases hold no value and no user', async () => {
  const path = '/apis/coordination.k8s.io/v1/namespaces/muster-system/leases';
  const { body } = await controlPlane.api('admin').call('GET', path);
  for (const { metadata, spec } of body.items) {
    expect(JSON.stringify({ annotations: metadata.annotations, spec })).not.toMatch(/jane|bob|fleet|mark-|changed-/);
    expect(spec.leaseTransitions).toBeGreaterThan(20);
  }
  expect(body.items).toHaveLength(3);
});
