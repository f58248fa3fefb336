/**
 * Searches the model of the locks for what `race-model.e2e.ts` replays, and prints it as JSON. It is a process of its
 * own, which searches while the API server starts.
 */
import { fileURLToPath } from 'node:url';
import { loadCode } from '../../model/lock/code.ts';
import { FAULTS, type Fault } from '../../model/lock/faults.ts';
import { EXPIRY, type Form, formOf } from '../../model/lock/forms.ts';
import { createReviewer } from '../../model/lock/reviewer.ts';
import { search, type Violation } from '../../model/lock/search.ts';
import { type TraceStep, traceTo } from '../../model/lock/trace.ts';

/** Without those whose search takes minutes. */
export const REPLAYED: readonly Fault[] = FAULTS.filter(
  ({ isLong, notReplayed }) => !isLong && notReplayed === undefined,
);

export const RUNS: readonly Form[] = [
  formOf({ name: 'races', start: 2 }),
  formOf({ name: 'races for an id with two names', start: 2, twoNames: true }),
  formOf({ name: 'a lost answer', start: 2, lost: 1 }),
  formOf({ name: 'time', start: 2, clock: EXPIRY }),
  // A test can't bring about a crash of the API server in the middle of some requests.
  formOf({ name: 'a crash of muster', start: 2, crash: 1, servers: 'lasting' }),
  formOf({ name: 'a repeated request', start: 1, writers: 2, retry: 1 }),
];

interface Found {
  readonly violation?: Violation;
  /** To the violation; without one, to the states that are farthest from the start. */
  readonly traces: readonly (readonly TraceStep[])[];
}

/** By the name of the fault, or of the run. */
export type Traces = Readonly<Record<string, Found>>;

async function tracesOf({ setting, bounds, initial }: Form, edits: Fault['edits'] = []): Promise<Found> {
  const reviewer = createReviewer(await loadCode(edits), setting);
  const { violation, table, farthest } = await search({ initial, reviewer, bounds });
  const traces: (readonly TraceStep[])[] = [];
  for (const index of violation ? [violation.index] : farthest)
    traces.push(await traceTo(table, index, { initial, reviewer, bounds }));
  return { ...(violation && { violation }), traces };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found: Record<string, Found> = {};
  for (const { name, form, edits } of REPLAYED) found[name] = await tracesOf(form, edits);
  for (const form of RUNS) found[form.name] = await tracesOf(form);
  process.stdout.write(JSON.stringify(found satisfies Traces));
}
