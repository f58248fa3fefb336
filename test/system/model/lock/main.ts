/** The model of the locks, as run-model.ts says. */
import { onProgress, runModel } from '../run-model.ts';
import { type Edit, loadCode } from './code.ts';
import { recordCoverage } from './coverage.ts';
import { FAULTS } from './faults.ts';
import { type Form, FULL, SHORT } from './forms.ts';
import { createReviewer } from './reviewer.ts';
import { search } from './search.ts';
import { traceTo } from './trace.ts';

const coverage = await recordCoverage();
await runModel({
  figures: new URL('figures.json', import.meta.url),
  tables: '',
  short: SHORT,
  full: FULL,
  faults: FAULTS,
  explore,
  afterForms: coverage.mistakes,
});

async function explore({ setting, bounds, initial }: Form, edits: readonly Edit[]) {
  const reviewer = createReviewer(await loadCode(edits), setting);
  const result = await search({ initial, reviewer, bounds, onProgress });
  const { violation, table } = result;
  const trace = violation ? await traceTo(table, violation.index, { initial, reviewer, bounds }) : [];
  return { result, trace: trace.map(({ label }) => label), steps: trace.length - 1 };
}
