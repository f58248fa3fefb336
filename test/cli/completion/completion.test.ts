/** Completion: all the program has, in every shell's script; and what bash makes of it. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Command } from 'commander';
import { completionFor } from '../../../src/cli/completion/run.ts';
import { REPORT_FORMATS } from '../../../src/cli/output/formats.ts';
import { programOf } from '../../../src/cli/program.ts';
import { ruleIds } from '../../../src/rules/index.ts';
import { completedByBash, syntaxProblems } from './world.ts';

jest.setTimeout(30_000);
const SHELLS = ['bash', 'zsh', 'fish'] as const;
const scripts = new Map<string, string>();
let program: Command;
let folder: string;

beforeAll(async () => {
  program = await programOf();
  for (const shell of SHELLS) scripts.set(shell, completionFor(shell, program));
  folder = mkdtempSync(join(tmpdir(), 'muster-completion-'));
  for (const name of ['manifests', 'more manifests']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'a.yaml'), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(SHELLS)('the script for %s', (shell) => {
  const script = () => scripts.get(shell) ?? '';

  test('names every command and every flag that the help shows, and no other flag', () => {
    const flags = new Set(['help', 'version']);
    for (const command of program.commands) {
      expect(script()).toContain(command.name());
      for (const { long, hidden } of command.options) if (long && !hidden) flags.add(long.slice(2));
    }
    const told = shell === 'fish' ? /(?<= -l )[a-z-]+/g : /(?<=[\s{,"')]--)[a-z][a-z-]+(?=[\s='"[}])/g;
    expect([...new Set(script().match(told))].sort()).toEqual([...flags].sort());
  });

  test('offers every rule, and every choice of a flag', () => {
    for (const id of ruleIds) expect(script()).toContain(id);
    const choices = program.commands.flatMap(({ options }) => options.flatMap(({ argChoices }) => argChoices ?? []));
    expect(choices).toContain('indeterminate');
    for (const choice of [...choices, ...REPORT_FORMATS, ...SHELLS])
      expect(script()).toMatch(new RegExp(`\\b${choice}\\b`));
  });

  test('is one the shell can read, where there is this shell', () => {
    const file = join(folder, `script.${shell}`);
    writeFileSync(file, script());
    const problems = syntaxProblems(shell, file);
    if (shell === 'bash') expect(problems).toBe('');
    else expect(problems ?? '').toBe('');
  });
});

describe('bash offers', () => {
  const offered = (...words: string[]) => completedByBash(scripts.get('bash') ?? '', folder, ['muster', ...words]);

  test('the commands, and what begins as typed', () => {
    const commands = program.commands.map((one) => one.name());
    expect(offered('')).toEqual([...commands, 'help', '-V', '--version', '-h', '--help'].sort());
    expect(offered('ch')).toEqual(['check']);
  });

  test('flags of the command named', () => {
    expect(offered('check', '--fail')).toEqual(['--fail-on', '--fail-on-no-match']);
    expect(offered('rules', '--fail')).toEqual([]);
    expect(offered('certs', '--namesp')).toEqual([]);
  });

  test.each([
    [
      ['check', '--fail-on', ''],
      ['denied', 'indeterminate', 'warning'],
    ],
    [['check', '--fail-on', '=', 'in'], ['indeterminate']],
    [
      ['check', '--fail-on', '='],
      ['denied', 'indeterminate', 'warning'],
    ],
    [['check', 'a.yaml', '-o', 's'], ['sarif']],
    [
      ['rules', '-o', ''],
      ['text', 'json'],
    ],
    [
      ['explain', 'claim/id-s'],
      ['claim/id-stable', 'claim/id-syntax'],
    ],
    [['completion', ''], [...SHELLS]],
    [
      ['serve', '--cert-dir', ''],
      ['manifests', 'more manifests'],
    ],
    [['serve', '--port', '8'], []],
    [['help', 'do'], ['doctor']],
    [['none', 'x'], []],
  ])('the values: %j', (words, expected) => {
    expect(offered(...words)).toEqual([...expected].sort());
  });

  test.each([
    [['check', '']],
    [['check', 'a']],
    [['check', '--config', '']],
    [['check', '--state', '=', '']],
    [['check', '-o', 'json', '=', 're']],
    [['check', '-o', 'json', '=']],
  ])('nothing of its own where files are to be named: %j', (words) => {
    expect(offered(...words)).toEqual([]);
  });

  test('nothing that is run: a name with a command in it stays a name', () => {
    expect(offered('check', '--fail-on', '$(touch made)')).toEqual([]);
    expect(offered('check', '`touch made`')).toEqual([]);
    expect(existsSync(join(folder, 'made'))).toBe(false);
  });
});
