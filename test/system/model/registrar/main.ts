/**
 * The registrar's part of `npm run model`, with the same flags as that of the locks: explores the forms, and finds each
 * planted fault. With `--full` the figures are written to figures.json and docs/race-safety.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type Figures, type FormFigures, pageWith } from '../lock/figures.ts';
import { exploreForm } from './explore.ts';
import { FAULTS } from './faults.ts';
import { FULL, SHORT } from './forms.ts';

const FIGURES = new URL('figures.json', import.meta.url);
const PAGE = new URL('../../../../docs/race-safety.md', import.meta.url);
const args = process.argv.slice(2);
const isFull = args.includes('--full');
const only = args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '') : undefined;
const isChosen = ({ name }: { readonly name: string }) => only === undefined || only.split(';').includes(name);
const say = (line: string) => void process.stdout.write(`${line}\n`);

const known: Figures = JSON.parse(readFileSync(FIGURES, 'utf8'));
const mistakes: string[] = [];
const forms: FormFigures[] = [];
const faults: Figures['faults'][number][] = [];
for (const form of (isFull ? FULL : SHORT).filter(isChosen)) {
  const before = performance.now();
  const { result, trace } = await exploreForm(form, []);
  const seconds = Math.ceil((performance.now() - before) / 1000);
  const { states, transitions, depth, violation } = result;
  say(`${form.name}: ${states} states, ${transitions} transitions, depth ${depth}, ${seconds} s`);
  forms.push({ name: form.name, states, transitions, depth, seconds });
  if (violation) mistakes.push(`${form.name}: ${violation.invariant} is broken ${violation.probe ?? ''}`, ...trace);
  const expected = known.forms.find(({ name }) => name === form.name);
  if (!isFull && (expected?.states !== states || expected.transitions !== transitions))
    mistakes.push(`${form.name}: figures.json has other figures; run npm run model -- --full`);
}
for (const fault of FAULTS.filter(isChosen)) {
  const { result, trace } = await exploreForm(fault.form, fault.edits);
  const { violation, states } = result;
  say(`${fault.name}: ${violation ? `${violation.invariant}, ${trace.length} steps` : 'not found'} (${states} states)`);
  if (args.includes('--traces')) for (const line of trace) say(`    ${line}`);
  faults.push({ name: fault.name, breaks: violation?.invariant ?? '', steps: trace.length, states });
  const expected = known.faults.find(({ name }) => name === fault.name);
  if (violation?.invariant !== fault.breaks) mistakes.push(`${fault.name}: does not break ${fault.breaks} first`);
  else if (!isFull && expected?.steps !== trace.length)
    mistakes.push(`${fault.name}: figures.json has another trace length`);
}
if (isFull && only === undefined) {
  const figures: Figures = { forms, faults };
  writeFileSync(FIGURES, `${JSON.stringify(figures, null, 2)}\n`);
  writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), figures, 'registrar-'));
}
for (const mistake of mistakes) process.stderr.write(`${mistake}\n`);
if (mistakes.length > 0) process.exitCode = 1;
