/**
 * Searches the model of the registrar for what `registrar-model.e2e.ts` replays, and prints it as JSON. It is a process
 * of its own, which searches while the API server starts.
 */
import { fileURLToPath } from 'node:url';
import type { Edit } from '../../model/lock/code.ts';
import { exploreForm } from '../../model/registrar/explore.ts';
import { FAULTS } from '../../model/registrar/faults.ts';
import { creating, type Form, follow, unread } from '../../model/registrar/forms.ts';
import type { Invariant } from '../../model/registrar/norm.ts';
import type { Step } from '../../model/registrar/steps.ts';

export const RUNS: readonly Form[] = [follow, creating, unread];

/** The calls of the hub in a trace, with their answers. */
export type Calls = readonly NonNullable<Step['asked']>[];

interface Found {
  readonly invariant?: Invariant;
  /** To the violation. */
  readonly steps: number;
  /** To the violation; without one, to the states that are farthest from the start. */
  readonly traces: readonly Calls[];
}

/** By the name of the fault, or of the run. */
export type Traces = Readonly<Record<string, Found>>;

async function tracesOf(form: Form, edits: readonly Edit[] = []): Promise<Found> {
  const { result, trace, follow: stepsTo } = await exploreForm(form, edits);
  const { violation, farthest } = result;
  const traces: Calls[] = [];
  for (const index of violation ? [violation.index] : farthest)
    traces.push((await stepsTo(index)).flatMap(({ asked }) => asked ?? []));
  return { ...(violation && { invariant: violation.invariant }), steps: trace.length, traces };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found: Record<string, Found> = {};
  for (const { name, form, edits } of FAULTS) found[name] = await tracesOf(form, edits);
  for (const form of RUNS) found[form.name] = await tracesOf(form);
  process.stdout.write(JSON.stringify(found satisfies Traces));
}
