/** Repositories to check, and the shell that a CI system would run something in. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { newFolder } from '../../support/folder.ts';
import { commitAll } from '../../support/git.ts';
import { MAIN } from '../../support/main.ts';
import { writePrograms } from '../../support/programs.ts';

export interface Ran {
  readonly code: number | null;
  /** Standard output and standard error, one after the other. */
  readonly out: string;
}

/** Where Node keeps what it has compiled: a checkout runs sources, which are the same in each run. */
const NODE_COMPILE_CACHE = newFolder().path;

/** Runs a program with nothing of this process's environment but what programs are found by. */
export function ran(folder: string, command: readonly string[], env: Readonly<Record<string, string>> = {}): Ran {
  const [program = '', ...args] = command;
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const known = {
    HOME: folder,
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    NODE_COMPILE_CACHE,
  };
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...known, ...env, PATH: `${env['FIRST'] ?? ''}:${path}` },
  });
  return { code: status, out: stdout + stderr };
}

/** What a claim looks like in a file. */
export function claim(name: string, value: string): string {
  return `apiVersion: multicluster.x-k8s.io/v1alpha1\nkind: ClusterClaim\nmetadata:\n  name: ${name}\nspec:\n  value: ${value}\n`;
}

/** Writes files, and makes them a commit of their own. */
export function commit(folder: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return commitAll(folder);
}

/**
 * A checkout of muster as an action or a hook has it: sources, and the packages that the scripts install already there.
 */
export function checkoutIn(folder: string): string {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  for (const name of ['tools', 'package.json']) symlinkSync(resolve(name), join(folder, name));
  // Not a link: its modules would find all packages of development beside it.
  cpSync('src', join(folder, 'src'), { recursive: true });
  const { dependencies } = JSON.parse(readFileSync('tools/integrations/runtime/package.json', 'utf8'));
  for (const name of Object.keys(dependencies)) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  return folder;
}

/** A folder that holds a command `muster`, as an installed package would bring it. */
export function commandIn(folder: string): string {
  writePrograms(folder, { muster: `exec node '${MAIN}' "$@"`, npm: 'echo "npm $*"' });
  return folder;
}
