/** One replica of the server before a cluster in memory: each test shows only its difference to this. */
import { clusterClaim } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createLiveClusterState } from '../../../../src/cluster/live-cluster-state.ts';
import { createExpiry } from '../../../../src/cluster/locks/lock-state.ts';
import type { Deadline } from '../../../../src/engine/cluster-state.ts';
import { createEngine, defaultPolicy, type Policy, type Verdict } from '../../../../src/engine/index.ts';
import type { Subject } from '../../../../src/rules/rule.ts';
import { createMemoryCluster, type MemoryCluster } from '../../../support/memory-cluster.ts';
import { ID } from './writes.ts';

export interface Replica {
  readonly cluster: MemoryCluster;
  /** What became of the locks, in order. */
  readonly outcomes: string[];
  /** The clock of this process, in milliseconds. */
  clock: number;
  evaluate(subject: Subject, deadline?: Partial<Deadline>): Promise<Verdict>;
  /** The outcome alone. */
  outcome(subject: Subject, deadline?: Partial<Deadline>): Promise<Verdict['outcome']>;
}

/** With the id `one` stored, unless a cluster is given. */
export function createReplica(policy: Partial<Policy> = {}, cluster: MemoryCluster = withId()): Replica {
  const engine = createEngine({ policy: { ...defaultPolicy, ...policy }, point: 'webhook', live: true });
  const outcomes: string[] = [];
  const state = createLiveClusterState({
    client: cluster.client,
    observer: { read: () => {}, lock: (outcome) => void outcomes.push(outcome) },
    expiry: createExpiry(() => replica.clock),
    pause: async () => {},
  });
  const replica: Replica = {
    cluster,
    outcomes,
    clock: 0,
    evaluate: async (subject, deadline) => state.evaluate(subject, engine, { ...inFiveSeconds(), ...deadline }),
    outcome: async (subject, deadline) => (await replica.evaluate(subject, deadline)).outcome,
  };
  return replica;
}

export function inFiveSeconds(): Deadline {
  return { at: Date.now() + 5000, signal: new AbortController().signal };
}

export function specOf(lease: JsonObject): JsonObject | undefined {
  return lease['spec'] as JsonObject | undefined;
}

export function annotationsOf(lease: JsonObject): JsonObject {
  return ((lease['metadata'] as JsonObject)['annotations'] ?? {}) as JsonObject;
}

export function isFree({ cluster }: Pick<Replica, 'cluster'>): boolean {
  return specOf(cluster.lease(clusterClaim))?.['holderIdentity'] === undefined;
}

function withId(): MemoryCluster {
  const cluster = createMemoryCluster();
  cluster.put(clusterClaim, ID, 'one');
  return cluster;
}
