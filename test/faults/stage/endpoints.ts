/**
 * Which of several replicas a Service leads to, as a kubelet and the endpoints behind it find out: by looking at `/readyz`
 * again and again, and later than it happened.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** A `Muster` is one. */
export interface Replica {
  readonly port: number;
  readonly opsUrl: string;
}

/** Times in milliseconds. */
export interface EndpointsOptions {
  /** How much later than known to the prober a change is known to the Service. */
  readonly lagMs?: number;
  readonly periodMs?: number;
  readonly timeoutMs?: number;
  /** So many probes in a row that were not answered (an answer that says no counts at once: a pod that ends is known to). */
  readonly failureThreshold?: number;
}

export interface Endpoints {
  add(replica: Replica): void;
  /** No longer probed, and no longer led to, at once. */
  remove(replica: Replica): void;
  /** What is ready as far as the Service knows. */
  ready(): readonly Replica[];
  /** Waits until the Service knows that a replica is ready, or that it is not. @throws Error after `patienceMs` */
  until(replica: Replica, ready: boolean, patienceMs?: number): Promise<void>;
  close(): void;
}

interface Known {
  ready: boolean;
  removed: boolean;
}

export function watchEndpoints(options: EndpointsOptions = {}): Endpoints {
  const known = new Map<Replica, Known>();
  return {
    add(replica) {
      const state = { ready: false, removed: false };
      known.set(replica, state);
      probe(replica, state, options);
    },
    remove(replica) {
      const state = known.get(replica);
      if (state !== undefined) state.removed = true;
      known.delete(replica);
    },
    ready: () => [...known].filter(([, state]) => state.ready).map(([replica]) => replica),
    async until(replica, ready, patienceMs = 60_000) {
      const end = performance.now() + patienceMs;
      while ((known.get(replica)?.ready ?? false) !== ready) {
        if (performance.now() > end) throw new Error(`port ${replica.port}: not ${ready ? '' : 'un'}ready in time`);
        await sleep(20);
      }
    },
    close() {
      for (const state of known.values()) state.removed = true;
      known.clear();
    },
  };
}

async function probe(replica: Replica, state: Known, options: EndpointsOptions): Promise<void> {
  const { lagMs = 1000, periodMs = 100, timeoutMs = 2000, failureThreshold = 1 } = options;
  let silent = 0;
  let last = false;
  while (!state.removed) {
    const began = performance.now();
    const answer = await look(replica, timeoutMs);
    silent = answer === 'silent' ? silent + 1 : 0;
    const ready: boolean = answer === 'yes' || (silent > 0 && silent < failureThreshold && last);
    if (ready !== last) setTimeout(() => Object.assign(state, { ready }), lagMs).unref();
    last = ready;
    await sleep(Math.max(0, periodMs - (performance.now() - began)), undefined, { ref: false });
  }
}

/** `no` is also a refused connection: a container that ended is seen at once. */
async function look({ opsUrl }: Replica, timeoutMs: number): Promise<'yes' | 'no' | 'silent'> {
  try {
    const response = await fetch(`${opsUrl}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
    await response.arrayBuffer();
    return response.ok ? 'yes' : 'no';
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'silent' : 'no';
  }
}
