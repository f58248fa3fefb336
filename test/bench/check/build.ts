/** Builds the command from the sources, as it is published: what users run is bundled, and has no types left to strip. */
import { copyFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../../src/generate/bundle.ts';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

/** Builds into a folder; tells the path of the program. */
export function buildCommand(folder: string): string {
  copyFileSync(join(CHECKOUT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
  return bundle(join(folder, 'dist'));
}
