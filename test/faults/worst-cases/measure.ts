/** What judging takes beyond reading the same bytes as JSON, in milliseconds of processor time. */

import type { Engine } from '../../../src/engine/index.ts';
import type { ClusterView } from '../../../src/rules/rule.ts';
import { createAdmission, type Decision, worldOf } from '../../../src/server/admission.ts';
import { encode } from '../../../src/server/respond.ts';

export interface Taken {
  /** Median of several rounds, after one that does not count. */
  readonly addedMs: number;
  readonly parseMs: number;
  readonly decision: Decision;
}

const ROUNDS = 3;
const nothing: ClusterView = {
  get: async () => ({ known: true, value: undefined }),
  list: async () => ({ known: true, value: [] }),
};

/** Takes a body from its bytes to those of the answer. */
export async function taken(engine: Engine, bytes: Buffer): Promise<Taken> {
  const admit = createAdmission({ current: () => engine, world: worldOf(nothing) });
  const whole = async () => {
    const decision = await admit({
      path: 'validate',
      body: { bytes, tooLarge: false },
      budget: 10_000,
      gone: new AbortController().signal,
    });
    encode(decision.response);
    return decision;
  };
  const parse = async () => {
    try {
      JSON.parse(bytes.toString('utf8'));
    } catch {
      // What is no JSON takes its time, too.
    }
  };
  const decision = await whole();
  await parse();
  const rounds: { parsed: number; judged: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push({ parsed: await cpuMs(parse), judged: await cpuMs(whole) });
  const parseMs = median(rounds.map(({ parsed }) => parsed));
  return { addedMs: median(rounds.map(({ judged }) => judged)) - parseMs, parseMs, decision };
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
