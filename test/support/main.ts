/**
 * The command that tests run as a process. Jest runs the default export once before its tests: it builds the command as
 * it is published, which starts in a third of the time that the sources take.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from './folder.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

/** The sources, for tests that replace one of their modules or record which of them are called. */
export const SOURCE_MAIN = join(CHECKOUT, 'src/cli/main.ts');

/** Workers of Jest inherit it. */
const VARIABLE = 'TEST_MAIN';

/** The built command; the sources in programs that Jest does not run, such as benchmarks. */
export const MAIN = process.env[VARIABLE] ?? SOURCE_MAIN;

/** Builds the command from the sources, as it is published, into a folder; returns the path of the program. */
export function buildCommand(folder: string): string {
  copyFileSync(join(CHECKOUT, 'package.json'), join(folder, 'package.json'));
  execFileSync(process.execPath, [join(CHECKOUT, 'tools/generate/bundle.ts'), join(folder, 'dist')]);
  return join(folder, 'dist/cli/main.js');
}

export default function prepare(): void {
  process.env[VARIABLE] = buildCommand(newFolder().path);
}
