/** Builds the command from the sources, as it is published. */
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

/** Builds into a folder and returns the path of the program. */
export function buildCommand(folder: string): string {
  copyFileSync(join(CHECKOUT, 'package.json'), join(folder, 'package.json'));
  execFileSync(process.execPath, [join(CHECKOUT, 'src/generate/bundle.ts'), join(folder, 'dist')]);
  return join(folder, 'dist/cli/main.js');
}
