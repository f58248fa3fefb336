/** The programs of the field scenarios beside kubectl: found in the cache, or built from their Go modules in test/e2e/tools. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheOf, goProgram, isProgram } from '../../go-program.ts';
import { buildGo } from '../harness/go-build.ts';

const MODULES = fileURLToPath(new URL('../tools/', import.meta.url));

const PROGRAMS = {
  helm3: { module: 'helm-3', package: 'helm.sh/helm/v3/cmd/helm', name: 'helm' },
  helm4: { module: 'helm-4', package: 'helm.sh/helm/v4/cmd/helm', name: 'helm' },
  /** Our own, of the libraries of controller-runtime and Flux. */
  writers: { module: 'writers', package: '.', name: 'writers' },
} as const;

export type Program = keyof typeof PROGRAMS;
/** Where each program is. */
export type Tools = Readonly<Record<Program, string>>;

const NAMES = Object.keys(PROGRAMS) as Program[];

/** Why the programs can't be had on this machine, in one sentence; undefined where they can. */
export function whyNoTools(): string | undefined {
  const missing = NAMES.filter((name) => !isProgram(pathOf(name)));
  if (missing.length === 0 || goProgram() !== undefined) return undefined;
  return `${missing.join(', ')} not in ${cacheOf('')}, and no Go to build from source: install Go`;
}

/** Builds what is missing: three minutes, once for each version; `log` receives a line for each. @throws Error saying what is missing */
export async function ensureTools(log: (line: string) => void): Promise<Tools> {
  const reason = whyNoTools();
  if (reason !== undefined) throw new Error(`no tools for the field scenarios: ${reason}`);
  for (const name of NAMES.filter((each) => !isProgram(pathOf(each)))) {
    log(`building ${name} into ${folderOf(name)} (a minute or two, the first time)`);
    const { module, ...built } = PROGRAMS[name];
    await buildGo({ ...built, module: join(MODULES, module), folder: folderOf(name) });
  }
  return Object.fromEntries(NAMES.map((name) => [name, pathOf(name)])) as unknown as Tools;
}

function pathOf(name: Program): string {
  return join(folderOf(name), PROGRAMS[name].name);
}

function folderOf(name: Program): string {
  const { module } = PROGRAMS[name];
  return cacheOf(`${module}-${versionOf(join(MODULES, module))}`);
}

/** Of everything that the program is built from. */
function versionOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 12);
}
