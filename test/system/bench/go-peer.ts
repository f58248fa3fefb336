/**
 * Programs in Go that muster is measured beside: found in the cache, or built there with Go, once for each state of
 * their module.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildGo, cacheOf, fingerprint, goProgram, isProgram } from '../../support/go-program.ts';

const CACHE = cacheOf('bench');

/** What is built: a package in or below the module in a folder. */
interface GoPeer {
  readonly name: string;
  readonly module: URL;
  readonly package: string;
}

/**
 * Returns its path; undefined where there is neither a built one nor Go. `log` gets a line for a build: minutes, the
 * first time.
 */
export function goPeer({ name, module: url, package: built }: GoPeer, log: (line: string) => void): string | undefined {
  const module = fileURLToPath(url);
  const path = join(CACHE, `${name}-${fingerprint(module)}`);
  if (isProgram(path)) return path;
  if (goProgram() === undefined) return undefined;
  log(`building ${name} into ${CACHE} (minutes, the first time)`);
  buildGo({ path, module, package: built });
  return path;
}
