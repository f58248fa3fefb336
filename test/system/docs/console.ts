/**
 * Runs the `console` blocks of a page: lines that begin with `$ ` are commands, the lines behind are what they print.
 * All commands of a page run in one shell, in order, in a copy of `examples/`, so a later block sees the files,
 * variables and folder of an earlier one.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../../support/folder.ts';
import { commitAll, gitIn } from '../../support/git.ts';
import { MAIN } from '../../support/main.ts';
import type { Block } from '../../support/pages.ts';
import { writePrograms } from '../../support/programs.ts';

export interface Step {
  /** Where the block is. */
  readonly at: string;
  readonly command: string;
  /** Lines; one that is `…` stands for any number of lines, and `…` in a line for any text. */
  readonly expected: readonly string[];
}

/** Returns the commands of a block. @throws Error if the block does not begin with one */
export function stepsOf({ at, text }: Block): readonly Step[] {
  const steps: { at: string; command: string; expected: string[] }[] = [];
  let isOpen = false;
  for (const line of text.trimEnd().split('\n')) {
    const last = steps.at(-1);
    if (isOpen && last !== undefined) last.command += `\n${line}`;
    else if (line.startsWith('$ ')) steps.push({ at, command: line.slice(2), expected: [] });
    else if (last === undefined) throw new Error(`${at}: a console block begins with "$ " and a command`);
    else last.expected.push(line);
    isOpen = goesOn(steps.at(-1)?.command ?? '');
  }
  return steps;
}

/** Whether a command goes on in the next line: after a backslash, or in a here-document. */
function goesOn(command: string): boolean {
  const [, word] = /<<-?\s*['"]?(\w+)/.exec(command) ?? [];
  if (word !== undefined) return !command.split('\n').slice(1).includes(word);
  return command.endsWith('\\');
}

/** Separates the outputs of commands; no command prints it. */
const MARK = '\u001e';

/** Runs commands and returns what each prints, standard error included, as on a terminal. */
export function run(steps: readonly Step[]): readonly string[] {
  const folder = newFolder().path;
  const { env, root } = prepare(folder);
  const lines = steps.map(({ command }) => `{ ${command}\n} 2>&1; ( s=$?; printf '${MARK}'; exit $s )`);
  const options = { cwd: root, env, encoding: 'utf8', maxBuffer: 16_777_216, timeout: 100_000 } as const;
  const { stdout, stderr, error } = spawnSync('bash', ['--norc', '-c', lines.join('\n')], options);
  if (error !== undefined) throw error;
  const outputs = stdout.split(MARK);
  if (outputs.length <= steps.length) throw new Error(`the commands of the page ended early: ${stderr}`);
  return outputs.slice(0, steps.length);
}

/**
 * A repository with `examples/` whose `origin/main` is what is there, and `npx kube-muster`, which is the program of
 * this checkout.
 */
function prepare(folder: string): { readonly env: NodeJS.ProcessEnv; readonly root: string } {
  const bin = join(folder, 'bin');
  const root = join(folder, 'repository');
  const home = join(folder, 'home');
  for (const path of [root, home]) mkdirSync(path);
  const program = `exec '${process.execPath}' '${MAIN}' "$@"`;
  const only = 'if [ "$1" != kube-muster ]; then echo "npx: only kube-muster is run here" >&2; exit 127; fi; shift';
  writePrograms(bin, { npx: `${only}\n${program}`, muster: program });
  cpSync('examples', join(root, 'examples'), { recursive: true });
  const env = { PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, HOME: home, LANG: 'C.UTF-8', NO_COLOR: '1' };
  commitAll(root);
  gitIn(root)('update-ref', 'refs/remotes/origin/main', 'HEAD');
  return { env, root };
}

/**
 * Returns a line of what was printed, or undefined if it is what is expected: the first that differs, with its number.
 */
export function difference(printed: string, expected: readonly string[]): string | undefined {
  const lines = printed === '' ? [] : printed.replace(/\n$/, '').split('\n');
  return matches(lines, expected) ? undefined : printed;
}

function matches(lines: readonly string[], expected: readonly string[]): boolean {
  const at = expected.indexOf('…');
  if (at === -1) return lines.length === expected.length && expected.every((line, index) => isLike(lines[index], line));
  const before = expected.slice(0, at);
  if (!matches(lines.slice(0, at), before)) return false;
  const rest = expected.slice(at + 1);
  for (let start = at; start <= lines.length; start++) if (matches(lines.slice(start), rest)) return true;
  return false;
}

function isLike(line: string | undefined, expected: string): boolean {
  const parts = expected.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return line !== undefined && new RegExp(`^${parts.join('.*')}$`, 'u').test(line);
}
