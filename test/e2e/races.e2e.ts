/** Races on a cluster's identity: two replicas, a real API server, and writes at the same moment. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { clusterClaim } from '../../src/api/dialects.ts';
import {
  type ControlPlane,
  grantAccess,
  type Muster,
  register,
  say,
  startControlPlane,
  startMuster,
} from './harness/index.ts';
import { type ClaimDialect, DIALECTS, type Identity, identityOf } from './races/identity.ts';
import { newTally, percentile, type Tally } from './races/pairs.ts';
import { raced } from './races/raced.ts';
import { type RoundRobin, startRoundRobin } from './races/round-robin.ts';
import { serveWithoutIntents } from './races/without-locks.ts';

const PAIRS = Number(process.env['RACE_PAIRS'] ?? 1000);
const CONTROL_PAIRS = 60;
/** Worlds of their own: claims of one do not see those of another, and each has its Lease. */

let controlPlane: ControlPlane;
let musters: Muster[];
let proxy: RoundRobin;

beforeAll(async () => {
  controlPlane = await startControlPlane();
  await grantAccess(controlPlane);
  musters = await Promise.all([startMuster({ controlPlane }), startMuster({ controlPlane })]);
  proxy = await startRoundRobin(musters.map(({ port }) => port));
  await register(controlPlane, musters, { url: proxy.url });
});
afterAll(async () => {
  await Promise.all((musters ?? []).map((muster) => muster.stop()));
  await proxy?.close();
  await controlPlane?.stop();
});

const identity = (dialect: ClaimDialect, user = 'jane'): Identity => identityOf(dialect, controlPlane.api(user));

async function race(pairs: number, tally: Tally): Promise<number> {
  const each = Math.ceil(pairs / 2 / DIALECTS.length);
  const found = await Promise.all(DIALECTS.map((dialect) => raced(controlPlane, identity(dialect), each, tally)));
  return found.reduce((sum, count) => sum + count, 0);
}

