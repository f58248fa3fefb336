/** Writers whose every answer is known beforehand: each creates, updates and deletes one object after the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api, ApiAnswer } from '../../e2e/harness/index.ts';
import { type Step, type Steps, steps } from './steps.ts';

/**
 * `expected`: the right answer. `leaked`: a forbidden write was stored. `failed`: an allowed write was refused, another
 * than muster refused it, or there was no answer.
 */
type Result = 'expected' | 'leaked' | 'failed';

export interface Write {
  readonly what: string;
  readonly result: Result;
  /** Of `performance.now()`. */
  readonly began: number;
  readonly ended: number;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** The answer, if it was not expected. */
  readonly message: string;
}

interface LoadOptions {
  /** Default: 6, shared by the kinds of steps. */
  readonly writers?: number;
  /** Milliseconds between two writes of a writer. Default: 10. */
  readonly pauseMs?: number;
  /** Default: all but `identity`, which needs a live cluster state and a writer of its own. */
  readonly kinds?: readonly Steps[];
}

export interface Load {
  /** All writes that were answered so far. */
  readonly writes: readonly Write[];
  /** Returns how many writes wait for an answer. */
  waiting(): number;
  /** Resolves once every writer has ended its current object. */
  stop(): Promise<readonly Write[]>;
}

let runs = 0;

export function startLoad(api: Api, options: LoadOptions = {}): Load {
  const { writers = 6, pauseMs = 10, kinds = [steps.claim, steps.inventory, steps.feature] } = options;
  const writes: Write[] = [];
  let stopped = false;
  let waiting = 0;
  const run = `${process.pid}-${++runs}`;
  const writer = async (nth: number) => {
    const kind = kinds[nth % kinds.length] ?? steps.claim;
    for (let count = 0; !stopped; count += 1) {
      for (const step of kind(`load-${run}-${nth}-${count}`)) {
        waiting += 1;
        const write = await send(api, step);
        waiting -= 1;
        writes.push(write);
        // The next steps depend on this one.
        if (write.result !== 'expected') break;
        await sleep(pauseMs);
      }
      await sleep(pauseMs);
    }
  };
  const running = Promise.all(Array.from({ length: writers }, (_, nth) => writer(nth)));
  return {
    writes,
    waiting: () => waiting,
    async stop() {
      stopped = true;
      await running;
      return writes;
    },
  };
}

/** Sends one write, and compares its answer with the expected one. */
export async function send(api: Api, step: Step): Promise<Write> {
  const began = performance.now();
  const answer = await api
    .call(step.method, step.path, step.body)
    .catch((error: Error): ApiAnswer => ({ status: 0, body: { message: error.message }, headers: {}, warnings: [] }));
  const ended = performance.now();
  const result = resultOf(step, answer);
  const { status, body } = answer;
  const message = result === 'expected' ? '' : `${status} ${body?.message ?? JSON.stringify(body)}`;
  return { what: step.what, result, began, ended, status, message };
}

function resultOf({ refusedBy, holds }: Step, { status, body }: ApiAnswer): Result {
  const stored = status >= 200 && status < 300;
  if (refusedBy === undefined) return stored && (holds?.(body) ?? true) ? 'expected' : 'failed';
  if (stored) return 'leaked';
  return String(body?.message).includes(`[${refusedBy}]`) ? 'expected' : 'failed';
}

export interface Summary {
  readonly writes: number;
  readonly failed: number;
  readonly leaked: number;
  /** Milliseconds of the slowest write. */
  readonly slowest: number;
  /** `3 × EOF, 1 × …`, the most frequent first. */
  readonly causes: string;
}

export function summarize(writes: readonly Write[]): Summary {
  const of = (result: Result) => writes.filter((write) => write.result === result).length;
  const counts = new Map<string, number>();
  for (const cause of writes.filter(({ result }) => result !== 'expected').map(causeOf))
    counts.set(cause, (counts.get(cause) ?? 0) + 1);
  const causes = [...counts].sort(([, a], [, b]) => b - a).map(([cause, count]) => `${count} × ${cause}`);
  const slowest = writes.reduce((most, { began, ended }) => Math.max(most, ended - began), 0);
  return { writes: writes.length, failed: of('failed'), leaked: of('leaked'), slowest, causes: causes.join(', ') };
}

/**
 * Returns what the API server says of a webhook that it could not reach, or the answer, without ports and names of this
 * run.
 */
function causeOf({ what, message }: Write): string {
  if (what === 'inventory: create' && message.includes('[inventory/cluster-manager-label]'))
    return 'refused without the label, because /mutate did not answer';
  const [, unreached] = /failed to call webhook: (?:Post "[^"]*": )?(.*)$/s.exec(message) ?? [];
  return (unreached ?? `${what}: ${message}`)
    .replace(/load-[\d-]+/g, 'load')
    .replace(/(read|write|dial) tcp [\d.:>-]+(->[\d.:]+)?: /g, '')
    .slice(0, 200);
}
