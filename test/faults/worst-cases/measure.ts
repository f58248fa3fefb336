/** How long a review holds the event loop, from its bytes to those of the answer, in milliseconds of processor time. */
import { clusterStateOf } from '../../../src/engine/evaluate.ts';
import type { Engine } from '../../../src/engine/index.ts';
import type { ClusterView } from '../../../src/rules/rule.ts';
import { encode } from '../../../src/server/admission/respond.ts';
import { decideBytes } from '../../server/decide.ts';

export interface Taken {
  /** The longest stretch without a turn of the event loop. A median. */
  readonly stallMs: number;
  /** What JSON.parse takes for the same bytes. */
  readonly parseMs: number;
  readonly outcome: string;
  /** The problem of a review that is refused undecoded. */
  readonly unreadable: string | undefined;
}

const nothing: ClusterView = {
  get: async () => ({ known: true, value: undefined }),
  list: async () => ({ known: true, value: [] }),
};

/** Takes a body from its bytes to those of the answer, as the server does; once before the rounds that count. */
export async function taken(engine: Engine, bytes: Buffer, rounds: number): Promise<Taken> {
  const options = { engine: () => engine, clusterState: clusterStateOf(nothing) };
  const whole = async () => {
    const decision = await decideBytes(options, bytes);
    encode(decision.response);
    return decision;
  };
  const decision = await whole();
  const parsed: number[] = [];
  const stalls: number[] = [];
  for (let round = 0; round < rounds; round++) {
    parsed.push(parseMs(bytes));
    stalls.push((await stretches(whole)).reduce((most, one) => Math.max(most, one), 0));
  }
  const unreadable = decision.outcome === 'unreadable' ? decision.response.status?.message : undefined;
  return { stallMs: median(stalls), parseMs: median(parsed), outcome: decision.outcome, unreadable };
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
