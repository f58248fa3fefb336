/** etcd goes back to an older snapshot while a replica runs on: what the replica remembers counts neither for nor against what is stored now. */
import { expect, test } from '@jest/globals';
import { clusterClaim } from '../../../src/api/dialects.ts';
import { createReplica } from './replica.ts';
import { change, creation, ID, MEMBERSHIP } from './writes.ts';

/** Of a time that no clock agrees with: only that it was seen unchanged for a minute ends it. */
const foreign = (holderIdentity = 'x') => ({
  metadata: {},
  spec: { holderIdentity, renewTime: '2096-01-01T00:00:00.000000Z' },
});

test('a membership that is gone again holds nothing up, one that is back counts', async () => {
  const { cluster, outcome } = createReplica();
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

test('a lock that is back is held for a minute from when it was first seen', async () => {
  const replica = createReplica();
  const write = () => replica.outcome(change(replica.cluster, ID, 'two'));
  replica.cluster.setLease(clusterClaim, foreign());
  expect(await write()).toBe('indeterminate');
  replica.cluster.setLease(clusterClaim, { metadata: {} });
  replica.clock = 30_000;
  replica.cluster.setLease(clusterClaim, foreign());
  expect(await write()).toBe('indeterminate');
  replica.clock = 60_001;
  expect(await write()).toBe('allowed');
});

test('that minute begins again where another lock was seen in between', async () => {
  const replica = createReplica();
  const write = () => replica.outcome(change(replica.cluster, ID, 'two'));
  for (const [index, holder] of ['x', 'y', 'x'].entries()) {
    replica.clock = index * 10_000;
    replica.cluster.setLease(clusterClaim, foreign(holder));
    expect(await write()).toBe('indeterminate');
  }
  replica.clock = 80_000;
  expect(await write()).toBe('indeterminate');
  replica.clock = 80_001;
  expect(await write()).toBe('allowed');
});

test('a lock of the snapshot expires by its time', async () => {
  const { cluster, outcome } = createReplica();
  expect(await outcome(change(cluster, ID, 'two'))).toBe('allowed');
  const held = cluster.lease(clusterClaim);
  cluster.now += 40_000;
  cluster.setLease(clusterClaim, held);
  expect(await outcome(creation(MEMBERSHIP, 'fleet', { user: 'bob' }))).toBe('indeterminate');
  cluster.now += 21_000;
  expect(await outcome(creation(MEMBERSHIP, 'fleet', { user: 'bob' }))).toBe('allowed');
});
