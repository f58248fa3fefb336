/**
 * Measures how long the reviews of one part hold the event loop, from their bytes to those of the answer, and prints it
 * as JSON. It runs in a process of its own, where nothing else takes time or memory.
 *
 *     node --expose-gc test/system/faults/worst-cases/measure.ts PART ROUNDS
 */
import { MOST_ENTRIES } from '../../../../src/config/schema.ts';
import { stateFromView } from '../../../../src/engine/evaluate.ts';
import { createEngine, defaultPolicy } from '../../../../src/engine/index.ts';
import { ruleIds } from '../../../../src/rules/index.ts';
import type { ClusterView } from '../../../../src/rules/rule.ts';
import { encode } from '../../../../src/server/admission/respond.ts';
import { median } from '../../../support/figures.ts';
import { decideBytes } from '../../../support/reviews.ts';
import { cpuMs, parseLargestBody } from './baseline.ts';
import { expressions, lists, unique } from './reviews.ts';

const parts = { expressions, unique, lists };
export type Part = keyof typeof parts;

/** Times in milliseconds of processor time. */
export interface Measured {
  readonly name: string;
  readonly megabytes: number;
  /** The longest stretch without a turn of the event loop. A median. */
  readonly stallMs: number;
  /** What JSON.parse takes for a body of the largest size, measured in turn with the review. */
  readonly baselineMs: number;
  readonly outcome: string;
  /** The problem of a review that is refused undecoded. */
  readonly unreadable: string | undefined;
}

/**
 * Every rule is on and denies, so that every finding is reported at length, and jane is a stranger to all of them: to
 * as many groups as a list of the configuration may hold.
 */
const actions = new Map([...ruleIds].map((id) => [id as string, { webhook: 'deny' } as const]));
const principals = Array.from({ length: MOST_ENTRIES }, (_, index) => ({ group: `admins-${index}` }));
const settings = {
  claims: { allowedReservedNames: [], membershipManagers: principals },
  inventory: { managers: new Map([['harbour', principals]]) },
  features: { dynamic: [], serverFlow: [{ namespace: '*', name: '*', principals }], clockSkewSeconds: 5 },
  placements: { schedulers: new Map([['fleet-scheduler', principals]]) },
  services: { closedNamespaces: ['kube-system'], importManagers: principals },
};
const engine = createEngine({ policy: { ...defaultPolicy, actions, settings }, point: 'webhook' });
const nothing: ClusterView = {
  get: async () => ({ known: true, value: undefined }),
  list: async () => ({ known: true, value: [] }),
};
const options = { current: { engine }, clusterState: stateFromView(nothing) };

const [part = '', rounds = '3'] = process.argv.slice(2);
const all: Measured[] = [];
for (const [name, review] of parts[part as Part]()) {
  const bytes = Buffer.from(JSON.stringify(review));
  all.push({ name, megabytes: bytes.length / 1e6, ...(await measure(bytes, Number(rounds))) });
}
process.stdout.write(JSON.stringify(all));

/** Takes a body from its bytes to those of the answer, as the server does; once before the rounds that count. */
async function measure(bytes: Buffer, rounds: number): Promise<Omit<Measured, 'name' | 'megabytes'>> {
  const decide = async () => {
    const decision = await decideBytes(options, bytes);
    encode(decision.response);
    return decision;
  };
  const { outcome, response } = await decide();
  const baseline: number[] = [];
  const stalls: number[] = [];
  for (let round = 0; round < rounds; round++) {
    globalThis.gc?.();
    baseline.push(parseLargestBody());
    stalls.push(await longestStretch(decide));
  }
  const unreadable = outcome === 'unreadable' ? response.status?.message : undefined;
  return { stallMs: median(stalls), baselineMs: median(baseline), outcome, unreadable };
}

/** Returns the most processor time between two turns of the event loop while the work is under way. */
async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  let longest = 0;
  let over = false;
  await nextTurn();
  let before = cpuMs();
  // What is no JSON takes time, too.
  const end = work()
    .catch(() => {})
    .finally(() => {
      over = true;
    });
  while (!over) {
    await nextTurn();
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  }
  await end;
  return longest;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
