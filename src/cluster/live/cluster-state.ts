/** The world behind a live cluster: what is stored, read when it must be; and what others are about to write. */
import type { ClusterState, Deadline } from '../../engine/cluster-state.ts';
import type { Engine, Guard, Subject, Verdict } from '../../engine/index.ts';
import { textAt } from '../../rules/json.ts';
import type { ClusterView } from '../../rules/rule.ts';
import { createIntents, type Intents, type IntentsOptions } from '../locks/identity-write.ts';
import { createLeases } from '../locks/leases.ts';
import type { ViewWithin } from '../locks/leave.ts';
import { type IdentityWrite, identityWriteOf, isLeave } from '../locks/writes.ts';
import type { ApiClient } from './client.ts';
import { type LiveObserver, silent } from './observer.ts';
import { newestOf } from './paths.ts';
import { noLongerThan, sooner } from './patience.ts';
import { blindView, createLiveView, type LiveViewOptions } from './view.ts';

export interface LiveWorldOptions extends Pick<IntentsOptions, 'lapses' | 'pause'> {
  readonly client: ApiClient;
  readonly observer?: LiveObserver;
}

/** For reads that can only add to a refusal. */
const COURTESY_MS = 500;

/**
 * The state of a live cluster, which is called only when a write needs it: starting needs no API server. An identity write is allowed only with its
 * lock taken; whatever is unknown, or can't be had, is indeterminate, and the message names the fix.
 */
export function createLiveWorld({ client, observer = silent, ...clocks }: LiveWorldOptions): ClusterState {
  const intents = createIntents({ leases: createLeases(client), observer, ...clocks });
  return {
    evaluate(subject, engine, given) {
      const patience = sooner(given);
      const version = (dialect: Subject['dialect']) =>
        dialect.name === subject.dialect.name ? subject.version : newestOf(dialect);
      const viewWithin = (limit: Deadline) => viewOf({ client, observer, version }, limit);
      const guard = subject.dryRun ? undefined : engine.guardOf(subject.dialect, subject.operation);
      const write = guard && identityWriteOf(subject);
      const one = { subject, engine, patience, viewWithin };
      if (guard !== undefined && write !== undefined) return judgeIdentity(intents, { ...one, guard, write });
      if (guard !== undefined && isLeave(subject)) return judgeLeave(intents, one);
      return engine.evaluate(subject, viewWithin(patience));
    },
  };
}

interface One {
  readonly subject: Subject;
  readonly engine: Engine;
  readonly patience: Deadline;
  readonly viewWithin: ViewWithin;
}

async function judgeLeave(intents: Intents, { subject, engine, patience, viewWithin }: One): Promise<Verdict> {
  const verdict = await engine.evaluate(subject, viewWithin(patience));
  if (verdict.outcome === 'allowed') {
    await intents.left(subject, textAt(subject.oldObject, ['metadata', 'uid']), patience, viewWithin);
  }
  return verdict;
}

async function judgeIdentity(
  intents: Intents,
  { viewWithin, ...one }: One & { readonly guard: Guard; readonly write: IdentityWrite },
): Promise<Verdict> {
  const { subject, engine, patience } = one;
  const alone = await engine.evaluate(subject, blindView);
  if (alone.skipped !== undefined) return alone;
  // Certain from the object alone, whether or not the cluster answers; judged again for all there is to say, if that can
  // be had soon: a cluster that hangs must not make a 503 of it.
  if (alone.outcome === 'denied') return engine.evaluate(subject, viewWithin(noLongerThan(COURTESY_MS, patience)));
  return intents.decide({ ...one, newView: () => viewWithin(patience) });
}

/** The signal is asked for when something is read: most writes need no read, and to make it takes longer than to judge them. */
function viewOf(cluster: Omit<LiveViewOptions, keyof Deadline>, limit: Deadline): ClusterView {
  return createLiveView({
    ...cluster,
    at: limit.at,
    get signal() {
      return limit.signal;
    },
  });
}
