/** The world behind a live cluster: what is stored, read when it must be; and what others are about to write. */
import type { Engine, Subject, Verdict } from '../../engine/index.ts';
import { textAt } from '../../rules/json.ts';
import type { ApiClient } from './client.ts';
import { identityWriteOf, isLeave } from './identity-write.ts';
import { createIntents, type IntentsOptions } from './intents.ts';
import { createLeases } from './leases.ts';
import { type LiveObserver, silent } from './observer.ts';
import { noLongerThan, sooner } from './patience.ts';
import { newestOf } from './place.ts';
import { blindView, createLiveView, type Patience } from './view.ts';

export interface LiveWorldOptions extends Pick<IntentsOptions, 'lapses' | 'pause'> {
  readonly client: ApiClient;
  readonly observer?: LiveObserver;
}

export interface LiveWorld {
  /**
   * Judges one write. An identity write is allowed only with its intent taken; whatever can't be told, or can't be had, is
   * indeterminate and says what to mend. Ends with the patience, but for giving back an intent.
   */
  judge(subject: Subject, engine: Engine, patience: Patience): Promise<Verdict>;
}

/** For reads that can only add to a refusal. */
const COURTESY_MS = 500;

/** Talks to the cluster only when a write asks for it: starting needs no API server. */
export function createLiveWorld({ client, observer = silent, ...clocks }: LiveWorldOptions): LiveWorld {
  const intents = createIntents({ leases: createLeases(client), observer, ...clocks });
  return {
    async judge(subject, engine, given) {
      const patience = sooner(given);
      const version = (dialect: Subject['dialect']) =>
        dialect.name === subject.dialect.name ? subject.version : newestOf(dialect);
      const viewWithin = (limit: Patience) => createLiveView({ client, observer, version, ...limit });
      const newView = () => viewWithin(patience);
      const guard = subject.dryRun ? undefined : engine.guardOf(subject.dialect, subject.operation);
      const write = guard && identityWriteOf(subject);
      if (guard === undefined || write === undefined) {
        const verdict = await engine.judge(subject, newView());
        if (guard && verdict.outcome === 'allowed' && isLeave(subject)) {
          await intents.left(subject, textAt(subject.oldObject, ['metadata', 'uid']), patience, viewWithin);
        }
        return verdict;
      }
      const alone = await engine.judge(subject, blindView);
      if (alone.passed !== undefined) return alone;
      // Certain from the object alone, whether or not the cluster answers; judged again for all there is to say, if that can
      // be had soon: a cluster that hangs must not make a 503 of it.
      if (alone.outcome === 'denied') {
        return engine.judge(subject, viewWithin(noLongerThan(COURTESY_MS, patience)));
      }
      return intents.decide({ subject, write, guard, engine, patience, newView });
    },
  };
}
