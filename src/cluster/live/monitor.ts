/** Checks in the background whether the cluster is as a request will need it, so that a problem is named before a write is refused. */
import { plain } from '../../engine/text.ts';
import type { ApiClient } from './client.ts';
import { findProblems } from './problems.ts';

export interface ClusterMonitorOptions {
  readonly client: ApiClient;
  /** Called with each change of the problems, one line each; with an empty list when there are none any more (or at first). */
  readonly onChange: (problems: readonly string[]) => void;
  /** Milliseconds between two checks while there are problems (doubled each time), and when there are none. */
  readonly firstMs?: number;
  readonly longestMs?: number;
}

export interface ClusterMonitor {
  /** Returns the problems that the last check found; none before the first one. */
  problems(): readonly string[];
  /** Whether a check has ended, and found no problem. */
  up(): boolean;
  /** Checks soon, whatever was planned: a request met a problem. */
  nudge(): void;
  close(): void;
}

/** Starts to check at once. Its timer keeps no process alive. */
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
      `a bug in muster: ${plain(String(error))}`,
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
    nudge: () => {
      if (!closing.signal.aborted && due - performance.now() > firstMs) plan(firstMs / 5);
    },
    close: () => {
      closing.abort();
      clearTimeout(timer);
    },
  };
}
