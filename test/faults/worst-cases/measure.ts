/** What judging adds to the lag of the event loop, beyond reading the same bytes as JSON, in milliseconds of processor time. */
import { clusterStateOf } from '../../../src/engine/cluster-state.ts';
import type { Engine } from '../../../src/engine/index.ts';
import type { ClusterView } from '../../../src/rules/rule.ts';
import { createAdmission } from '../../../src/server/admission/admission.ts';
import { encode } from '../../../src/server/admission/respond.ts';
import { Turns } from '../../../src/server/load/turns.ts';

export interface Taken {
  /** The longest stretch without a turn of the event loop; of the first, which decodes, what is beyond `parseMs`. A median. */
  readonly addedMs: number;
  /** All stretches together. */
  readonly wholeMs: number;
  readonly parseMs: number;
  readonly outcome: string;
  readonly answer: string;
}

const nothing: ClusterView = {
  get: async () => ({ known: true, value: undefined }),
  list: async () => ({ known: true, value: [] }),
};
const turns = new Turns();
const turn = () => turns.next('one address');

/** Takes a body from its bytes to those of the answer, as the server does; once before the rounds that count. */
export async function taken(engine: Engine, bytes: Buffer, rounds: number): Promise<Taken> {
  const admit = createAdmission({ current: () => engine, clusterState: clusterStateOf(nothing) });
  const gone = new AbortController().signal;
  const body = { bytes, tooLarge: false };
  const whole = async () => {
    const decision = await admit({ path: 'validate', body, budget: 60_000, gone, turn });
    encode(decision.response);
    return decision;
  };
  const decision = await whole();
  const measured: { parsed: number; judged: readonly number[] }[] = [];
  for (let round = 0; round < rounds; round++) {
    measured.push({ parsed: parseMs(bytes), judged: await stretches(whole) });
  }
  const parsed = median(measured.map((round) => round.parsed));
  // Not by Math.max of all: while a review rests the loop turns a hundred thousand times.
  const added = measured.map(({ judged: [first = 0, ...rest] }) =>
    rest.reduce((most, one) => Math.max(most, one), first - parsed),
  );
  const all = measured.map(({ judged }) => judged.reduce((sum, one) => sum + one, 0));
  return {
    addedMs: median(added),
    wholeMs: median(all),
    parseMs: parsed,
    outcome: decision.outcome,
    answer: encode(decision.response),
  };
}

function parseMs(bytes: Buffer): number {
  globalThis.gc?.();
  const before = cpuMs();
  try {
    JSON.parse(bytes.toString('utf8'));
  } catch {
    // What is no JSON takes its time, too.
  }
  return cpuMs() - before;
}

/** Processor time between any two turns of the event loop while the work is under way. */
async function stretches(work: () => Promise<unknown>): Promise<number[]> {
  globalThis.gc?.();
  const found: number[] = [];
  let over = false;
  await nextTurn();
  let before = cpuMs();
  const end = work().finally(() => {
    over = true;
  });
  while (!over) {
    await nextTurn();
    const now = cpuMs();
    found.push(now - before);
    before = now;
  }
  await end;
  return found;
}

function nextTurn(): Promise<void> {
  return new Promise((begin) => setImmediate(begin));
}

/** Of this thread alone: that of the collector's helpers and of the compiler keeps nobody waiting. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
