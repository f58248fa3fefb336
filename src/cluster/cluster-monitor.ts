/**
 * Checks in the background whether the server can read the cluster and write its locks, so that a problem is reported
 * before a write is refused.
 */
import { type ClaimDialect, claimDialects, type Dialect } from '../api/dialects.ts';
import { escapeControls } from '../base/text.ts';
import type { Deadline } from '../engine/cluster-state.ts';
import { leasePath } from './live/api-paths.ts';
import type { ApiClient } from './live/client.ts';
import { boundTo, withDeadline } from './live/client-wrappers.ts';
import { servedVersions } from './live/discovery.ts';
import {
  ClusterError,
  describeServerConnectionError,
  describeServerLockError,
  describeServerReadError,
  isConnectionError,
  onlyClusterErrors,
} from './live/errors.ts';
import { createLiveView, type ReadObserver } from './live/live-view.ts';
import { createLeases } from './locks/leases.ts';

interface ClusterMonitorOptions {
  readonly client: ApiClient;
  /**
   * Called with each change of the problems, one line for each; with an empty list when there are none (also at first).
   */
  readonly onChange: (problems: readonly string[]) => void;
  /** Milliseconds from a problem to the next check; doubled each time, up to `longestMs`. Default: 5 s. */
  readonly firstMs?: number;
  /** Milliseconds between two checks while there is no problem. Default: 60 s. */
  readonly longestMs?: number;
}

export interface ClusterMonitor {
  /** Returns the problems that the last check found; none before the first one. */
  problems(): readonly string[];
  /** Whether there was a check, and the last one found no problem. */
  up(): boolean;
  /** Runs the next check soon, since a request had a problem. */
  checkSoon(): void;
  close(): void;
}

/** Starts the checks, the first one at once. The timer does not keep the process alive. */
export function monitorCluster({ client, onChange, ...times }: ClusterMonitorOptions): ClusterMonitor {
  const { firstMs = 5000, longestMs = 60_000 } = times;
  const closing = new AbortController();
  let known: readonly string[] | undefined;
  let pause = firstMs;
  let timer: NodeJS.Timeout | undefined;
  let due = 0;
  const plan = (milliseconds: number) => {
    clearTimeout(timer);
    due = performance.now() + milliseconds;
    timer = setTimeout(() => void check(), milliseconds).unref();
  };
  async function check(): Promise<void> {
    const found = await findProblems(client, closing.signal).catch((error) => [
      `a bug in muster: ${escapeControls(String(error))}`,
    ]);
    if (closing.signal.aborted) return;
    const isChanged = found.join('\n') !== (known ?? []).join('\n');
    known = found;
    if (isChanged) onChange(found);
    pause = isChanged || found.length === 0 ? firstMs : Math.min(pause * 2, longestMs);
    plan(found.length === 0 ? longestMs : pause);
  }
  plan(0);
  return {
    problems: () => known ?? [],
    up: () => known?.length === 0,
    checkSoon: () => {
      if (!closing.signal.aborted && due - performance.now() > firstMs) plan(firstMs / 5);
    },
    close: () => {
      closing.abort();
      clearTimeout(timer);
    },
  };
}

const TIMEOUT_MS = 5000;
/** A larger difference of clocks can't be due to a slow answer, or to the API server's time in whole seconds. */
const CLOCK_SECONDS = 10;

/** Returns one line for each problem, with its fix. An API server that can't be reached is reported once. */
async function findProblems(client: ApiClient, signal: AbortSignal): Promise<string[]> {
  const deadline = { signal, at: Date.now() + TIMEOUT_MS };
  const found = await Promise.all(claimDialects.map((dialect) => problemsOf(client, dialect, deadline)));
  return [...new Set(found.flat())];
}

async function problemsOf(client: ApiClient, dialect: ClaimDialect, deadline: Deadline): Promise<string[]> {
  const what = `${dialect.plural} (${dialect.group})`;
  const name = dialect.claim.membershipName;
  try {
    // Without the right to discover, these are all that muster knows, and the cluster may serve none of them.
    for (const version of await servedVersions(boundTo(client, deadline), dialect)) {
      let isServed = true;
      const read: ReadObserver['read'] = (outcome) => {
        isServed = outcome !== 'no-kind';
      };
      const view = createLiveView({ client, deadline, observer: { read }, version: () => version });
      const membership = await view.get({ dialect, name });
      if (isServed) return membership.known ? leaseProblems(client, dialect, deadline) : [membership.reason];
    }
    // Without the CRD there is nothing to read or write.
    return [];
  } catch (error) {
    const failure = onlyClusterErrors(error);
    return [
      isConnectionError(failure)
        ? describeServerConnectionError(failure)
        : describeServerReadError('get', what, failure),
    ];
  }
}

/** Reads the Lease, and writes it unchanged as a dry run: only a write shows whether writing is permitted. */
async function leaseProblems(client: ApiClient, dialect: Dialect, deadline: Deadline): Promise<string[]> {
  const leases = createLeases(client);
  let verb: 'get' | 'update' = 'get';
  try {
    const { lease, now } = await leases.read(dialect, deadline);
    verb = 'update';
    const path = `${leasePath(client.namespace, dialect)}?dryRun=All`;
    const failure = await client
      .call(withDeadline({ method: 'PUT', path, body: lease }, deadline))
      .catch(onlyClusterErrors);
    // On a conflict the Lease is writable too: a lock was acquired between our read and write.
    if (failure instanceof ClusterError && failure.code !== 'conflict') throw failure;
    return clockProblems(now - Date.now());
  } catch (error) {
    const failure = onlyClusterErrors(error);
    return [
      isConnectionError(failure)
        ? describeServerConnectionError(failure)
        : describeServerLockError(verb, leases.nameOf(dialect), failure),
    ];
  }
}

/**
 * Reports a difference of the clocks. It names no number, so that a drifting clock is not a new problem at each check.
 * @param ahead how far the API server's clock is ahead of ours, in milliseconds
 */
function clockProblems(ahead: number): string[] {
  const seconds = Math.abs(ahead) / 1000;
  if (seconds < CLOCK_SECONDS) return [];
  const which = ahead > 0 ? 'behind' : 'ahead of';
  const unit = seconds < 60 ? 'seconds' : seconds < 3600 ? 'minutes' : 'hours or more';
  return [`this machine's clock is ${unit} ${which} the API server's, and rules on time go by it: set it right`];
}