function tell(name: string, violations: number, tally: Tally): void {
  const { pairs, joined, changed, both, neither, waits, times, lonely } = tally;
  const time = `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;
  say(
    `${name}: ${pairs} pairs, ${violations} violations; joined ${joined}, changed or deleted ${changed} (in order ${both}), ` +
      `both refused ${neither}; 503 ${waits}; without a rival refused ${lonely.length}; ${time}`,
  );
}

async function sumOf(metric: RegExp): Promise<number[]> {
  const texts = await Promise.all(musters.map((muster) => muster.metrics()));
  return texts.map((text) => [...text.matchAll(metric)].reduce((sum, [, value]) => sum + Number(value), 0));
}

describe('one write at a time', () => {
  test('joining is three calls and a look at itself, a change three, a refused change two, leaving a join three', async () => {
    const one = identity(clusterClaim);
    const calls = async (write: () => Promise<unknown>): Promise<string> => {
      const reads = /^muster_cluster_reads_total\{.*\} (\d+)$/gm;
      const before = await sumOf(reads);
      await write();
      const after = await sumOf(reads);
      return String(after.reduce((sum, count, index) => sum + count - (before[index] ?? 0), 0));
    };
    const read = {
      create: await calls(() => one.createId('first')),
      change: await calls(() => one.changeId('second')),
      join: await calls(() => one.join()),
      refused: await calls(() => one.changeId('third')),
      leave: await calls(() => one.leave()),
      rejoin: await calls(() => one.join()),
    };
    await one.leave();
    say(`reads of claims (the Lease is one GET more, and one PUT where allowed): ${JSON.stringify(read)}`);
    expect(read).toEqual({ create: '0', change: '1', join: '2', refused: '1', leave: '1', rejoin: '2' });
    expect((await one.id()).body.spec.value).toBe('second');
  });

  test('leave, change, rejoin: a hundred times in one script, by one who never tries again', async () => {
    const one = identity(clusterClaim);
    expect(await one.join()).toMatchObject({ status: 201 });
    const refused: string[] = [];
    const times: number[] = [];
    const step = async (name: string, write: Promise<{ status: number; body: { message?: string } }>) => {
      const began = performance.now();
      const { status, body } = await write;
      times.push(performance.now() - began);
      if (status > 299) refused.push(`${name}: ${status} ${body.message}`);
    };
    for (let round = 0; round < 100; round++) {
      await step('leave', one.leave());
      await step('change', one.changeId(`round-${round}`));
      await step('rejoin', one.join());
    }
    say(`leave, change, rejoin: 300 writes, refused ${refused.length}, p50 ${percentile(times, 0.5).toFixed(1)} ms`);
    expect(refused).toEqual([]);
  });

  test('another user rejoins, the id goes and comes back, a tool joins before the id is there', async () => {
    for (const dialect of DIALECTS) {
      const [jane, bob] = [identity(dialect), identity(dialect, 'bob')];
      const found: number[] = [];
      if ((await jane.membership()).status === 200) found.push((await jane.leave()).status);
      if ((await jane.id()).status === 200) found.push((await jane.deleteId()).status);
      for (const write of [
        () => jane.createId('one'),
        () => jane.join(),
        () => jane.leave(),
        () => bob.join(),
        () => bob.leave(),
        () => jane.deleteId(),
        () => bob.createId('two'),
        () => bob.changeId('three'),
        () => jane.deleteId(),
        () => jane.join(),
        () => jane.createId('four'),
        () => bob.leave(),
        () => bob.changeId('five'),
        () => bob.deleteId(),
      ]) {
        found.push((await write()).status);
      }
      expect({ dialect: dialect.name, found: found.filter((status) => status > 299) }).toEqual({
        dialect: dialect.name,
        found: [],
      });
    }
  });

  test('a controller that creates what is there blocks nobody', async () => {
    const [jane, bob] = [identity(clusterClaim), identity(clusterClaim, 'bob')];
    expect(await jane.createId('one')).toMatchObject({ status: 201 });
    expect(await jane.join()).toMatchObject({ status: 201 });
    for (let again = 0; again < 3; again++) {
      expect(await jane.join()).toMatchObject({ status: 409, body: { reason: 'AlreadyExists' } });
    }
    expect(await jane.leave()).toMatchObject({ status: 200 });
    expect(await bob.changeId('two')).toMatchObject({ status: 200 });
    expect(await bob.deleteId()).toMatchObject({ status: 200 });
  });

  test('a dry run takes no intent', async () => {
    const one = identity(clusterClaim);
    const api = controlPlane.api('jane');
    expect(await one.createId('one')).toMatchObject({ status: 201 });
    const object = {
      apiVersion: 'multicluster.x-k8s.io/v1alpha1',
      kind: 'ClusterClaim',
      metadata: { name: 'clusterset.k8s.io' },
    };
    const path = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims?dryRun=All';
    expect(await api.call('POST', path, { ...object, spec: { value: 'x' } })).toMatchObject({ status: 201 });
    expect(await identity(clusterClaim, 'bob').changeId('two')).toMatchObject({ status: 200 });
    expect(await one.deleteId()).toMatchObject({ status: 200 });
  });
});

test('without intents the same pairs do break the norm: this test can fail', async () => {
  const plain = await serveWithoutIntents(controlPlane);
  try {
    await register(controlPlane, plain);
    const tally = newTally();
    const violations = await race(CONTROL_PAIRS, tally);
    tell('without intents', violations, tally);
    for (const refusal of new Set(tally.lonely)) say(`without intents, refused without a rival: ${refusal}`);
    expect(violations).toBeGreaterThan(0);
  } finally {
    await register(controlPlane, musters, { url: proxy.url });
    await plain.close();
  }
}, 300_000);

test('simultaneous joins and changes, joins and deletions: the final state is always one of the two orders', async () => {
  const tally = newTally();
  const intents = /^muster_locks_total\{outcome="taken"\} (\d+)$/gm;
  const before = await sumOf(intents);
  const violations = await race(PAIRS, tally);
  tell('with intents, two replicas', violations, tally);
  const taken = (await sumOf(intents)).map((count, index) => count - (before[index] ?? 0));
  say(`intents taken by each replica: ${taken.join(', ')}; connections to each: ${proxy.connections.join(', ')}`);
  expect(violations).toBe(0);
  expect(tally.lonely).toEqual([]);
  expect(tally.neither).toBe(0);
  expect(tally.pairs).toBeGreaterThanOrEqual(PAIRS);
  for (const count of taken) expect(count).toBeGreaterThan(PAIRS / 20);
}, 600_000);

test('the Leases are left as they should be: no value, no user in them', async () => {
  const { body } = await controlPlane
    .api('admin')
    .call('GET', '/apis/coordination.k8s.io/v1/namespaces/muster-system/leases');
  const leases = body.items.filter(({ metadata }: { metadata: { name: string } }) =>
    metadata.name.startsWith('muster-'),
  );
  expect(leases).toHaveLength(3);
  for (const { metadata, spec } of leases) {
    const text = JSON.stringify({ annotations: metadata.annotations, spec });
    expect(text).not.toMatch(/jane|bob|fleet|mark-|after-/);
    expect(spec.leaseTransitions).toBeGreaterThan(20);
  }
});
