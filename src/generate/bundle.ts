/**
 * `node bundle.ts FOLDER`, a step of the build: the command and the library in some hundred files, of which a command reads the few that it needs. The sources
 * are four hundred, and to find and read each by itself was a third of what a start took. Packages stay where npm puts them, and names and lines
 * as they were written: an operator reads a stack trace.
 */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { narrow } from './published-code.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

/** Writes into a folder; tells the path of the command. Throws where the sources don't hold together, after saying why. */
export function bundle(folder: string): string {
  const { outputFiles } = buildSync({
    absWorkingDir: CHECKOUT,
    entryPoints: ['src/cli/main.ts', 'src/index.ts'],
    outdir: folder,
    outbase: 'src',
    // Two folders deep, as the sources are: version.ts finds package.json from there.
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node22.19',
    charset: 'utf8',
    logLevel: 'warning',
    write: false,
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, narrow(text));
  }
  const command = join(folder, 'cli', 'main.js');
  chmodSync(command, 0o755);
  return command;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? 'dist');
  rmSync(folder, { recursive: true, force: true });
  bundle(folder);
}
