/** One search of the registrar's model, with or without a planted fault. */
import { type Exploration, explore } from '../breadth-first.ts';
import type { Edit } from '../lock/code.ts';
import { loadCode } from './code.ts';
import type { Form } from './forms.ts';
import { brokenIn, createProbe, type Invariant } from './norm.ts';
import { createRunner } from './runner.ts';
import { createSteps, type Step } from './steps.ts';
import { keyOf, type SystemState } from './system-state.ts';

interface Violation {
  readonly invariant: Invariant;
  readonly probe?: string;
}

export async function exploreForm(
  form: Form,
  edits: readonly Edit[],
  onProgress?: (states: number, open: number) => void,
) {
  const { initial, bounds } = form;
  const steps = createSteps(createRunner(await loadCode(edits), form), bounds);
  const probe = createProbe(steps);
  const result = await explore<SystemState, Step, Violation>({
    initial,
    keyOf,
    next: steps.next,
    check: probe,
    brokenBy: (_, { system }) => {
      const invariant = brokenIn(system);
      return invariant && { invariant };
    },
    onProgress,
  });
  const { violation, table } = result;
  const follow = (index: number) => wayTo(index, table, initial, steps.next);
  const trace = violation ? (await follow(violation.index)).map(({ label }) => label) : [];
  return { result, trace, follow };
}

/** Returns the steps of a shortest way to a state. */
async function wayTo(
  to: number,
  table: Exploration<Violation>['table'],
  initial: readonly SystemState[],
  next: (system: SystemState) => Promise<readonly Step[]>,
): Promise<readonly Step[]> {
  const [first = -1, ...way] = table.way(to);
  const start = initial.find((system) => table.is(first, keyOf(system)));
  if (start === undefined) throw new Error('the trace begins nowhere');
  let here = start;
  const steps: Step[] = [];
  for (const index of way) {
    const found = (await next(here)).find(({ system }) => table.is(index, keyOf(system)));
    if (found === undefined) throw new Error('the trace can not be followed');
    steps.push(found);
    here = found.system;
  }
  return steps;
}
