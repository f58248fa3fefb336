/** Looks in the background whether the cluster is as a request will need it, so that trouble is named before anyone is refused. */
import { type Dialect, dialects } from '../../schemas/dialects.ts';
import type { ApiClient } from './client.ts';
import { ClusterError } from './error.ts';
import { createLeases } from './leases.ts';
import { leasePath, pathOf } from './place.ts';
import { type Verb, whyNoIntent, whyUnread } from './remedy.ts';
import { callWithin, type Patience } from './view.ts';

export interface ClusterWatchOptions {
  readonly client: ApiClient;
  /** Hears each change of what is wrong, one line each; an empty list: all is well again (or at first). */
  readonly onChange: (problems: readonly string[]) => void;
  /** Milliseconds between two looks: while something is wrong (doubled each time), and when all is well. */
  readonly firstMs?: number;
  readonly longestMs?: number;
}

export interface ClusterWatch {
  /** What was wrong at the last look; empty before the first one. */
  problems(): readonly string[];
  /** Whether a look has ended, and found nothing wrong. */
  up(): boolean;
  /** A request met trouble: look soon, whatever the plan was. */
  nudge(): void;
  close(): void;
}

const PATIENCE_MS = 5000;

/** Begins at once. Its timers keep no process alive. */
export function watchCluster({
  client,
  onChange,
  firstMs = 5000,
  longestMs = 60_000,
}: ClusterWatchOptions): ClusterWatch {
  const closing = new AbortController();
  let known: readonly string[] | undefined;
  let pause = firstMs;
  let timer: NodeJS.Timeout | undefined;
  let nextAt = 0;
  const plan = (milliseconds: number) => {
    clearTimeout(timer);
    if (closing.signal.aborted) return;
    nextAt = performance.now() + milliseconds;
    timer = setTimeout(() => void look(), milliseconds).unref();
  };
  const look = async () => {
    const found = await problemsOf(client, closing.signal).catch((error: unknown) => [
      `a bug in muster: ${String(error)}`,
    ]);
    if (closing.signal.aborted) return;
    const changed = known === undefined ? found.length > 0 : found.join('\n') !== known.join('\n');
    known = found;
    if (changed) onChange(found);
    pause = found.length === 0 || changed ? firstMs : Math.min(pause * 2, longestMs);
    plan(found.length === 0 ? longestMs : pause);
  };
  plan(0);
  return {
    problems: () => known ?? [],
    up: () => known?.length === 0,
    nudge: () => {
      if (nextAt - performance.now() > firstMs) plan(firstMs / 5);
    },
    close: () => {
      closing.abort();
      clearTimeout(timer);
    },
  };
}

/** One line a problem. An API server that can't be reached is one problem, not six. */
async function problemsOf(client: ApiClient, signal: AbortSignal): Promise<string[]> {
  const patience = { signal, deadline: Date.now() + PATIENCE_MS };
  const claims = dialects.filter(({ claim }) => claim !== undefined);
  const found = await Promise.all(claims.map((dialect) => problemOf(client, dialect, patience)));
  return [...new Set(found.flat())];
}

async function problemOf(client: ApiClient, dialect: Dialect, patience: Patience): Promise<string[]> {
  const problem = await readingProblem(client, dialect, patience);
  if (problem === undefined) return intentProblem(client, dialect, patience);
  return problem === 'no such kind' ? [] : [problem];
}

/** A cluster that does not serve a kind sends nothing of it to judge: no problem, and no need of its Lease. */
async function readingProblem(client: ApiClient, dialect: Dialect, patience: Patience): Promise<string | undefined> {
  const name = dialect.claim?.membershipName ?? '';
  for (const version of dialect.versions.toReversed()) {
    try {
      await callWithin(client, patience, { method: 'GET', path: pathOf({ dialect, name }, version) });
      return undefined;
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      if (error.absent === 'object') return undefined;
      if (error.absent === 'kind') continue;
      return isWayBroken(error) ? error.message : whyUnread(`${dialect.plural} "${name}" (${dialect.group})`, error);
    }
  }
  return 'no such kind';
}

/** Looks at the Lease, and writes it as it is, as a dry run: only a write shows whether writing is permitted. */
async function intentProblem(client: ApiClient, dialect: Dialect, patience: Patience): Promise<string[]> {
  const leases = createLeases(client);
  let verb: Verb = 'get';
  try {
    const { lease } = await leases.look(dialect, patience);
    verb = 'update';
    const path = `${leasePath(client.namespace, dialect)}?dryRun=All`;
    await callWithin(client, patience, { method: 'PUT', path, body: lease });
    return [];
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    if (error.code === 'conflict') return [];
    return [isWayBroken(error) ? error.message : whyNoIntent(leases.nameOf(dialect), verb, error)];
  }
}

/** It has nothing to do with what was asked for. */
function isWayBroken({ code }: ClusterError): boolean {
  return code === 'unreachable' || code === 'timeout' || code === 'no-access' || code === 'unauthorized';
}
