/**
 * Reviews that no API server sent, from somebody who can read the Lease and writes in another user's name: none of them releases the
 * lock of a write that is under way, and its rival waits.
 */
import { describe, expect, test } from '@jest/globals';
import { clusterClaim } from '../../../src/api/dialects.ts';
import type { Subject } from '../../../src/engine/index.ts';
import type { JsonObject } from '../../../src/rules/rule.ts';
import { failing, type MemoryCluster } from '../memory-cluster.ts';
import { createReplica } from './replica.ts';
import { change, creation, deletion, ID, MEMBERSHIP } from './writes.ts';

type WriteOf = (cluster: MemoryCluster) => Subject;
const join: WriteOf = () => creation(MEMBERSHIP, 'fleet', { uid: 'on-its-way' });
const changing: WriteOf = (cluster) => change(cluster, ID, 'two');
const deleting: WriteOf = (cluster) => deletion(cluster, ID);
/** Each forbids the other. */
const rivalOf = (pending: WriteOf): WriteOf =>
  pending === join
    ? (cluster) => change(cluster, ID, 'three', { user: 'bob' })
    : () => creation(MEMBERSHIP, 'fleet', { user: 'bob', uid: 'rival' });

const object = (name: string, metadata: JsonObject): JsonObject => ({
  metadata: { name, ...metadata },
  spec: { value: 'one' },
});
const stored = (cluster: MemoryCluster) => cluster.get(clusterClaim, ID) ?? { uid: '', resourceVersion: '' };
const leave =
  (user: string): WriteOf =>
  (cluster) =>
    deletion(cluster, MEMBERSHIP, { user }, object(MEMBERSHIP, { uid: 'on-its-way' }));
const changeOf =
  (metadata: (cluster: MemoryCluster) => JsonObject): WriteOf =>
  (cluster) =>
    change(cluster, ID, 'two', {}, object(ID, metadata(cluster)));
const deletionOf =
  (metadata: (cluster: MemoryCluster) => JsonObject): WriteOf =>
  (cluster) =>
    deletion(cluster, ID, {}, object(ID, metadata(cluster)));

/** The pending write, and what a stranger sends meanwhile. */
const ATTACKS: readonly (readonly [string, WriteOf, WriteOf])[] = [
  ['a leave of the membership that is not stored yet, by its uid', join, leave('jane')],
  ['the same in the name of another', join, leave('mallory')],
  ['the same join with another uid', join, () => creation(MEMBERSHIP, 'fleet', { uid: 'forged' })],
  ['the same join without a uid', join, () => creation(MEMBERSHIP, 'fleet', { uid: '' })],
  ['the same join with the same uid', join, () => creation(MEMBERSHIP, 'fleet', { uid: 'on-its-way' })],
  ['the same join, denied', join, () => creation(MEMBERSHIP, '', { uid: 'on-its-way' })],
  [
    'the same change of an older version',
    changing,
    changeOf((cluster) => ({ uid: stored(cluster).uid, resourceVersion: '1' })),
  ],
  [
    'the same change of another object',
    changing,
    changeOf((cluster) => ({ uid: 'another', resourceVersion: stored(cluster).resourceVersion })),
  ],
  ['the same change of no version', changing, changeOf(() => ({}))],
  ['the same change, denied', changing, (cluster) => change(cluster, ID, 'Not_A_Label')],
  [
    'the same deletion of an older version',
    deleting,
    deletionOf((cluster) => ({ uid: stored(cluster).uid, resourceVersion: '1' })),
  ],
  ['the same deletion of another object', deleting, deletionOf(() => ({ uid: 'another', resourceVersion: '1' }))],
];
const isPut = (call: string) => call.startsWith('PUT');

describe.each(ATTACKS)('%s', (_, pending, forged) => {
  test.each<[string, (cluster: MemoryCluster, ended: AbortController) => void]>([
    ['releases no lock', () => {}],
    [
      'releases none where its sender hangs up',
      (cluster, ended) => {
        cluster.after = (call) => void (isPut(call) && ended.abort());
      },
    ],
    [
      'releases none where the connection to the API server breaks',
      (cluster) => {
        let failures = 1;
        cluster.after = failing('unreachable', (call) => isPut(call) && failures-- > 0);
      },
    ],
  ])('%s', async (__, prepare) => {
    const { cluster, outcome } = createReplica();
    expect(await outcome(pending(cluster))).toBe('allowed');
    const ended = new AbortController();
    prepare(cluster, ended);
    await outcome(forged(cluster), { signal: ended.signal });
    cluster.after = () => {};
    expect(await outcome(rivalOf(pending)(cluster))).toBe('indeterminate');
  });

  test('that comes first does not keep the write itself from its lock', async () => {
    const { cluster, outcome } = createReplica();
    await outcome(forged(cluster));
    expect(await outcome(pending(cluster))).toBe('allowed');
    expect(await outcome(rivalOf(pending)(cluster))).toBe('indeterminate');
  });
});

test('a real leave whose membership can’t be read is allowed, and the lock of the join is held until it expires', async () => {
  const { cluster, outcome, outcomes } = createReplica();
  await outcome(join(cluster));
  cluster.put(clusterClaim, MEMBERSHIP, 'fleet', 'on-its-way');
  cluster.before = failing('forbidden', (call) => call.endsWith(MEMBERSHIP));
  expect(await outcome(deletion(cluster, MEMBERSHIP))).toBe('allowed');
  cluster.before = () => {};
  cluster.remove(clusterClaim, MEMBERSHIP);
  expect(outcomes).toEqual(['acquired', 'leaked']);
  expect(await outcome(rivalOf(join)(cluster))).toBe('indeterminate');
  cluster.now += 61_000;
  expect(await outcome(rivalOf(join)(cluster))).toBe('allowed');
});
