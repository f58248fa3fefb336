/**
 * A cluster's identity under two replicas and a real API server: ways to join and leave, writes at the same moment, and
 * the Leases.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { clusterClaim } from '../../../src/api/dialects.ts';
import {
  type ControlPlane,
  grantAccess,
  type Identity,
  identityOf,
  type Muster,
  register,
  type ServiceProxy,
  say,
  settled,
  startControlPlane,
  startMuster,
  startProxy,
  startSecondApiServer,
} from './harness/index.ts';
import { race } from './races/pairs.ts';
import { membership } from './verbs/objects.ts';

const PAIRS = Number(process.env['RACE_PAIRS'] ?? 120);
const CLAIMS = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
const MEMBERSHIP = `${CLAIMS}/clusterset.k8s.io`;
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/muster-system/leases';

let controlPlane: ControlPlane;
let musters: Muster[];
let proxy: ServiceProxy;
let jane: Identity;
let bob: Identity;

const api = (user = 'jane') => controlPlane.api(user);
const leases = async () => (await api('admin').call('GET', LEASES)).body.items;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  const options = { controlPlane, config: { exemptions: { users: ['admin'] } } };
  musters = await Promise.all([startMuster(options), startMuster(options)]);
  proxy = await startProxy({ targets: () => musters });
  await register(controlPlane, musters, { url: proxy.url });
  [jane, bob] = [identityOf(clusterClaim, api('jane')), identityOf(clusterClaim, api('bob'))];
});
afterAll(async () => {
  await Promise.all((musters ?? []).map((muster) => muster.stop()));
  await proxy?.close();
  await controlPlane?.stop();
});
beforeEach(async () => {
  if ((await jane.membership()).status === 200) await jane.leave();
  if ((await jane.id()).status === 404) await jane.createId('start');
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

test('a script that leaves, changes the id and joins again thirty times is never refused', async () => {
  const refused: string[] = [];
  const step = async (write: Promise<{ status: number; body: { message?: string } }>) => {
    const { status, body } = await write;
    if (status > 299) refused.push(`${status} ${body.message}`);
  };
  await step(jane.join());
  for (let round = 0; round < 30; round++) {
    await step(jane.leave());
    await step(jane.changeId(`round-${round}`));
    await step(jane.join());
  }
  expect(refused).toEqual([]);
});

const FLAWLESS = { violations: 0, lonely: [], neither: 0 };

/** Locks that these servers could not release in time. */
async function leaked(servers: readonly Muster[]): Promise<number> {
  const counts = (await Promise.all(servers.map((server) => server.metrics()))).flatMap((text) =>
    [...text.matchAll(/^muster_locks_total\{outcome="leaked"\} (\d+)/gm)].map(([, count]) => Number(count)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

test('of two writes that forbid each other, at least one is stored and never both out of order', async () => {
  const { pairs, ...tally } = await race(controlPlane, Math.ceil(PAIRS / 6));
  say(`races: ${pairs} pairs, ${tally.violations} violations; connections ${[...proxy.made.values()].join(' and ')}`);
  expect({ ...tally, lonely: tally.lonely.slice(await leaked(musters)) }).toEqual(FLAWLESS);
  expect(pairs).toBeGreaterThanOrEqual(PAIRS);
  expect(proxy.made.size).toBe(2);
});

test('the same through two API servers on one etcd, each of which a replica of muster reads', async () => {
  const second = await startSecondApiServer(controlPlane);
  const [first] = musters as [Muster];
  const other = await startMuster({ controlPlane: second });
  const both = await startProxy({ targets: () => [first, other] });
  try {
    await register(controlPlane, [first, other], { url: both.url });
    await settled(second);
    const { pairs, ...tally } = await race(controlPlane, 10, second);
    expect({ ...tally, lonely: tally.lonely.slice(await leaked([first, other])) }).toEqual(FLAWLESS);
    expect([pairs, both.made.size]).toEqual([60, 2]);
  } finally {
    await register(controlPlane, musters, { url: proxy.url });
    await other.stop();
    await both.close();
    await second.stop();
  }
});

test('the Leases hold no value and no user', async () => {
  const all = await leases();
  for (const { metadata, spec } of all) {
    expect(JSON.stringify({ annotations: metadata.annotations, spec })).not.toMatch(/jane|bob|fleet|mark-|changed-/);
    expect(spec.leaseTransitions).toBeGreaterThan(20);
  }
  expect(all).toHaveLength(3);
});
