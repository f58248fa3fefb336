/**
 * The tests of `npm test`: unit and contract tests, then the end-to-end tests, where a control plane can be had. Elsewhere it says in one line
 * that these did not run, and passes; with E2E=required, as in continuous integration, that is a failure, and a file that fails is looked
 * at again.
 */
import { whyNoAssets } from './e2e/harness/assets.ts';
import { runJest } from './looks.ts';

const required = process.env['E2E'] === 'required';

process.exitCode = runJest('jest.config.js', [], required) || endToEnd();

function endToEnd(): number {
  const reason = whyNoAssets();
  if (reason === undefined) return runJest('jest.e2e.config.js', [], required);
  process.stderr.write(`${required ? 'error: ' : ''}the end-to-end tests did not run: ${reason}\n`);
  return required ? 1 : 0;
}
