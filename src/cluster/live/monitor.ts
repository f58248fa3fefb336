/** Looks in the background whether the cluster is as a request will need it, so that trouble is named before anyone is refused. */
import { plain } from '../../engine/text.ts';
import type { ApiClient } from './client.ts';
import { problemsOf } from './problems.ts';

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

/** Begins at once. Its timer keeps no process alive. */
export function watchCluster({ client, onChange, ...times }: ClusterWatchOptions): ClusterWatch {
  const { firstMs = 5000, longestMs = 60_000 } = times;
  const closing = new AbortController();
  let known: readonly string[] | undefined;
  let pause = firstMs;
  const timer = createTimer(async () => {
    const found = await problemsOf(client, closing.signal).catch(bug);
    if (closing.signal.aborted) return;
    const changed = found.join('\n') !== (known ?? []).join('\n');
    known = found;
    if (changed) onChange(found);
    pause = changed || found.length === 0 ? firstMs : Math.min(pause * 2, longestMs);
    timer.plan(found.length === 0 ? longestMs : pause);
  });
  timer.plan(0);
  return {
    problems: () => known ?? [],
    up: () => known?.length === 0,
    nudge: () => {
      if (!closing.signal.aborted && timer.left() > firstMs) timer.plan(firstMs / 5);
    },
    close: () => {
      closing.abort();
      timer.stop();
    },
  };
}

function bug(error: unknown): string[] {
  return [`a bug in muster: ${plain(String(error))}`];
}

function createTimer(work: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  let due = 0;
  return {
    /** In place of whatever was planned. */
    plan(milliseconds: number): void {
      clearTimeout(timer);
      due = performance.now() + milliseconds;
      timer = setTimeout(() => void work(), milliseconds).unref();
    },
    /** Milliseconds until it is due. */
    left: () => due - performance.now(),
    stop: () => clearTimeout(timer),
  };
}
