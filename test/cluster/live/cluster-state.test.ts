/** An API server that takes a call and never answers: what is certain without it is said all the same, before the time is over. */
import { expect, test } from '@jest/globals';
import { clusterClaim } from '../../../src/api/dialects.ts';
import { createLiveWorld } from '../../../src/cluster/live/cluster-state.ts';
import { ClusterError } from '../../../src/cluster/live/errors.ts';
import { createEngine, defaultPolicy, type Policy, type Subject, type Verdict } from '../../../src/engine/index.ts';
import { change, creation, deletion, ID, MEMBERSHIP } from '../locks/writes.ts';
import { createMemoryCluster, type MemoryCluster } from '../memory-cluster.ts';

/** Of a request's time: what is left is for the answer. */
const SHARE = 0.9;

interface Answer {
  readonly verdict: Verdict;
  /** Milliseconds for which a call may have waited at most, by the limit it was given. */
  readonly longest: number;
}

async function judge(
  write: (cluster: MemoryCluster) => Subject,
  budget: number,
  policy: Partial<Policy> = {},
): Promise<Answer> {
  const cluster = createMemoryCluster();
  cluster.put(clusterClaim, ID, 'one');
  const subject = write(cluster);
  let longest = 0;
  cluster.before = async (call, { timeoutMs = 10_000 }) => {
    longest = Math.max(longest, timeoutMs);
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, timeoutMs)));
    throw new ClusterError('timeout', `${call}: no answer in time`);
  };
  const engine = createEngine({ policy: { ...defaultPolicy, ...policy }, point: 'webhook', live: true });
  const deadline = Date.now() + budget;
  const world = createLiveWorld({ client: cluster.client });
  const verdict = await world.evaluate(subject, engine, { at: deadline, signal: new AbortController().signal });
  return { verdict, longest };
}

test('what the object alone denies is denied, and soon', async () => {
  const { verdict, longest } = await judge((cluster) => change(cluster, ID, 'Not_A_Label'), 60_000);
  expect(verdict.outcome).toBe('denied');
  expect(longest).toBeLessThanOrEqual(500);
});

test.each<[string, (cluster: MemoryCluster) => Subject]>([
  ['a change', (cluster) => change(cluster, ID, 'two')],
  ['a join', () => creation(MEMBERSHIP, 'fleet')],
])('%s is told of in time, with what did not answer', async (_, write) => {
  const budget = 1000;
  const { verdict, longest } = await judge(write, budget);
  expect(verdict.outcome).toBe('indeterminate');
  expect(JSON.stringify(verdict.indeterminate)).toContain('no answer in time');
  expect(longest).toBeLessThanOrEqual(budget * SHARE);
});

test.each<[string, Partial<Policy>, (cluster: MemoryCluster) => Subject]>([
  ['in mode warn', { mode: 'warn' }, (cluster) => change(cluster, ID, 'two')],
  ['in mode audit', { mode: 'audit' }, (cluster) => change(cluster, ID, 'two')],
  ['who leaves', {}, (cluster) => deletion(cluster, MEMBERSHIP, {}, { metadata: { name: MEMBERSHIP, uid: 'u' } })],
])('nobody is refused %s', async (_, policy, write) => {
  const budget = 1000;
  const { verdict, longest } = await judge(write, budget, policy);
  expect(verdict.outcome).toBe('allowed');
  expect(longest).toBeLessThanOrEqual(budget * SHARE);
});
