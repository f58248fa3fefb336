/**
 * Reviews that no API server sent, from somebody who can read the Lease and writes in another user's name: none of them
 * releases the lock of a write that is under way, and its rival waits.
 */
import { expect, test } from '@jest/globals';
import { clusterClaim } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Subject } from '../../../../src/rules/rule.ts';
import { failing } from '../../../support/memory-api.ts';
import type { MemoryCluster } from '../../../support/memory-cluster.ts';
import { createReplica } from './replica.ts';
import { change, creation, deletion, ID, MEMBERSHIP } from './writes.ts';

type WriteOf = (cluster: MemoryCluster) => Subject;
/** A review of an object with these, as the sender says. */
type Claimed = Readonly<Record<'uid' | 'resourceVersion', string>>;
const join =
  (uid: string, value = 'fleet'): WriteOf =>
  () =>
    creation(MEMBERSHIP, value, { uid });
const leaving =
  (user: string): WriteOf =>
  (cluster) =>
    deletion(cluster, MEMBERSHIP, { user }, reviewed(MEMBERSHIP, { uid: 'pending' }));
const changing: WriteOf = (cluster) => change(cluster, ID, 'two');
const deleting: WriteOf = (cluster) => deletion(cluster, ID);
const changeOf =
  (claimed: Partial<Claimed>): WriteOf =>
  (cluster) =>
    change(cluster, ID, 'two', {}, reviewed(ID, { ...stored(cluster), ...claimed }));
const deletionOf =
  (claimed: Partial<Claimed>): WriteOf =>
  (cluster) =>
    deletion(cluster, ID, {}, reviewed(ID, { ...stored(cluster), ...claimed }));
/** Forbids the pending write, and is forbidden by it. */
const rivalOf = (operation: Subject['operation']): WriteOf =>
  operation === 'CREATE'
    ? (cluster) => change(cluster, ID, 'three', { user: 'bob' })
    : () => creation(MEMBERSHIP, 'fleet', { user: 'bob', uid: 'rival' });

function reviewed(name: string, metadata: JsonObject): JsonObject {
  return { metadata: { name, ...metadata }, spec: { value: 'one' } };
}

function stored(cluster: MemoryCluster): Claimed {
  const { uid = '', resourceVersion = '' } = cluster.get(clusterClaim, ID) ?? {};
  return { uid, resourceVersion };
}

/** The pending write, and what a stranger sends meanwhile. */
const ATTACKS: readonly (readonly [string, WriteOf, WriteOf])[] = [
  ['a leave of the membership that is not stored yet, by its uid', join('pending'), leaving('jane')],
  ['the same in the name of another', join('pending'), leaving('mallory')],
  ['the same join with another uid', join('pending'), join('forged')],
  ['the same join without a uid', join('pending'), join('')],
  ['the same join with the same uid', join('pending'), join('pending')],
  ['the same join, denied', join('pending'), join('pending', '')],
  ['the same change of an older version', changing, changeOf({ resourceVersion: '1' })],
  ['the same change of another object', changing, changeOf({ uid: 'another' })],
  ['the same change of no version', changing, changeOf({ uid: '', resourceVersion: '' })],
  ['the same change, denied', changing, (cluster) => change(cluster, ID, 'Not_A_Label')],
  ['the same deletion of an older version', deleting, deletionOf({ resourceVersion: '1' })],
  ['the same deletion of another object', deleting, deletionOf({ uid: 'another', resourceVersion: '1' })],
];
const isPut = (call: string) => call.startsWith('PUT');

const MOMENTS: readonly (readonly [string, (cluster: MemoryCluster, ended: AbortController) => void])[] = [
  ['', () => {}],
  [
    ', whose sender hangs up',
    (cluster, ended) => {
      cluster.after = (call) => void (isPut(call) && ended.abort());
    },
  ],
  [
    ', while the connection to the API server breaks',
    (cluster) => {
      let failures = 1;
      cluster.after = failing('unreachable', (call) => isPut(call) && failures-- > 0);
    },
  ],
];
const CASES = ATTACKS.flatMap(([attack, ...writes]) =>
  MOMENTS.map(([moment, prepare]) => [`${attack}${moment}`, ...writes, prepare] as const),
);

test.each(CASES)('%s, releases no lock', async (_, pending, forged, prepare) => {
  const { cluster, outcome } = createReplica();
  const subject = pending(cluster);
  expect(await outcome(subject)).toBe('allowed');
  const ended = new AbortController();
  prepare(cluster, ended);
  await outcome(forged(cluster), { signal: ended.signal });
  cluster.after = () => {};
  expect(await outcome(rivalOf(subject.operation)(cluster))).toBe('indeterminate');
});

test.each(ATTACKS)('%s that comes first does not keep the write from its lock', async (_, pending, forged) => {
  const { cluster, outcome } = createReplica();
  await outcome(forged(cluster));
  const subject = pending(cluster);
  expect(await outcome(subject)).toBe('allowed');
  expect(await outcome(rivalOf(subject.operation)(cluster))).toBe('indeterminate');
});

test('a real leave whose membership can’t be read is allowed, and the lock of the join is held until it expires', async () => {
  const { cluster, outcome, outcomes } = createReplica();
  await outcome(join('joined')(cluster));
  cluster.put(clusterClaim, MEMBERSHIP, 'fleet', 'joined');
  cluster.before = failing('forbidden', (call) => call.endsWith(MEMBERSHIP));
  expect(await outcome(deletion(cluster, MEMBERSHIP))).toBe('allowed');
  cluster.before = () => {};
  cluster.remove(clusterClaim, MEMBERSHIP);
  expect(outcomes).toEqual(['acquired', 'leaked']);
  expect(await outcome(rivalOf('CREATE')(cluster))).toBe('indeterminate');
  cluster.now += 61_000;
  expect(await outcome(rivalOf('CREATE')(cluster))).toBe('allowed');
});
