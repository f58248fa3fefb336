/** etcd goes back to an older snapshot while a replica runs on: what it has in memory may not count against, or for, what is there now. */
import { expect, test } from '@jest/globals';
import { clusterClaim } from '../../../src/api/dialects.ts';
import { createLiveWorld } from '../../../src/cluster/live/cluster-state.ts';
import { createLapseWatch } from '../../../src/cluster/locks/lock-state.ts';
import { createEngine, type Subject } from '../../../src/engine/index.ts';
import { createMemoryCluster } from '../memory-cluster.ts';
import { change, creation, ID, MEMBERSHIP } from './writes.ts';

/** One replica, whose own clock is `setting.clock`. */
function replica() {
  const cluster = createMemoryCluster();
  cluster.put(clusterClaim, ID, 'one');
  const setting = { clock: 0 };
  const engine = createEngine({ point: 'webhook', live: true });
  const world = createLiveWorld({
    client: cluster.client,
    lapses: createLapseWatch(() => setting.clock),
    pause: async () => {},
  });
  const outcome = async (subject: Subject) => {
    const patience = { at: Date.now() + 5000, signal: new AbortController().signal };
    return (await world.evaluate(subject, engine, patience)).outcome;
  };
  return { cluster, setting, outcome };
}

/** Held by nobody's clock: only that it was seen unchanged for a minute can end it. */
const foreign = { metadata: {}, spec: { holderIdentity: 'x', renewTime: '2096-01-01T00:00:00.000000Z' } };

test('a membership that is gone again holds nothing up, one that is back again counts', async () => {
  const { cluster, outcome } = replica();
  const before = cluster.lease(clusterClaim);
  expect(await outcome(creation(MEMBERSHIP, 'fleet', { uid: 'joined' }))).toBe('allowed');
  cluster.put(clusterClaim, MEMBERSHIP, 'fleet', 'joined');
  expect(await outcome(change(cluster, ID, 'two'))).toBe('denied');
  const joined = cluster.lease(clusterClaim);
  cluster.setLease(clusterClaim, before);
  cluster.remove(clusterClaim, MEMBERSHIP);
  expect(await outcome(change(cluster, ID, 'two'))).toBe('allowed');
  cluster.setLease(clusterClaim, joined);
  cluster.put(clusterClaim, MEMBERSHIP, 'fleet', 'joined');
  expect(await outcome(change(cluster, ID, 'two'))).toBe('denied');
});

test('an intent that is back counts from when it was seen first', async () => {
  const { cluster, setting, outcome } = replica();
  cluster.setLease(clusterClaim, foreign);
  expect(await outcome(change(cluster, ID, 'two'))).toBe('indeterminate');
  cluster.setLease(clusterClaim, { metadata: {} });
  setting.clock = 30_000;
  cluster.setLease(clusterClaim, foreign);
  expect(await outcome(change(cluster, ID, 'two'))).toBe('indeterminate');
  setting.clock = 60_001;
  expect(await outcome(change(cluster, ID, 'two'))).toBe('allowed');
});

test('… and anew where another one was seen in between', async () => {
  const { cluster, setting, outcome } = replica();
  for (const [at, holderIdentity] of [
    [0, 'x'],
    [10_000, 'y'],
    [20_000, 'x'],
  ] as const) {
    setting.clock = at;
    cluster.setLease(clusterClaim, { ...foreign, spec: { ...foreign.spec, holderIdentity } });
    expect(await outcome(change(cluster, ID, 'two'))).toBe('indeterminate');
  }
  setting.clock = 80_000;
  expect(await outcome(change(cluster, ID, 'two'))).toBe('indeterminate');
  setting.clock = 80_001;
  expect(await outcome(change(cluster, ID, 'two'))).toBe('allowed');
});

test('an intent of the snapshot lapses by its stamp, or is over by what is stored', async () => {
  const { cluster, outcome } = replica();
  expect(await outcome(change(cluster, ID, 'two'))).toBe('allowed');
  const held = cluster.lease(clusterClaim);
  cluster.now += 40_000;
  cluster.setLease(clusterClaim, held);
  expect(await outcome(creation(MEMBERSHIP, 'fleet', { user: 'bob' }))).toBe('indeterminate');
  cluster.now += 21_000;
  expect(await outcome(creation(MEMBERSHIP, 'fleet', { user: 'bob' }))).toBe('allowed');
});
