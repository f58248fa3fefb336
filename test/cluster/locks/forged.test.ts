/**
 * Reviews that no API server sent, by somebody who reads the Lease and writes in another user's name: whatever he asks, the
 * intent of a write that is under way stands, and its rival waits.
 */
import { describe, expect, test } from '@jest/globals';
import { clusterClaim } from '../../../src/api/dialects.ts';
import { createLiveWorld } from '../../../src/cluster/live/cluster-state.ts';
import { createLapseWatch } from '../../../src/cluster/locks/lock-state.ts';
import { createEngine, type Subject, type Verdict } from '../../../src/engine/index.ts';
import type { JsonObject } from '../../../src/rules/rule.ts';
import { createMemoryCluster, failing, type MemoryCluster } from '../memory-cluster.ts';
import { change, creation, deletion, ID, MEMBERSHIP } from './writes.ts';

interface Stage {
  readonly cluster: MemoryCluster;
  readonly intents: string[];
  judge(subject: Subject, signal?: AbortSignal): Promise<Verdict>;
}

function stage(): Stage {
  const cluster = createMemoryCluster();
  cluster.put(clusterClaim, ID, 'one');
  const engine = createEngine({ point: 'webhook', live: true });
  const intents: string[] = [];
  const { evaluate: judge } = createLiveWorld({
    client: cluster.client,
    observer: { read: () => {}, intent: (outcome) => void intents.push(outcome) },
    lapses: createLapseWatch(() => 0),
    pause: async () => {},
  });
  return {
    cluster,
    intents,
    judge: async (subject, signal = new AbortController().signal) =>
      judge(subject, engine, { at: Date.now() + 5000, signal }),
  };
}

type Pending = (cluster: MemoryCluster) => Subject;
const join: Pending = () => creation(MEMBERSHIP, 'fleet', { uid: 'on-its-way' });
const changing: Pending = (cluster) => change(cluster, ID, 'two');
const deleting: Pending = (cluster) => deletion(cluster, ID);
/** Each forbids the other. */
const rivalOf = (pending: Pending): Pending =>
  pending === join
    ? (cluster) => change(cluster, ID, 'three', { user: 'bob' })
    : () => creation(MEMBERSHIP, 'fleet', { user: 'bob', uid: 'rival' });

const object = (name: string, uid: string | undefined, resourceVersion?: string): JsonObject => ({
  metadata: {
    name,
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  },
  spec: { value: 'one' },
});

/** What a stranger sends while jane's write is under way. */
const ATTACKS: readonly (readonly [string, Pending, (cluster: MemoryCluster) => Subject])[] = [
  [
    'a leave of the membership that is not there yet, by its uid',
    join,
    (cluster) => deletion(cluster, MEMBERSHIP, {}, object(MEMBERSHIP, 'on-its-way')),
  ],
  [
    'the same in the name of another',
    join,
    (cluster) => deletion(cluster, MEMBERSHIP, { user: 'mallory' }, object(MEMBERSHIP, 'on-its-way')),
  ],
  ['the same join of another uid', join, () => creation(MEMBERSHIP, 'fleet', { uid: 'forged' })],
  ['the same join without a uid', join, () => creation(MEMBERSHIP, 'fleet', { uid: '' })],
  ['the same join of the same uid', join, () => creation(MEMBERSHIP, 'fleet', { uid: 'on-its-way' })],
  ['the same join, refused', join, () => creation(MEMBERSHIP, '', { uid: 'on-its-way' })],
  [
    'the same change of an older version, which counts as done',
    changing,
    (cluster) => change(cluster, ID, 'two', {}, object(ID, cluster.get(clusterClaim, ID)?.uid, '1')),
  ],
  [
    'the same change of another object',
    changing,
    (cluster) => change(cluster, ID, 'two', {}, object(ID, 'another', cluster.get(clusterClaim, ID)?.resourceVersion)),
  ],
  ['the same change of no version', changing, (cluster) => change(cluster, ID, 'two', {}, object(ID, undefined))],
  ['the same change, refused', changing, (cluster) => change(cluster, ID, 'Not_A_Label')],
  [
    'the same deletion of an older version',
    deleting,
    (cluster) => deletion(cluster, ID, {}, object(ID, cluster.get(clusterClaim, ID)?.uid, '1')),
  ],
  ['the same deletion of another object', deleting, (cluster) => deletion(cluster, ID, {}, object(ID, 'another', '1'))],
];

describe.each(ATTACKS)('%s', (_, pending, forged) => {
  test('takes nothing from a write under way', async () => {
    const { cluster, judge } = stage();
    expect((await judge(pending(cluster))).outcome).toBe('allowed');
    await judge(forged(cluster));
    expect((await judge(rivalOf(pending)(cluster))).outcome).toBe('indeterminate');
  });

  test('nor where its sender hangs up, and the intent is given back', async () => {
    const { cluster, judge } = stage();
    await judge(pending(cluster));
    const gone = new AbortController();
    cluster.after = (call) => {
      if (call.startsWith('PUT')) gone.abort();
    };
    await judge(forged(cluster), gone.signal);
    cluster.after = () => {};
    expect((await judge(rivalOf(pending)(cluster))).outcome).toBe('indeterminate');
  });

  test('nor where the way to the API server breaks just then', async () => {
    const { cluster, judge } = stage();
    await judge(pending(cluster));
    let broken = true;
    cluster.after = (call, request) => {
      if (!call.startsWith('PUT') || !broken) return;
      broken = false;
      return failing('unreachable', () => true)(call, request);
    };
    await judge(forged(cluster));
    expect((await judge(rivalOf(pending)(cluster))).outcome).toBe('indeterminate');
  });

  test('nor where it comes first: the write itself has an intent that stands', async () => {
    const { cluster, judge } = stage();
    await judge(forged(cluster));
    expect((await judge(pending(cluster))).outcome).toBe('allowed');
    expect((await judge(rivalOf(pending)(cluster))).outcome).toBe('indeterminate');
  });
});

describe('a real leave', () => {
  test('settles the join, for the membership is there', async () => {
    const { cluster, judge, intents } = stage();
    await judge(join(cluster));
    cluster.put(clusterClaim, MEMBERSHIP, 'fleet', 'on-its-way');
    await judge(deletion(cluster, MEMBERSHIP));
    cluster.remove(clusterClaim, MEMBERSHIP);
    expect(intents).toEqual(['taken', 'settled']);
    expect((await judge(rivalOf(join)(cluster))).outcome).toBe('allowed');
  });

  test('is allowed where that can’t be read, and the join stands until its time is over', async () => {
    const { cluster, judge, intents } = stage();
    await judge(join(cluster));
    cluster.put(clusterClaim, MEMBERSHIP, 'fleet', 'on-its-way');
    cluster.before = failing('forbidden', (call) => call.endsWith(MEMBERSHIP));
    expect((await judge(deletion(cluster, MEMBERSHIP))).outcome).toBe('allowed');
    cluster.before = () => {};
    cluster.remove(clusterClaim, MEMBERSHIP);
    expect(intents).toEqual(['taken', 'stuck']);
    expect((await judge(rivalOf(join)(cluster))).outcome).toBe('indeterminate');
    cluster.now += 61_000;
    expect((await judge(rivalOf(join)(cluster))).outcome).toBe('allowed');
  });
});
