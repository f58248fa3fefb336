/**
 * The last step of `npm test`: the end-to-end tests, where a control plane can be had. Elsewhere it says in one line that
 * they did not run, and passes; with E2E=required, as in continuous integration, that is a failure.
 */
import { spawnSync } from 'node:child_process';
import { whyNoAssets } from './assets.ts';

const reason = whyNoAssets();
const required = process.env['E2E'] === 'required';

if (reason === undefined) {
  process.exitCode = spawnSync('npm', ['run', '-s', 'test:e2e'], { stdio: 'inherit' }).status ?? 1;
} else {
  process.stderr.write(`${required ? 'error: ' : ''}the end-to-end tests did not run: ${reason}\n`);
  process.exitCode = required ? 1 : 0;
}
