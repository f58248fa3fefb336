/** The pages of the documentation whose commands need a cluster, and a shell that runs these commands. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAIN } from '../../../support/main.ts';
import { blocksIn } from '../../../support/pages.ts';
import { writePrograms } from '../../../support/programs.ts';
import { type ControlPlane, ensureAssets, type Outcome, runProgram } from '../harness/index.ts';

interface Section {
  /** The commands of its blocks that need a cluster, in order. */
  readonly commands: readonly string[];
  /** The outputs that it shows, in order. */
  readonly outputs: readonly string[];
  /** Its YAML documents, in order. */
  readonly yaml: readonly string[];
  readonly text: string;
}

/** Returns the part of a page below a heading, up to the next one. @throws Error if the page has no such heading */
export function sectionOf(page: string, heading: string): Section {
  const parts = readFileSync(page, 'utf8').split(/^#+ /m);
  const text = parts.find((part) => part.startsWith(`${heading}\n`));
  if (text === undefined) throw new Error(`${page} has no heading "${heading}"`);
  const blocks = blocksIn(page, text);
  const of = (...languages: readonly string[]) =>
    blocks.filter(({ language }) => languages.includes(language)).map((block) => block.text);
  return { commands: of('sh'), outputs: of('text', 'console'), yaml: of('yaml'), text };
}

export interface Shell {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs a script of a page to its end, in the folder. */
  run(script: string): Promise<Outcome>;
  write(file: string, text: string): void;
}

/** A folder of the user `admin`, with `npx kube-muster`, `muster` and `kubectl` on the PATH. */
export async function openShell(controlPlane: ControlPlane): Promise<Shell> {
  const folder = join(controlPlane.folder, 'guide');
  const bin = join(controlPlane.folder, 'bin');
  mkdirSync(folder);
  const muster = `exec '${process.execPath}' '${MAIN}' "$@"`;
  writePrograms(bin, { npx: `[ "$1" = kube-muster ] || exit 127; shift; ${muster}`, muster });
  symlinkSync((await ensureAssets()).kubectl, join(bin, 'kubectl'));
  const PATH = `${bin}:${process.env['PATH']}`;
  const KUBECONFIG = controlPlane.kubeconfig('admin', { namespace: 'default' });
  const env = { PATH, KUBECONFIG, HOME: folder, NO_COLOR: '1' };
  const run = (script: string) =>
    runProgram('bash', ['--norc', '-euo', 'pipefail', '-c', `cd '${folder}'\n${script}`], undefined, env);
  return { folder, env, run, write: (file, text) => writeFileSync(join(folder, file), text) };
}
