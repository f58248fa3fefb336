/** Runs the tests of the site in Chromium, or says in one line what is missing for them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { CHROMIUM, DIST } from './site.ts';

const missing = whatIsMissing();
if (missing === undefined) {
  const args = ['run', '-s', 'test:jest', '--', '--selectProjects', 'playground'];
  process.exitCode = spawnSync('npm', args, { stdio: 'inherit' }).status ?? 1;
} else {
  process.stderr.write(`error: the playground was not tested: ${missing}\n`);
  process.exitCode = 1;
}

function whatIsMissing(): string | undefined {
  if (CHROMIUM === undefined) return 'there is no Chromium; install it, or set CHROMIUM to the path of one';
  if (!existsSync(CHROMIUM)) return `no Chromium at ${CHROMIUM}, which CHROMIUM names`;
  if (!existsSync(`${DIST}/playground.html`)) return 'the site is not built; run npm run docs:build first';
  return undefined;
}
