/**
 * Runs one model as `npm run model` does: explores every interleaving within the bounds of the short form, finds each
 * planted fault, and compares the figures with those of the last full run. With `--full` those of the long form, after
 * which the figures are written to figures.json, and from there to docs/race-safety.md. `--only TEXT`: forms and faults
 * of this name; with --full, the figures of the others stay. `--traces`: the steps that break something. Faults that
 * take minutes to find are left to these two. `--without-replayed`: without the faults that the end-to-end tests find,
 * on the way to the traces that they replay.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { flagsOf } from '../../support/flags.ts';
import { type Figures, type FormFigures, pageWith } from './lock/figures.ts';

interface Named {
  readonly name: string;
}

interface PlantedFault<Form, Edit> extends Named {
  readonly edits: readonly Edit[];
  /** What it leads to first. */
  readonly breaks: string;
  readonly form: Form;
  readonly isLong?: true;
  /** Why no end-to-end test replays its trace. */
  readonly notReplayed?: string;
}

/** What was found of a form. */
interface Explored {
  readonly result: {
    readonly states: number;
    readonly transitions: number;
    readonly depth: number;
    readonly violation?: { readonly invariant: string; readonly probe?: unknown } | undefined;
  };
  /** The way to the violation, and the number of steps in it: its first line may be where it begins. */
  readonly trace: readonly string[];
  readonly steps: number;
}

interface Model<Form, Edit> {
  /** The figures of the last full run. */
  readonly figures: URL;
  /** How the names of its tables on the page begin. */
  readonly tables: '' | 'registrar-';
  readonly short: readonly Form[];
  readonly full: readonly Form[];
  readonly faults: readonly PlantedFault<Form, Edit>[];
  explore(form: Form, edits: readonly Edit[]): Promise<Explored>;
  /** Makes a check of its own once all forms are explored; returns what is wrong. */
  afterForms?(): Promise<readonly string[]>;
}

const PAGE = new URL('../../../docs/race-safety.md', import.meta.url);
const {
  full: isFull,
  only,
  traces: withTraces,
  progress: withProgress,
  'without-replayed': withoutReplayed,
} = flagsOf({
  full: { type: 'boolean', default: false },
  only: { type: 'string' },
  traces: { type: 'boolean', default: false },
  progress: { type: 'boolean', default: false },
  'without-replayed': { type: 'boolean', default: false },
});
const chosen = only?.split(';');
/** The names of --only that were met in neither model yet. */
const unmet = new Set(chosen);
const isChosen = ({ name }: Named) => chosen === undefined || chosen.includes(name);
const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Prints the states of a search while it runs, with `--progress`. */
export function onProgress(states: number, open: number): void {
  if (withProgress) say(`  ${states} states, ${open} open`);
}

/** Runs a model. Sets the process's exit code to 1 where something is wrong. */
export async function runModel<Form extends Named, Edit>(model: Model<Form, Edit>): Promise<void> {
  const known: Figures = JSON.parse(readFileSync(model.figures, 'utf8'));
  const mistakes: string[] = [];
  const forms: FormFigures[] = [];
  const faults: Figures['faults'][number][] = [];
  for (const form of (isFull ? model.full : model.short).filter(isChosen)) {
    unmet.delete(form.name);
    const before = performance.now();
    const { result, trace } = await model.explore(form, []);
    const seconds = Math.ceil((performance.now() - before) / 1000);
    const { states, transitions, depth, violation } = result;
    say(`${form.name}: ${states} states, ${transitions} transitions, depth ${depth}, ${seconds} s`);
    forms.push({ name: form.name, states, transitions, depth, seconds });
    const probe = JSON.stringify(violation?.probe ?? '');
    if (violation) mistakes.push(`${form.name}: ${violation.invariant} is broken ${probe}`, ...trace);
    const expected = known.forms.find(({ name }) => name === form.name);
    if (!isFull && (expected?.states !== states || expected.transitions !== transitions))
      mistakes.push(`${form.name}: figures.json has other figures; run npm run model -- --full`);
  }
  if (only === undefined && model.afterForms) mistakes.push(...(await model.afterForms()));
  const isSought = ({ isLong, notReplayed }: PlantedFault<Form, Edit>) =>
    isFull || only !== undefined || (!isLong && !(withoutReplayed && notReplayed === undefined));
  for (const fault of model.faults.filter(isChosen).filter(isSought)) {
    unmet.delete(fault.name);
    const { result, trace, steps } = await model.explore(fault.form, fault.edits);
    const { violation, states } = result;
    const outcome = violation ? `${violation.invariant}, ${steps} steps` : 'not found';
    say(`${fault.name}: ${outcome} (${states} states)`);
    if (withTraces) for (const line of trace) say(`    ${line}`);
    faults.push({ name: fault.name, breaks: violation?.invariant ?? '', steps, states });
    const expected = known.faults.find(({ name }) => name === fault.name);
    if (violation?.invariant !== fault.breaks) mistakes.push(`${fault.name}: does not break ${fault.breaks} first`);
    else if (!isFull && expected?.steps !== steps)
      mistakes.push(`${fault.name}: figures.json has another trace length`);
  }
  if (isFull) {
    const figures: Figures = {
      forms: newest(model.full, forms, known.forms),
      faults: newest(model.faults, faults, known.faults),
    };
    writeFileSync(model.figures, `${JSON.stringify(figures, null, 2)}\n`);
    writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), figures, model.tables));
  }
  for (const mistake of mistakes) process.stderr.write(`${mistake}\n`);
  if (mistakes.length > 0) process.exitCode = 1;
}

/** Ends the run with exit code 2 where --only named nothing that was explored: such a run has shown nothing. */
export function refuseUnmet(): void {
  for (const name of unmet) process.stderr.write(`error: no form or fault of this run is called "${name}"\n`);
  if (unmet.size > 0) process.exitCode = 2;
}

/** With --only the figures of the others stay. */
function newest<T extends Named>(all: readonly Named[], found: readonly T[], old: readonly T[]): T[] {
  return all.flatMap(({ name }) => [...found, ...old].find((one) => one.name === name) ?? []);
}
