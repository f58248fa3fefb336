/**
 * `npm run model`: explores every interleaving within the bounds of the short form, and finds each planted fault.
 * With `--full` those of the long
 * form, after which the figures are written to figures.json, and from there to docs/race-safety.md. `--only TEXT`:
 * forms and faults of this name. Faults that take minutes to find are left to these two.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { loadCode } from './code.ts';
import { recordCoverage } from './coverage.ts';
import { FAULTS } from './faults.ts';
import { type Figures, type FormFigures, pageWith } from './figures.ts';
import { type Form, FULL, SHORT } from './forms.ts';
import { createReviewer } from './reviewer.ts';
import { search } from './search.ts';
import { traceTo } from './trace.ts';

const FIGURES = new URL('figures.json', import.meta.url);
const PAGE = new URL('../../../../docs/race-safety.md', import.meta.url);
const args = process.argv.slice(2);
const isFull = args.includes('--full');
const only = args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '') : undefined;
const isChosen = ({ name }: { readonly name: string }) => only === undefined || only.split(';').includes(name);
const say = (line: string) => void process.stdout.write(`${line}\n`);

const coverage = await recordCoverage();
const known: Figures = JSON.parse(readFileSync(FIGURES, 'utf8'));
const mistakes: string[] = [];
const forms: FormFigures[] = [];
const faults: Figures['faults'][number][] = [];

for (const form of (isFull ? FULL : SHORT).filter(isChosen)) {
  const before = performance.now();
  const { result, trace } = await explore(form, []);
  const seconds = Math.ceil((performance.now() - before) / 1000);
  const { states, transitions, depth, violation } = result;
  say(`${form.name}: ${states} states, ${transitions} transitions, depth ${depth}, ${seconds} s`);
  forms.push({ name: form.name, states, transitions, depth, seconds });
  if (violation)
    mistakes.push(`${form.name}: ${violation.invariant} is broken ${JSON.stringify(violation.probe ?? '')}`, ...trace);
  const expected = known.forms.find(({ name }) => name === form.name);
  if (!isFull && (expected?.states !== states || expected.transitions !== transitions))
    mistakes.push(`${form.name}: figures.json has other figures; run npm run model -- --full`);
}
if (only === undefined) mistakes.push(...(await coverage.mistakes()));
for (const fault of FAULTS.filter(isChosen).filter(({ isLong }) => !isLong || isFull || only !== undefined)) {
  const { result, trace } = await explore(fault.form, fault.edits);
  const { violation, states } = result;
  const outcome = violation ? `${violation.invariant}, ${trace.length - 1} steps` : 'not found';
  say(`${fault.name}: ${outcome} (${states} states)`);
  if (args.includes('--traces')) for (const line of trace) say(`    ${line}`);
  faults.push({ name: fault.name, breaks: violation?.invariant ?? '', steps: trace.length - 1, states });
  const expected = known.faults.find(({ name }) => name === fault.name);
  if (violation?.invariant !== fault.breaks) mistakes.push(`${fault.name}: does not break ${fault.breaks} first`);
  else if (!isFull && expected?.steps !== trace.length - 1)
    mistakes.push(`${fault.name}: figures.json has another trace length`);
}
if (isFull) {
  // With --only the figures of the others stay.
  const newest = <T extends { readonly name: string }>(
    all: readonly { readonly name: string }[],
    found: T[],
    old: readonly T[],
  ) => all.flatMap(({ name }) => [...found, ...old].find((one) => one.name === name) ?? []);
  const current: Figures = JSON.parse(readFileSync(FIGURES, 'utf8'));
  const figures: Figures = {
    forms: newest(FULL, forms, current.forms),
    faults: newest(FAULTS, faults, current.faults),
  };
  writeFileSync(FIGURES, `${JSON.stringify(figures, null, 2)}\n`);
  writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), figures));
}
for (const mistake of mistakes) process.stderr.write(`${mistake}\n`);
process.exitCode = mistakes.length > 0 ? 1 : 0;

async function explore({ setting, bounds, initial }: Form, edits: (typeof FAULTS)[number]['edits']) {
  const reviewer = createReviewer(await loadCode(edits), setting);
  const onProgress = (states: number, open: number) =>
    void (args.includes('--progress') && say(`  ${states} states, ${open} open`));
  const result = await search({ initial, reviewer, bounds, onProgress });
  const { violation, table } = result;
  const trace = violation ? await traceTo(table, violation.index, { initial, reviewer, bounds }) : [];
  return { result, trace: trace.map(({ label }) => label) };
}
