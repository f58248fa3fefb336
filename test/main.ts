/**
 * `npm test` after the static checks: unit, contract and property tests, then the end-to-end tests. Where no control plane can be had
 * the end-to-end tests are skipped with one line, which is a failure under E2E=required. No test runs twice: what fails once is red.
 */
import { spawnSync } from 'node:child_process';
import { whyNoAssets } from './e2e/harness/assets.ts';

const reason = whyNoAssets();
const codes = [runJest('jest.config.js'), reason === undefined ? runJest('jest.e2e.config.js') : skipped(reason)];
process.exitCode = Math.max(...codes);

function runJest(config: string): number {
  const { status } = spawnSync('npm', ['run', '-s', 'test:jest', '--', '--config', config], { stdio: 'inherit' });
  return status ?? 1;
}

function skipped(why: string): number {
  const required = process.env['E2E'] === 'required';
  process.stderr.write(`${required ? 'error: ' : ''}the end-to-end tests did not run: ${why}\n`);
  return required ? 1 : 0;
}
