/** `kubectl muster …` is `muster …`: kubectl finds the command `kubectl-muster` of the package on the PATH. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { claim, muster, yaml } from '../../support/command-line.ts';
import { type Folder, newFolder } from '../../support/folder.ts';
import { MAIN } from '../../support/main.ts';
import { writePrograms } from '../../support/programs.ts';
import { ensureAssets } from './harness/index.ts';

let folder: Folder;
let program: string;

beforeAll(async () => {
  ({ kubectl: program } = await ensureAssets());
  folder = newFolder();
  folder.put('good.yaml', yaml(claim('id.k8s.io', 'one')));
  folder.put('bad.yaml', yaml(claim('id.k8s.io', 'East_1')));
  // As npm installs a command, but with this Node and the sources.
  writePrograms(folder.path, { [pluginName()]: `exec '${process.execPath}' '${MAIN}' "$@"` });
});

/** Returns the name of the package's command that is a plugin. */
function pluginName(): string {
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  return Object.keys(bin).find((name) => name.startsWith('kubectl-')) ?? '';
}

function kubectl(...args: readonly string[]) {
  // As the tests of the command run it.
  const env = { ...process.env, MUSTER_QUIET: 'true', PATH: `${folder.path}:${process.env['PATH']}` };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder.path, env, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

test('kubectl lists it', () => {
  expect(kubectl('plugin', 'list')).toMatchObject({ code: 0, out: expect.stringMatching(/\/kubectl-muster\n/) });
});

test.each([
  [0, ['check', 'good.yaml']],
  [1, ['check', 'bad.yaml', '-o', 'json', '--as', 'jane']],
  [2, ['check', 'missing.yaml']],
  [0, ['rules', '--help']],
])('exit code %i, output and flags of %j', async (code, args) => {
  const direct = await muster(args, { cwd: folder.path });
  expect(direct.code).toBe(code);
  expect(kubectl('muster', ...args)).toEqual(direct);
});
