/**
 * The command that tests run as a process. Jest runs the default export once before its tests: it bundles the command
 * as it is published, which starts in a third of the time that the sources take.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The sources, for tests that replace one of their modules or record which of them are called. */
export const SOURCE_MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

const BUNDLER = fileURLToPath(new URL('../../tools/generate/bundle.ts', import.meta.url));

/** Workers of Jest inherit it. */
const VARIABLE = 'TEST_MAIN';

/** The bundle; the sources in programs that Jest does not run, such as benchmarks. */
export const MAIN = process.env[VARIABLE] ?? SOURCE_MAIN;

export default function bundleCommand(): void {
  const folder = mkdtempSync(join(tmpdir(), 'muster-tests-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, [BUNDLER, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  process.env[VARIABLE] = join(folder, 'cli', 'main.js');
}
