/** An API server that takes a call and never answers: how much of the time of a request its calls may take. */
import { expect, test } from '@jest/globals';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';
import type { Policy } from '../../../../src/engine/index.ts';
import type { Subject } from '../../../../src/rules/rule.ts';
import type { MemoryCluster } from '../../../support/memory-cluster.ts';
import { createReplica } from '../locks/replica.ts';
import { change, creation, deletion, ID, MEMBERSHIP } from '../locks/writes.ts';

const leave = (cluster: MemoryCluster) =>
  deletion(cluster, MEMBERSHIP, {}, { metadata: { name: MEMBERSHIP, uid: 'u' } });
const toTwo = (cluster: MemoryCluster) => change(cluster, ID, 'two');

/** Milliseconds of the request, and the most of one call; a tenth of the request is left for the answer. */
test.each<[string, (cluster: MemoryCluster) => Subject, string, number, number, Partial<Policy>?]>([
  ['what the object alone denies', (cluster) => change(cluster, ID, 'Not_A_Label'), 'denied', 60_000, 500],
  ['a change', toTwo, 'indeterminate', 1000, 900],
  ['a join', () => creation(MEMBERSHIP, 'fleet'), 'indeterminate', 1000, 900],
  ['a change in mode warn', toTwo, 'allowed', 1000, 900, { mode: 'warn' }],
  ['leaving', leave, 'allowed', 1000, 900],
  ['leaving, with much time', leave, 'allowed', 30_000, 3000],
])('%s is decided in time: %s', async (_, write, expected, budget, most, policy = {}) => {
  const { cluster, evaluate } = createReplica(policy);
  const subject = write(cluster);
  const limits: number[] = [];
  cluster.before = (call, { timeoutMs = 10_000 }) => {
    limits.push(timeoutMs);
    throw new ClusterError('timeout', `${call}: no answer in time`);
  };
  const { outcome, indeterminate } = await evaluate(subject, { at: Date.now() + budget });
  expect(outcome).toBe(expected);
  if (expected === 'indeterminate') expect(JSON.stringify(indeterminate)).toContain('no answer in time');
  expect(Math.max(...limits)).toBeLessThanOrEqual(most);
});
