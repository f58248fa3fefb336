/**
 * `npm test` after the static checks: unit, contract and property tests, then the end-to-end tests. Where no control
 * plane can be had the end-to-end tests are skipped with one line, which is a failure under E2E=required. No test runs
 * twice: what fails once is red.
 */
import { spawnSync } from 'node:child_process';
import { whyNoAssets } from './system/e2e/harness/assets.ts';

const reason = whyNoAssets();
const codes = [
  run('test:jest', '--selectProjects', 'unit', 'repository'),
  reason === undefined ? run('test:e2e') : skipped(reason),
];
process.exitCode = Math.max(...codes);

function run(script: string, ...args: readonly string[]): number {
  return spawnSync('npm', ['run', '-s', script, '--', ...args], { stdio: 'inherit' }).status ?? 1;
}

function skipped(why: string): number {
  const required = process.env['E2E'] === 'required';
  process.stderr.write(`${required ? 'error: ' : ''}the end-to-end tests did not run: ${why}\n`);
  return required ? 1 : 0;
}
