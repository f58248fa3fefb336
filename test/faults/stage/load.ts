/**
 * Writers on an API server whose every answer is known beforehand: each lives through creates, updates and deletes of one
 * object after the other, of which some are allowed and some refused by muster.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api, ApiAnswer } from '../../e2e/harness/index.ts';
import { type Life, lives, type Step } from './lives.ts';

/**
 * `expected`: the verdict it had to be. `leaked`: what muster forbids was stored. `failed`: what it allows was refused, or the
 * refusal was not muster's, or there was no answer.
 */
export type Result = 'expected' | 'leaked' | 'failed';

export interface Write {
  readonly what: string;
  readonly result: Result;
  /** Of `performance.now()`. */
  readonly began: number;
  readonly ended: number;
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** What was said, where it was not expected. */
  readonly said: string;
}

export interface LoadOptions {
  /** Default: 6, of each kind of life as many. */
  readonly writers?: number;
  /** Milliseconds between two writes of a writer. Default: 10. */
  readonly pauseMs?: number;
  /** Default: all but `identity`, which takes a live view and one writer alone. */
  readonly lives?: readonly Life[];
}

export interface Load {
  /** All that was answered so far, in the order of answers. */
  readonly writes: readonly Write[];
  /** Writes that wait for an answer. */
  waiting(): number;
  /** Resolves once every life that was begun has ended. */
  stop(): Promise<readonly Write[]>;
}

let runs = 0;

/** Writes as this user until stopped. */
export function startLoad(api: Api, options: LoadOptions = {}): Load {
  const { writers = 6, pauseMs = 10, lives: chosen = [lives.claim, lives.inventory, lives.feature] } = options;
  const writes: Write[] = [];
  let stopped = false;
  let waiting = 0;
  const run = `${process.pid}-${++runs}`;
  const writer = async (nth: number) => {
    const life = chosen[nth % chosen.length] ?? lives.claim;
    for (let count = 0; !stopped; count += 1) {
      for (const step of life(`load-${run}-${nth}-${count}`)) {
        waiting += 1;
        const write = await once(api, step);
        waiting -= 1;
        writes.push(write);
        // What comes next in this life stands on what was refused.
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

/** One write, judged. */
export async function once(api: Api, step: Step): Promise<Write> {
  const began = performance.now();
  const answer = await api
    .call(step.method, step.path, step.body)
    .catch((error: Error): ApiAnswer => ({ status: 0, body: { message: error.message }, headers: {}, warnings: [] }));
  const ended = performance.now();
  const result = judge(step, answer);
  const said = result === 'expected' ? '' : `${answer.status} ${answer.body?.message ?? JSON.stringify(answer.body)}`;
  return { what: step.what, result, began, ended, status: answer.status, said };
}

function judge({ refusedBy, holds }: Step, { status, body }: ApiAnswer): Result {
  const stored = status >= 200 && status < 300;
  if (refusedBy === undefined) return stored && (holds?.(body) ?? true) ? 'expected' : 'failed';
  if (stored) return 'leaked';
  return String(body?.message).includes(`[${refusedBy}]`) ? 'expected' : 'failed';
}

export interface Summary {
  readonly writes: number;
  readonly failed: number;
  readonly leaked: number;
  /** Milliseconds of the slowest. */
  readonly slowest: number;
  /** Of those that were not expected: why, and how many. */
  readonly causes: Readonly<Record<string, number>>;
}

export function summarize(writes: readonly Write[]): Summary {
  const of = (result: Result) => writes.filter((write) => write.result === result).length;
  const causes: Record<string, number> = {};
  for (const write of writes.filter(({ result }) => result !== 'expected')) {
    const cause = causeOf(write);
    causes[cause] = (causes[cause] ?? 0) + 1;
  }
  const slowest = writes.reduce((most, { began, ended }) => Math.max(most, ended - began), 0);
  return { writes: writes.length, failed: of('failed'), leaked: of('leaked'), slowest, causes };
}

/** `3 × EOF, 1 × …`, the most frequent first; empty where all was expected. */
export function tellCauses({ causes }: Pick<Summary, 'causes'>): string {
  const sorted = Object.entries(causes).sort(([, one], [, other]) => other - one);
  return sorted.map(([cause, count]) => `${count} × ${cause}`).join(', ');
}

/** What the API server says of a webhook that it could not reach; any other answer as it is, with what was tried. */
function causeOf({ what, said }: Write): string {
  if (what === 'inventory: create' && said.includes('[inventory/cluster-manager-label]')) {
    return 'refused without the label, which /mutate was not there to add';
  }
  const [, unreached] = /failed to call webhook: (?:Post "[^"]*": )?(.*)$/s.exec(said) ?? [];
  const text = unreached ?? `${what}: ${said}`;
  // Ports and names of one run are no news.
  return text
    .replace(/load-[\d-]+/g, 'load')
    .replace(/(read|write|dial) tcp [\d.:>-]+(->[\d.:]+)?: /g, '')
    .slice(0, 200);
}
