/** Completion: every shell's script names all that the program has; and what bash offers. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { completionFor } from '../../../../src/cli/completion/scripts.ts';
import { REPORT_FORMATS } from '../../../../src/cli/output/formats.ts';
import { createProgram } from '../../../../src/cli/program.ts';
import { ruleIds } from '../../../../src/rules/index.ts';
import { type Folder, newFolder } from '../../../support/cli-world.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
let program: Command;
let folder: Folder;

beforeAll(async () => {
  program = await createProgram();
  folder = newFolder();
  for (const name of ['manifests', 'more manifests']) mkdirSync(join(folder.path, name));
  folder.put('a.yaml', '');
});
afterAll(() => folder.remove());

test.each(SHELLS)('the script for %s names every command, flag, choice and rule, and no other flag', (shell) => {
  const script = completionFor(shell, program);
  const flags = new Set(['help', 'version']);
  const words = [
    ...ruleIds,
    ...REPORT_FORMATS,
    ...SHELLS,
    'indeterminate',
    ...program.commands.map((one) => one.name()),
  ];
  for (const { long, hidden, argChoices } of program.commands.flatMap(({ options }) => options)) {
    if (long && !hidden) flags.add(long.slice(2));
    words.push(...(argChoices ?? []));
  }
  const found = shell === 'fish' ? /(?<= -l )[a-z-]+/g : /(?<=[\s{,"')]--)[a-z][a-z-]+(?=[\s='"[}])/g;
  expect([...new Set(script.match(found))].sort()).toEqual([...flags].sort());
  for (const word of words) expect(script).toMatch(new RegExp(`\\b${word}\\b`));
  // Checks the syntax, if the shell is installed.
  const { error, status } = spawnSync(shell, ['-n', folder.put(`script.${shell}`, script)]);
  if (error === undefined || shell === 'bash') expect(status).toBe(0);
});

describe('bash offers', () => {
  /** Returns what bash offers at the end of a line whose words are split as bash splits them; nothing: files. */
  function offered(...words: readonly string[]): string[] {
    const command = `eval "$MUSTER_SCRIPT"; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _muster
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { PATH: process.env['PATH'], MUSTER_SCRIPT: completionFor('bash', program) };
    const args = ['--norc', '-c', command, 'bash', 'muster', ...words];
    const { stdout, stderr, status } = spawnSync('bash', args, { cwd: folder.path, encoding: 'utf8', env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout.split('\n').filter(Boolean).sort();
  }

  test.each([
    ['ch', 'check'],
    ['check --fail', '--fail-on --fail-on-no-match'],
    ['rules --fail', ''],
    ['certs --namesp', ''],
    ['check --fail-on ', 'denied indeterminate none warning'],
    ['check --fail-on = in', 'indeterminate'],
    ['check --fail-on =', 'denied indeterminate none warning'],
    ['check a.yaml -o s', 'sarif'],
    ['rules -o ', 'json text'],
    ['explain claim/id-s', 'claim/id-stable claim/id-syntax'],
    ['completion ', 'bash fish zsh'],
    ['serve --port 8', ''],
    ['help do', 'doctor'],
    ['none x', ''],
  ])('for %j: %j', (words, expected) => expect(offered(...words.split(' ')).join(' ')).toBe(expected));

  test('commands, and folders', () => {
    const commands = program.commands.map((one) => one.name());
    expect(offered('')).toEqual([...commands, 'help', '-V', '--version', '-h', '--help'].sort());
    expect(offered('serve', '--cert-dir', '')).toEqual(['manifests', 'more manifests']);
  });

  test.each(['check ', 'check a', 'check --config ', 'check --state = ', 'check -o json = re', 'check -o json ='])(
    'nothing of its own where files are to be named: %j',
    (words) => expect(offered(...words.split(' '))).toEqual([]),
  );

  test('nothing that is run: a name with a command in it stays a name', () => {
    expect(offered('check', '--fail-on', '$(touch made)')).toEqual([]);
    expect(offered('check', '`touch made`')).toEqual([]);
    expect(existsSync(join(folder.path, 'made'))).toBe(false);
  });
});
