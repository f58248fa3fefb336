/** An API server that takes a call and never answers: what is certain without it is said all the same, before the time is over. */
import { expect, test } from '@jest/globals';
import { ClusterError } from '../../../src/cluster/live/error.ts';
import { createLiveWorld } from '../../../src/cluster/live/world.ts';
import { createEngine, defaultPolicy, type Policy, type Subject, type Verdict } from '../../../src/engine/index.ts';
import { clusterClaim } from '../../../src/schemas/dialects.ts';
import { createMemoryCluster, type MemoryCluster } from './memory-cluster.ts';
import { change, creation, deletion, ID, MEMBERSHIP } from './writes.ts';

interface Answer {
  readonly verdict: Verdict;
  /** Milliseconds that were left of the request's time. */
  readonly left: number;
}

async function judge(
  write: (cluster: MemoryCluster) => Subject,
  budget: number,
  policy: Partial<Policy> = {},
): Promise<Answer> {
  const cluster = createMemoryCluster();
  cluster.put(clusterClaim, ID, 'one');
  const subject = write(cluster);
  cluster.before = async (call, { timeoutMs = 10_000 }) => {
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, timeoutMs)));
    throw new ClusterError('timeout', `${call}: no answer in time`);
  };
  const engine = createEngine({ policy: { ...defaultPolicy, ...policy }, point: 'webhook', live: true });
  const deadline = Date.now() + budget;
  const world = createLiveWorld({ client: cluster.client });
  const verdict = await world.judge(subject, engine, { deadline, signal: new AbortController().signal });
  return { verdict, left: deadline - Date.now() };
}

test('what the object alone denies is denied, and soon', async () => {
  const { verdict, left } = await judge((cluster) => change(cluster, ID, 'Not_A_Label'), 60_000);
  expect(verdict.outcome).toBe('denied');
  expect(left).toBeGreaterThan(50_000);
});

test.each<[string, (cluster: MemoryCluster) => Subject]>([
  ['a change', (cluster) => change(cluster, ID, 'two')],
  ['a join', () => creation(MEMBERSHIP, 'fleet')],
])('%s is told of in time, with what did not answer', async (_, write) => {
  const { verdict, left } = await judge(write, 1000);
  expect(verdict.outcome).toBe('indeterminate');
  expect(JSON.stringify(verdict.indeterminate)).toContain('no answer in time');
  expect(left).toBeGreaterThan(0);
});

test.each<[string, Partial<Policy>, (cluster: MemoryCluster) => Subject]>([
  ['in mode warn', { mode: 'warn' }, (cluster) => change(cluster, ID, 'two')],
  ['in mode audit', { mode: 'audit' }, (cluster) => change(cluster, ID, 'two')],
  ['who leaves', {}, (cluster) => deletion(cluster, MEMBERSHIP, {}, { metadata: { name: MEMBERSHIP, uid: 'u' } })],
])('nobody is refused %s', async (_, policy, write) => {
  const { verdict, left } = await judge(write, 2000, policy);
  expect(verdict.outcome).toBe('allowed');
  expect(left).toBeGreaterThan(0);
});
