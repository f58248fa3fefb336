/** The registrar's part of `npm run model`, as run-model.ts says. */
import { onProgress, runModel } from '../run-model.ts';
import { exploreForm } from './explore.ts';
import { FAULTS } from './faults.ts';
import { FULL, SHORT } from './forms.ts';

await runModel({
  figures: new URL('figures.json', import.meta.url),
  tables: 'registrar-',
  short: SHORT,
  full: FULL,
  faults: FAULTS,
  async explore(form, edits) {
    const { result, trace } = await exploreForm(form, edits, onProgress);
    return { result, trace, steps: trace.length };
  },
});
