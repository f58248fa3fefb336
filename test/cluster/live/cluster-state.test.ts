/** An API server that takes a call and never answers: what is certain without it is answered all the same, before the deadline. */
import { expect, test } from '@jest/globals';
import { ClusterError } from '../../../src/cluster/live/errors.ts';
import type { Policy, Subject, Verdict } from '../../../src/engine/index.ts';
import { createReplica } from '../locks/replica.ts';
import { change, creation, deletion, ID, MEMBERSHIP } from '../locks/writes.ts';
import type { MemoryCluster } from '../memory-cluster.ts';

/** The verdict, and the longest time limit of a call in milliseconds. */
async function hanging(
  write: (cluster: MemoryCluster) => Subject,
  budget: number,
  policy: Partial<Policy> = {},
): Promise<{ verdict: Verdict; longest: number }> {
  const { cluster, evaluate } = createReplica(policy);
  const subject = write(cluster);
  let longest = 0;
  cluster.before = async (call, { timeoutMs = 10_000 }) => {
    longest = Math.max(longest, timeoutMs);
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, timeoutMs)));
    throw new ClusterError('timeout', `${call}: no answer in time`);
  };
  return { verdict: await evaluate(subject, { at: Date.now() + budget }), longest };
}

const BUDGET = 1000;
/** A tenth is left for the answer. */
const MOST = 900;

test('what the object alone denies is denied after half a second at most', async () => {
  const { verdict, longest } = await hanging((cluster) => change(cluster, ID, 'Not_A_Label'), 60_000);
  expect(verdict.outcome).toBe('denied');
  expect(longest).toBeLessThanOrEqual(500);
});

test.each<[string, (cluster: MemoryCluster) => Subject]>([
  ['a change', (cluster) => change(cluster, ID, 'two')],
  ['a join', () => creation(MEMBERSHIP, 'fleet')],
])('%s is answered in time, and the message names what did not answer', async (_, write) => {
  const { verdict, longest } = await hanging(write, BUDGET);
  expect(verdict.outcome).toBe('indeterminate');
  expect(JSON.stringify(verdict.indeterminate)).toContain('no answer in time');
  expect(longest).toBeLessThanOrEqual(MOST);
});

test.each<[string, Partial<Policy>, (cluster: MemoryCluster) => Subject]>([
  ['in mode warn', { mode: 'warn' }, (cluster) => change(cluster, ID, 'two')],
  ['on leave', {}, (cluster) => deletion(cluster, MEMBERSHIP, {}, { metadata: { name: MEMBERSHIP, uid: 'u' } })],
])('no write is refused %s', async (_, policy, write) => {
  const { verdict, longest } = await hanging(write, BUDGET, policy);
  expect(verdict.outcome).toBe('allowed');
  expect(longest).toBeLessThanOrEqual(MOST);
});

test('a leave waits three seconds at most, however much time its request has', async () => {
  const { cluster, outcome } = createReplica();
  const limits: number[] = [];
  cluster.before = (_, { timeoutMs = Number.POSITIVE_INFINITY }) => {
    limits.push(timeoutMs);
    throw new ClusterError('timeout', 'no answer');
  };
  const leave = deletion(cluster, MEMBERSHIP, {}, { metadata: { name: MEMBERSHIP, uid: 'u' } });
  expect(await outcome(leave, { at: Date.now() + 30_000 })).toBe('allowed');
  expect(limits).toHaveLength(1);
  expect(limits[0]).toBeLessThanOrEqual(3000);
});
