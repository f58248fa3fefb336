/** The one writer of identities: its steps take intents, and a step that was cut off leaves one that blocks others until it lapses. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../../e2e/harness/index.ts';
import { lives } from '../stage/lives.ts';
import { once, type Write } from '../stage/load.ts';

export interface IdentityWriter {
  readonly writes: readonly Write[];
  /** Milliseconds it waited after each step that failed, until the identity could be cleared. */
  readonly waits: readonly number[];
  stop(): Promise<void>;
}

export function startIdentityWriter(api: Api, pauseMs: number): IdentityWriter {
  const writes: Write[] = [];
  const waits: number[] = [];
  let stopped = false;
  const run = async () => {
    for (let count = 0; !stopped; count += 1) {
      for (const step of lives.identity(`soak-${count}`)) {
        const write = await once(api, step);
        writes.push(write);
        if (write.result === 'expected') await sleep(pauseMs);
        else {
          waits.push(await clear(api));
          break;
        }
      }
    }
  };
  const running = run();
  return {
    writes,
    waits,
    stop() {
      stopped = true;
      return running;
    },
  };
}

/**
 * Leaves and deletes, then creates and deletes, until that is so: a DELETE of what is not there asks nobody, and only a
 * create shows that no intent is in the way. For the minute that an intent lives, and a little.
 */
async function clear(api: Api): Promise<number> {
  const began = performance.now();
  const steps = lives.identity('soak-again');
  const [create] = steps;
  const deletes = steps.filter(({ method }) => method === 'DELETE');
  for (const step of [...deletes, create, ...deletes].filter((each) => each !== undefined)) {
    while (!isDone(await once(api, step)) && performance.now() - began < 90_000) await sleep(500);
  }
  return performance.now() - began;
}

function isDone({ status }: Write): boolean {
  return status === 200 || status === 201 || status === 404;
}
