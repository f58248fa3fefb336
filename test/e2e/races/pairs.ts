/** Pairs of writes at the same moment, each of which the other one forbids. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiAnswer } from '../harness/index.ts';
import type { Identity } from './identity.ts';

export type Rival = 'change' | 'delete';

export interface Tally {
  pairs: number;
  joined: number;
  changed: number;
  /** Both were committed, one after the other, in an order that is allowed. */
  both: number;
  neither: number;
  /** Refused with 503, one side or the other. */
  waits: number;
  /** Writes without a rival that were refused, with the answer. */
  lonely: string[];
  /** Milliseconds of each write of a pair that was committed. */
  times: number[];
}

export function newTally(): Tally {
  return { pairs: 0, joined: 0, changed: 0, both: 0, neither: 0, waits: 0, lonely: [], times: [] };
}

/** Runs so many pairs one after the other, each from a state with an id and no membership. */
export async function racePairs(one: Identity, rival: Rival, count: number, tally: Tally): Promise<void> {
  for (let pair = 0; pair < count; pair++) {
    // What was refused there is told; without it the pair would say nothing.
    if (!(await reset(one, `before-${rival}-${pair}`, tally))) continue;
    const write = rival === 'change' ? () => one.changeId(`after-${rival}-${pair}`) : () => one.deleteId();
    const [joined, changed] = await Promise.all([timed(one.join, tally), timed(write, tally)]);
    tally.pairs += 1;
    tally.joined += isDone(joined) ? 1 : 0;
    tally.changed += isDone(changed) ? 1 : 0;
    tally.both += isDone(joined) && isDone(changed) ? 1 : 0;
    tally.neither += isDone(joined) || isDone(changed) ? 0 : 1;
    for (const { status, body } of [joined, changed]) {
      if (status === 503) tally.waits += 1;
      else if (status > 299 && status !== 403) throw new Error(`${status} ${body.message}`);
    }
  }
}

/** By plain writes, of which none has a rival: none may be refused. Whether none was. */
async function reset(one: Identity, value: string, tally: Tally): Promise<boolean> {
  const before = tally.lonely.length;
  const lonely = async (what: string, write: Promise<ApiAnswer>) => {
    const answer = await write;
    if (!isDone(answer)) tally.lonely.push(`${what}: ${answer.status} ${answer.body.message}`);
  };
  if ((await one.membership()).status === 200) await lonely('leave', one.leave());
  if ((await one.id()).status === 200) await lonely('change', one.changeId(value));
  else await lonely('create', one.createId(value));
  return tally.lonely.length === before;
}

async function timed(write: () => Promise<ApiAnswer>, tally: Tally): Promise<ApiAnswer> {
  await sleep(Math.random() * 3);
  const began = performance.now();
  const answer = await write();
  if (isDone(answer)) tally.times.push(performance.now() - began);
  return answer;
}

export function isDone({ status }: ApiAnswer): boolean {
  return status >= 200 && status < 300;
}

/** Of a list that is not empty. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
