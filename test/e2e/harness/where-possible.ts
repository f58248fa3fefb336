/**
 * The last step of `npm test`: the end-to-end tests, where a control plane can be had. Elsewhere it says in one line that
 * they did not run, and passes; with E2E=required, as in continuous integration, that is a failure, and a file that fails has a
 * second look.
 */
import { runJest } from '../../second-look.ts';
import { whyNoAssets } from './assets.ts';

const reason = whyNoAssets();
const required = process.env['E2E'] === 'required';

if (reason === undefined) {
  process.exitCode = runJest('jest.e2e.config.js', [], required);
} else {
  process.stderr.write(`${required ? 'error: ' : ''}the end-to-end tests did not run: ${reason}\n`);
  process.exitCode = required ? 1 : 0;
}
