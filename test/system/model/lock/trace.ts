/** A way through the model as a list of steps, in which each request keeps its number. */

import type { StateTable } from '../state-table.ts';
import type { SearchOptions } from './search.ts';
import { createSteps } from './steps.ts';
import { canonical, type SystemState } from './system-state.ts';

export interface TraceStep {
  readonly label: string;
  /** After the step; its requests have the numbers that the label uses. */
  readonly system: SystemState;
}

/** Returns the initial state, and each step from there to the state of this number, on a shortest way. */
export async function traceTo(
  table: StateTable,
  index: number,
  { initial, reviewer, bounds }: Pick<SearchOptions, 'initial' | 'reviewer' | 'bounds'>,
): Promise<readonly TraceStep[]> {
  const [first = -1, ...way] = table.way(index);
  const start = initial.find((system) => table.is(first, canonical(system).key));
  if (start === undefined) throw new Error('the trace begins nowhere');
  const steps = createSteps(reviewer, bounds);
  const trace: TraceStep[] = [{ label: 'at first', system: start }];
  let here: SystemState = JSON.parse(canonical(start).key);
  // The numbers of the requests in the canonical state.
  let numbers: readonly number[] = [];
  let users = new Map<string, string>();
  let made = 0;
  let known = 0;
  for (const next of way) {
    const found = (await steps.next(here)).find(({ system }) => table.is(next, canonical(system).key));
    if (found === undefined) throw new Error('the trace can not be followed');
    const { system } = found;
    if (system.requests.some(({ id }) => id >= numbers.length)) numbers = [...numbers, made++];
    const numberOf = (place: number) => numbers[place] ?? -1;
    const label = found.label
      .replace(/^(\d+)( is repeated as (\d+))?/, (_, one, __, two) =>
        two === undefined
          ? `${numberOf(Number(one))}`
          : `${numberOf(Number(one))} is repeated as ${numberOf(Number(two))}`,
      )
      .replace(/(?<= in )\d+( and \d+)*/, (places) => places.replace(/\d+/g, (one) => `${numberOf(Number(one))}`))
      .replace(/~j\d+/, (token) => {
        if (!users.has(token)) users.set(token, `user-${known++}`);
        return users.get(token) ?? '';
      });
    const named = system.requests.map((one) => ({ ...one, id: numberOf(one.id) }));
    trace.push({ label, system: { ...system, requests: named } });
    const state = canonical(system);
    numbers = state.requests.map(numberOf);
    users = new Map(
      [...users].flatMap(([token, user]) => {
        const name = state.names.get(token);
        return name === undefined ? [] : [[name, user] as const];
      }),
    );
    here = JSON.parse(state.key);
  }
  return trace;
}
