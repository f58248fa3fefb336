/**
 * What README.md and docs/check.md promise to somebody with a fresh clone, tried in a copy of this one. No network is
 * used.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newFolder } from '../../support/folder.ts';
import { gitIn } from '../../support/git.ts';
import { writePrograms } from '../../support/programs.ts';
import { until } from '../../support/until.ts';

// It builds, and starts npm several times, beside other tests.
let clone: string;

beforeAll(() => {
  clone = newFolder().path;
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  // A file that git still lists may be gone from the working tree.
  const paths = listed
    .toString()
    .split('\0')
    .filter((path) => path !== '' && existsSync(path));
  for (const path of paths) cpSync(path, join(clone, path));
  // In place of `npm ci`, which would need a registry. The build is the script that `npm ci` runs in the end.
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));
  execFileSync('npm', ['run', 'build'], { cwd: clone, stdio: 'pipe' });
  const git = gitIn(clone);
  git('init', '--quiet');
  git('add', 'examples');
  git('commit', '--quiet', '--message', 'a');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  writePrograms(join(clone, 'programs'), { muster: `exec node '${join(clone, 'dist/cli/main.js')}' "$@"` });
});

function shell(command: string, folder: string): Promise<{ code: number; out: string; err: string }> {
  const PATH = `${join(clone, 'programs')}:${process.env['PATH']}`;
  const env = { ...process.env, PATH, npm_config_offline: 'true', npm_config_update_notifier: 'false' };
  return new Promise((done) => {
    execFile('sh', ['-c', command], { cwd: join(clone, folder), env }, (error, out, err) =>
      done({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

describe('README.md', () => {
  const readme = readFileSync('README.md', 'utf8');

  const [first = '', ...others] = [...readme.matchAll(/^npx \S+ (?:demo|rules|explain|manifests).*?(?= \| |$)/gm)].map(
    ([line]) => line,
  );

  // npx, which takes seconds, finds the same program for each.
  test.each([first, ...others.map((line) => line.replace('npx kube-', ''))])(
    'names a command that works: %s',
    async (command) => expect(await shell(command, '.')).toMatchObject({ code: 0 }),
  );
});

describe('docs/check.md', () => {
  const [, block = ''] = readFileSync('docs/check.md', 'utf8').match(/^```sh\n(.*?)^```$/ms) ?? [];
  /** Others need a cluster or Helm. */
  const commands = block.split('\n').filter((command) => command.startsWith('muster '));

  test.each(commands)('%s', async (command) => {
    const { code, out, err } = await shell(command, 'examples/check');
    // At the revision everything is as it is now: nothing new is wrong.
    const expected = command.includes('--base-ref') ? 0 : 1;
    expect({ code, errors: err.match(/^error.*/gm), read: out === '' || out.includes('0 skipped, 0 errors') }).toEqual({
      code: expected,
      errors: null,
      read: true,
    });
  });
});

describe('npm start', () => {
  let npm: ChildProcess;
  // The group of our own child: npm, its shell and the server.
  afterEach(() => {
    try {
      process.kill(-Number(npm.pid), 'SIGKILL');
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ESRCH');
    }
  });

  test('ends with its server on SIGTERM, after the drain', async () => {
    const flags = { MUSTER_HOST: '127.0.0.1', MUSTER_PORT: '0', MUSTER_OPS_PORT: '0', MUSTER_DRAIN_SECONDS: '1' };
    const env = { ...process.env, ...flags };
    npm = spawn('npm', ['start'], { cwd: clone, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    const exit = once(npm, 'exit');
    let out = '';
    npm.stdout?.on('data', (chunk) => {
      out += chunk;
    });
    await until(() => out.includes('muster listens on'), 60_000);
    const [, ops] = out.match(/\(ops: (\S+)\)/) ?? [];
    npm.kill('SIGTERM');
    await until(async () => (await fetch(`${ops}/readyz`)).status === 503, 10_000);
    await exit;
    await expect(fetch(`${ops}/readyz`)).rejects.toThrow('fetch failed');
  });
});
