/**
 * The endpoints of a Service: a kubelet probes `/readyz` of each replica, and changes are known to the Service later
 * than to it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../../e2e/harness/index.ts';

/** A `Muster` is one. */
export interface Replica extends Target {
  readonly opsUrl: string;
}

/** Times in milliseconds. */
export interface EndpointsOptions {
  /** How much later than the kubelet the Service knows of a change. */
  readonly lagMs?: number;
  readonly periodMs?: number;
  readonly timeoutMs?: number;
  /** Unanswered probes in a row until a replica is unready. An answer that says no counts at once. */
  readonly failureThreshold?: number;
}

export interface Endpoints {
  add(replica: Replica): void;
  remove(replica: Replica): void;
  /** Returns the replicas that are ready as far as the Service knows. */
  ready(): Replica[];
  /** Waits until the Service knows that a replica is ready, or that it is not. @throws Error after a minute */
  until(replica: Replica, ready: boolean): Promise<void>;
  close(): void;
}

interface State {
  ready: boolean;
  removed: boolean;
}

export function watchEndpoints(options: EndpointsOptions = {}): Endpoints {
  const states = new Map<Replica, State>();
  const remove = (replica: Replica) => {
    Object.assign(states.get(replica) ?? {}, { removed: true });
    states.delete(replica);
  };
  return {
    add(replica) {
      const state = { ready: false, removed: false };
      states.set(replica, state);
      probe(replica, state, options);
    },
    remove,
    ready: () => [...states].filter(([, state]) => state.ready).map(([replica]) => replica),
    async until(replica, ready) {
      const end = performance.now() + 60_000;
      while ((states.get(replica)?.ready ?? false) !== ready) {
        if (performance.now() > end) throw new Error(`port ${replica.port}: not ${ready ? '' : 'un'}ready in time`);
        await sleep(20);
      }
    },
    close() {
      for (const replica of [...states.keys()]) remove(replica);
    },
  };
}

async function probe(replica: Replica, state: State, options: EndpointsOptions): Promise<void> {
  const { lagMs = 1000, periodMs = 100, timeoutMs = 2000, failureThreshold = 1 } = options;
  let unanswered = 0;
  let last = false;
  while (!state.removed) {
    const began = performance.now();
    const answer = await readiness(replica, timeoutMs);
    unanswered = answer === undefined ? unanswered + 1 : 0;
    const ready: boolean = answer ?? (unanswered < failureThreshold && last);
    if (ready !== last) setTimeout(() => Object.assign(state, { ready }), lagMs).unref();
    last = ready;
    await sleep(Math.max(0, periodMs - (performance.now() - began)), undefined, { ref: false });
  }
}

/**
 * Returns undefined if the probe timed out; false also for a refused connection, since a container that ended is seen
 * at once.
 */
async function readiness({ opsUrl }: Replica, timeoutMs: number): Promise<boolean | undefined> {
  try {
    const response = await fetch(`${opsUrl}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
    await response.arrayBuffer();
    return response.ok;
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? undefined : false;
  }
}
