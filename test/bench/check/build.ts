/** Builds the command from the sources, as it is published: what users run has no types left to strip. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

/** Builds into a folder; tells the path of the program. Throws where nothing came of it. */
export function buildCommand(folder: string): string {
  const packages = join(CHECKOUT, 'node_modules');
  copyFileSync(join(CHECKOUT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(packages, join(folder, 'node_modules'));
  const compiler = join(packages, 'typescript', 'bin', 'tsc');
  const args = [compiler, '-p', join(CHECKOUT, 'tsconfig.build.json'), '--outDir', join(folder, 'dist')];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const program = join(folder, 'dist', 'cli', 'main.js');
  // The compiler writes what it can even where types are wrong.
  if (!existsSync(program)) throw new Error(`the build failed:\n${stdout}`);
  return program;
}
