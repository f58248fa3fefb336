/** Completion: what is offered for a line, and that the script of bash offers it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { complete } from '../../../../src/cli/completion/complete.ts';
import { answer } from '../../../../src/cli/completion/scripts.ts';
import { createProgram } from '../../../../src/cli/program.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';

let program: Command;
let folder: Folder;

beforeAll(async () => {
  program = await createProgram();
  folder = newFolder();
});

test.each([
  ['ch', 'check'],
  ['help do', 'doctor'],
  ['none x', ''],
  ['--v', '--version'],
  ['check --fail', '--fail-on --fail-on-no-match'],
  ['check --fail-on none --fail', '--fail-on-no-match'],
  ['check --state a --state b --state', '--state'],
  ['rules --fail', ''],
  ['certs --namesp', ''],
  ['check --fail-on ', 'none denied indeterminate warning'],
  ['check --fail-on=in', 'indeterminate'],
  ['check a.yaml -o s', 'formats: sarif'],
  ['rules --output=', 'formats: text json'],
  ['explain claim/id-s', 'claim/id-syntax claim/id-stable'],
  ['completion ', 'bash zsh fish'],
  ['registrar --config a r', 'release'],
  ['registrar release --config a ', ''],
  ['explain claim/id-syntax ', ''],
  ['manifests --only sc', 'scan scan-services'],
  ['check -- --s', 'files:'],
  ['manifests --only rbac,scan', 'rbac,scan rbac,scan-services'],
  ['check --fail-on none,in', ''],
  ['serve --port 8', ''],
  ['check ', 'files:'],
  ['check a', 'files:'],
  ['check --config ', 'files:'],
  ['check --state=', 'files:'],
  ['check -o json=re', 'files:'],
  ['check --output=json=', 'files:'],
  ['serve --cert-dir ', 'folders:'],
])('for %j: %j', (line, expected) => {
  const { kind, candidates } = complete(program, line.split(' '));
  const words = candidates.map(({ word }) => word).join(' ');
  expect(kind === 'words' ? words : `${kind}: ${words}`.trim()).toBe(expected);
});

test('every command and every flag is offered, unless it is hidden', () => {
  const offered = (...words: readonly string[]) => complete(program, words).candidates.map(({ word }) => word);
  expect(offered('')).toEqual([...program.commands.map((one) => one.name()), 'help']);
  for (const command of program.commands) {
    const shown = command.options
      .filter(({ hidden }) => !hidden)
      .flatMap(({ short, long }) => [short ?? [], long ?? []]);
    expect(offered(command.name(), '-')).toEqual([...shown.flat(), '-h', '--help']);
  }
});

test.each([
  ['bash', ['check', '--fail-on', '=', 'in'], 'words\nindeterminate\n'],
  ['bash', ['check', '--fail-on', '='], 'words\nnone\ndenied\nindeterminate\nwarning\n'],
  ['bash', ['comp'], 'words\ncompletion\n'],
  ['zsh', ['comp'], 'words\ncompletion:print completion for a shell\n'],
  ['zsh', ['check', '--fail-on=in'], 'words\nindeterminate\n'],
  ['fish', ['comp'], 'words\ncompletion\tprint completion for a shell\n'],
  ['fish', ['check', '--fail-on=in'], 'words\n--fail-on=indeterminate\n'],
] as const)('%s reads the candidates for %j', (shell, words, expected) =>
  expect(answer(shell, words, program)).toBe(expected),
);

/** Not every machine has zsh and fish. */
const where = (shell: 'bash' | 'zsh' | 'fish') =>
  shell === 'bash' || spawnSync(shell, ['--version']).error === undefined ? test : test.skip;

for (const shell of ['bash', 'zsh', 'fish'] as const)
  where(shell)(`the script for ${shell} has no error of syntax`, () => {
    const { status } = spawnSync(shell, ['-n', folder.put(`script.${shell}`, answer(shell, [], program))]);
    expect(status).toBe(0);
  });

test('bash 3.2 can run the script, and is told to load it by eval', () => {
  const script = answer('bash', [], program);
  const [before = '', after = ''] = script.split('IFS=');
  expect([before.includes('[@]:'), after.includes('[@]:')]).toEqual([true, false]);
  const load = 'eval "$(muster completion bash)"';
  expect(script).toContain(load);
  for (const page of ['docs/completion.md', 'docs/reference/cli.md']) {
    const text = readFileSync(page, 'utf8');
    expect([text.includes(load), text.includes('source <(muster completion bash)')]).toEqual([true, false]);
  }
});

test.each([
  ['words\\none\\ntwo', ['one', 'two']],
  ['words\\n$(touch made)', ['$(touch made)']],
  ['files', ['']],
  ['folders', ['manifests', 'more manifests']],
])('bash offers what muster answers: %s', (answered, expected) => {
  for (const name of ['manifests', 'more manifests']) mkdirSync(join(folder.path, name), { recursive: true });
  const script = `eval "$SCRIPT"; muster() { echo "$@," >asked; printf '${answered}\\n'; }
    COMP_WORDS=(muster check --state '') COMP_CWORD=3; _muster muster; cat asked; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { PATH: process.env['PATH'], SCRIPT: answer('bash', [], program) };
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { cwd: folder.path, encoding: 'utf8', env });
  expect(stderr).toBe('');
  const [asked, ...offered] = stdout.split('\n').slice(0, -1);
  expect([asked, offered.sort()]).toEqual(['completion bash -- check --state ,', expected]);
});

where('fish')('fish completes paths in a folder whose name has a space', () => {
  folder.put('more manifests/a.yaml', '');
  const line = String.raw`'muster check --state east=more\\ manifests/'`;
  const script = `function muster; echo files; end; ${answer('fish', [], program)}complete -C ${line}`;
  const { stdout } = spawnSync('fish', ['-c', script], { cwd: folder.path, encoding: 'utf8' });
  expect(stdout).toBe('east=more manifests/a.yaml\n');
});
