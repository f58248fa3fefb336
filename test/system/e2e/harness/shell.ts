/** A shell for the commands of pages and remedies, as the administrator of a cluster. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../../../support/folder.ts';
import { MAIN } from '../../../support/main.ts';
import { writePrograms } from '../../../support/programs.ts';
import { ensureAssets } from './assets.ts';
import type { ControlPlane } from './control-plane.ts';
import { type Outcome, runProgram } from './daemon.ts';

export interface Shell {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs a script to its end, in the folder; it ends at the first failure. */
  run(script: string): Promise<Outcome>;
  write(file: string, text: string): void;
}

/**
 * Has `muster`, `npx kube-muster`, `kubectl` and these programs on its PATH, each a command line by its name. Its folder
 * is empty.
 */
export async function openShell(
  controlPlane: ControlPlane,
  programs: Readonly<Record<string, string>> = {},
): Promise<Shell> {
  const root = newFolder().path;
  const folder = join(root, 'work');
  const bin = join(root, 'bin');
  mkdirSync(folder);
  const muster = `exec '${process.execPath}' '${MAIN}' "$@"`;
  writePrograms(bin, { ...programs, npx: `[ "$1" = kube-muster ] || exit 127; shift; ${muster}`, muster });
  symlinkSync((await ensureAssets()).kubectl, join(bin, 'kubectl'));
  const PATH = `${bin}:${process.env['PATH']}`;
  const KUBECONFIG = controlPlane.kubeconfig('admin', { namespace: 'default' });
  const env = { PATH, KUBECONFIG, HOME: folder, NO_COLOR: '1' };
  const run = (script: string) =>
    runProgram('bash', ['--norc', '-euo', 'pipefail', '-c', `cd '${folder}'\n${script}`], undefined, env);
  return { folder, env, run, write: (file, text) => writeFileSync(join(folder, file), text) };
}
