/**
 * `check --base-ref` never runs a program that a repository names. Each attack is then shown to work on plain git in
 * the same state, so each of these tests can fail.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { claim, yaml } from '../../../support/command-line.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';
import { type GitFolder, newRepository } from '../../../support/git.ts';
import { musterHere } from '../../../support/in-process.ts';
import { MAIN } from '../../../support/main.ts';
import { until } from '../../../support/until.ts';

const id = claim('id.k8s.io', 'one');
const otherId = claim('id.k8s.io', 'two');
const membership = claim('clusterset.k8s.io', 'fleet');

let repository: GitFolder;
let outside: Folder;
/** A program that leaves a mark if it runs. */
let canary: string;
beforeEach(() => {
  repository = newRepository();
  outside = newFolder();
  canary = join(outside.path, 'canary');
  writeFileSync(canary, `#!/bin/sh\ntouch '${join(outside.path, 'mark')}'\nexit 1\n`, { mode: 0o755 });
  repository.put('m/a.yaml', yaml(id));
  repository.put('m/b.yaml', yaml(membership));
  repository.commit();
  repository.put('m/a.yaml', yaml(otherId));
});

/** Returns whether the program ran since the last call. */
function hasRun(): boolean {
  const mark = join(outside.path, 'mark');
  const is = existsSync(mark);
  rmSync(mark, { force: true });
  return is;
}

/** Milliseconds, against endless waits. */
const BOUND = 20_000;
const WHAT_GIT_READS = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };

interface Where {
  /** Within the repository. */
  readonly from?: string;
  readonly paths?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly ref?: string;
}

async function check({ from = '.', paths = ['m'], env = {}, ref = 'HEAD' }: Where = {}) {
  const options = { cwd: join(repository.path, from), env: { ...WHAT_GIT_READS, ...env } };
  const { code, out, err } = await musterHere(['check', ...paths, '--base-ref', ref], options);
  return { code, out: out + err };
}

/** In a process of its own, for what could keep it from ending, and for what Node itself takes of its environment. */
function checkApart({ from = '.', paths = ['m'], env = {}, ref = 'HEAD' }: Where = {}) {
  const args = [MAIN, 'check', ...paths, '--base-ref', ref];
  const all = { ...process.env, ...WHAT_GIT_READS, ...env };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: join(repository.path, from),
    env: all,
    encoding: 'utf8',
    timeout: BOUND,
  });
  return { code: status, out: `${stdout}${stderr}` };
}

/** Expects the finding that the objects of the revision cause, and no other. */
async function expectDenied(where?: Where, run: typeof check | typeof checkApart = check): Promise<void> {
  const { code, out } = await run(where);
  expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('claim/id-immutable-in-clusterset') });
  expect(out).toMatch(/[23] evaluated: [12] allowed, 1 denied/);
}

/** Runs git without isolation. */
function plainGit(args: readonly string[], { from = '.', env = {} }: Where = {}): string {
  const all = { ...process.env, ...WHAT_GIT_READS, ...env };
  return spawnSync('git', args, { cwd: join(repository.path, from), env: all, encoding: 'utf8' }).stdout;
}

const set = (key: string, value: string) => repository.git('config', key, value);

/** Makes a partial clone: the object is only in the remote. */
function partial(): void {
  const blob = repository.git('rev-parse', 'HEAD:m/a.yaml').trim();
  rmSync(repository.at(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`));
  set('core.repositoryformatversion', '1');
  set('extensions.partialClone', 'origin');
  set('remote.origin.promisor', 'true');
}

/** An attack, a call of plain git that runs the program, and where muster is called. */
type Attack = readonly [what: string, make: () => void, git: string, where?: () => Where];

/** An attribute in the tree chooses a program of the configuration. */
function byAttribute(section: 'diff' | 'filter', key: string, git: string): Attack {
  const make = () => {
    repository.put('.gitattributes', `*.yaml ${section}=x\n`);
    set(`${section}.x.${key}`, canary);
  };
  return [`${section}.*.${key}`, make, git];
}

/** Puts a configuration into the tree, which a key of the repository's own includes. */
function included(key: string): void {
  repository.put('conf', `[core]\n\tfsmonitor = ${canary}\n`);
  set(key, '../conf');
}

const ATTACKS: readonly Attack[] = [
  ['core.fsmonitor', () => set('core.fsmonitor', canary), 'status'],
  byAttribute('filter', 'clean', 'diff --raw HEAD'),
  byAttribute('filter', 'process', 'diff --raw HEAD'),
  ['diff.external', () => set('diff.external', canary), 'diff'],
  byAttribute('diff', 'command', 'diff'),
  byAttribute('diff', 'textconv', 'diff'),
  ['hooks in a folder of the tree', hooksInTree, 'add m'],
  ['a configuration in the tree, by include.path', () => included('include.path'), 'status'],
  ['a configuration in the tree, by includeIf', () => included(`includeIf.gitdir:${repository.path}/.path`), 'status'],
  ['a configuration of the working tree alone', worktreeConfiguration, 'status'],
  ['a bare repository in the tree, from within', bareInTree, 'status', () => ({ from: 'm', paths: ['.'] })],
  [
    'a bare repository in the tree, from outside of the checkout',
    bareInTree,
    '-C m status',
    () => ({ from: '..', paths: [repository.at('m')] }),
  ],
  ["a submodule's configuration", submodule, 'status'],
];

/** A missing object makes git call the remote, by a program of the configuration. */
const FETCHES: readonly (readonly [what: string, url: () => string, key: string, value: () => string])[] = [
  ['the program on the other side', () => outside.path, 'remote.origin.uploadpack', () => canary],
  ['core.sshCommand', () => 'ssh://127.0.0.1/x', 'core.sshCommand', () => canary],
  ['core.gitProxy', () => 'git://127.0.0.1/x', 'core.gitProxy', () => canary],
  ['a remote helper that the configuration allows', () => `ext::${canary}`, 'protocol.ext.allow', () => 'always'],
];

function hooksInTree(): void {
  mkdirSync(repository.at('hooks'));
  writeFileSync(repository.at('hooks/post-index-change'), readFileSync(canary), { mode: 0o755 });
  set('core.hooksPath', repository.at('hooks'));
}

function worktreeConfiguration(): void {
  set('extensions.worktreeConfig', 'true');
  repository.git('config', '--worktree', 'core.fsmonitor', canary);
}

function submodule(): void {
  const inner = otherRepository({ 'c.yaml': yaml(claim('c.example.com', 'x')) });
  repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'm/sub');
  commitAndChange();
  repository.git('-C', 'm/sub', 'config', 'core.fsmonitor', canary);
}

/** Commits the working tree with the id as it was, and changes the id again. */
function commitAndChange(): void {
  repository.put('m/a.yaml', yaml(id));
  repository.commit();
  repository.put('m/a.yaml', yaml(otherId));
}

function otherRepository(files: Readonly<Record<string, string>>): GitFolder {
  const other = newRepository();
  for (const [name, text] of Object.entries(files)) other.put(name, text);
  other.commit();
  return other;
}

/** Commits files that git takes for a bare repository, with a history of its own. */
function bareInTree(): void {
  repository.put('m/.gitattributes', '*.yaml filter=x\n');
  repository.put('m/HEAD', 'ref: refs/heads/main\n');
  repository.put(
    'm/config',
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n[filter "x"]\n\tclean = ${canary}\n`,
  );
  const other = otherRepository({ 'a.yaml': yaml(otherId), 'b.yaml': yaml(membership) });
  for (const name of ['objects', 'refs', 'index'])
    cpSync(other.at(`.git/${name}`), repository.at(`m/${name}`), { recursive: true });
  commitAndChange();
}

describe('a program that the configuration names does not run', () => {
  test.each(ATTACKS)('%s', async (_what, make, git, where = () => ({})) => {
    make();
    hasRun();
    await expectDenied(where());
    expect(hasRun()).toBe(false);
    plainGit(git.split(' '), where().from === 'm' ? { from: 'm' } : {});
    expect(hasRun()).toBe(true);
  });

  test.each(FETCHES)('a lazy fetch, by %s', async (_what, url, key, value) => {
    partial();
    set('remote.origin.url', url());
    set(key, value());
    expect(await check()).toEqual({
      code: 2,
      out: expect.stringContaining('a partial clone, and muster fetches nothing'),
    });
    expect(hasRun()).toBe(false);
    plainGit(['cat-file', '-p', 'HEAD:m/a.yaml']);
    expect(hasRun()).toBe(true);
  });
});

describe('the environment', () => {
  test('its programs do not run', async () => {
    for (const [env, ...git] of [
      [{ GIT_EXTERNAL_DIFF: canary }, 'diff'],
      [{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.fsmonitor', GIT_CONFIG_VALUE_0: canary }, 'status'],
      [{ GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${canary}'` }, 'status'],
    ] as const) {
      await expectDenied({ env }, checkApart);
      expect(hasRun()).toBe(false);
      plainGit(git, { env });
      expect(hasRun()).toBe(true);
    }
  });

  test('its repository is not read, but that of the paths', async () => {
    const other = otherRepository({ 'm/a.yaml': yaml(otherId) });
    const env = { GIT_DIR: other.at('.git'), GIT_WORK_TREE: repository.path, GIT_INDEX_FILE: other.at('.git/index') };
    expect(plainGit(['show', 'HEAD:m/a.yaml'], { env })).toContain('two');
    await expectDenied({ env }, checkApart);
  });

  test('a program called git in the checkout is not found by a relative PATH', () => {
    symlinkSync(canary, repository.at('git'));
    const env = { PATH: `.:${process.env['PATH']}` };
    expect(checkApart({ env, from: 'm', paths: ['.'] })).toMatchObject({ code: 1 });
    expect(hasRun()).toBe(false);
    plainGit(['status'], { env });
    expect(hasRun()).toBe(true);
  });
});

describe('the previous state is what the revision holds', () => {
  test('not a replacement object', async () => {
    repository.put('fake', yaml(otherId));
    const fake = repository.git('hash-object', '-w', 'fake').trim();
    repository.git('replace', repository.git('rev-parse', 'HEAD:m/a.yaml').trim(), fake);
    expect(plainGit(['show', 'HEAD:m/a.yaml'])).toContain('two');
    await expectDenied();
  });

  test('a working tree elsewhere (core.worktree) is refused', async () => {
    set('core.worktree', outside.path);
    outside.put('m/a.yaml', yaml(id));
    expect(plainGit(['rev-parse', '--show-toplevel']).trim()).not.toBe(repository.path);
    expect(await check()).toEqual({
      code: 2,
      out: expect.stringContaining('its working tree is elsewhere (core.worktree)'),
    });
  });

  test('pipes in place of files of git are not read', async () => {
    for (const name of ['FETCH_HEAD', 'packed-refs', 'shallow', 'config.worktree']) {
      rmSync(repository.at(`.git/${name}`), { force: true });
      expect(spawnSync('mkfifo', [repository.at(`.git/${name}`)]).status).toBe(0);
    }
    await expectDenied({}, checkApart);
  });
});

describe('what ends a run', () => {
  let temporary: string;
  beforeEach(() => {
    temporary = join(outside.path, 'temporary');
    mkdirSync(temporary);
  });
  /** Puts a program called git before the real one. */
  const wrapper = (script: string) => {
    mkdirSync(join(outside.path, 'bin'));
    writeFileSync(join(outside.path, 'bin/git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return { PATH: `${join(outside.path, 'bin')}:${process.env['PATH']}`, TMPDIR: temporary };
  };

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s removes the temporary folder, and ends git',
    async (signal) => {
      const env = { ...process.env, ...WHAT_GIT_READS, ...wrapper('exec sleep 600') };
      const child = spawn(process.execPath, [MAIN, 'check', 'm', '--base-ref', 'HEAD'], { cwd: repository.path, env });
      const ended = once(child, 'exit');
      await until(() => readdirSync(temporary).length > 0);
      child.kill(signal);
      expect(await ended).toEqual([null, signal]);
      expect(readdirSync(temporary)).toEqual([]);
    },
  );

  test('so does SIGINT while a folder is rendered, too', async () => {
    repository.put('m/Chart.yaml', 'name: m\nversion: 1.0.0\n');
    const env = { ...process.env, ...WHAT_GIT_READS, ...wrapper('exec sleep 600') };
    writeFileSync(join(outside.path, 'bin/helm'), '#!/bin/sh\necho "{}"\n', { mode: 0o755 });
    const child = spawn(process.execPath, [MAIN, 'check', 'm', '--render', '--base-ref', 'HEAD'], {
      cwd: repository.path,
      env,
    });
    const ended = once(child, 'exit');
    // The folder of the rendering, then that of git.
    await until(() => readdirSync(temporary).length === 2);
    child.kill('SIGINT');
    expect(await ended).toEqual([null, 'SIGINT']);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('a temporary folder that can not be written is one error with its place', () => {
    const out = `error: --base-ref HEAD: the temporary folder ${outside.path}/none can't be written: no such file or folder`;
    expect(checkApart({ env: { TMPDIR: join(outside.path, 'none') } })).toEqual({
      code: 2,
      out: expect.stringContaining(out),
    });
  });

  test('a revision that does not exist is one error, whatever the format', async () => {
    const error = '--base-ref nowhere: this repository has no such commit';
    for (const format of ['text', 'github', 'sarif', 'junit']) {
      const { code, out } = await check({ ref: 'nowhere', paths: ['m', '-o', format] });
      expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining(error) });
      expect(out).not.toMatch(/indeterminate:|:1:1|<git>|file=/);
    }
  });

  test('git is told to fetch nothing, by no protocol', async () => {
    const git = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
    const log = join(outside.path, 'log');
    const env = wrapper(`env | grep ^GIT_ | sort | tr '\\n' ' ' >> ${log}; echo >> ${log}; exec ${git} "$@"`);
    await expectDenied({ env }, checkApart);
    const calls = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .filter((line) => line.includes('GIT_DIR='));
    expect(calls.length).toBeGreaterThan(3);
    const kept = calls.map((line) => /GIT_ALLOW_PROTOCOL=none .*GIT_NO_LAZY_FETCH=1 /.test(line));
    expect(kept).not.toContain(false);
  });
});

describe('other forms of repositories', () => {
  /** Makes the form; the result must be the same. */
  const FORMS: Readonly<Record<string, () => Where | undefined>> = {
    'a linked worktree, and the variables that git sets for its hooks': () => {
      repository.git('worktree', 'add', '-q', 'tree');
      repository.put('tree/m/a.yaml', yaml(otherId));
      return { from: 'tree', env: { GIT_DIR: repository.at('.git/worktrees/tree'), GIT_PREFIX: '' } };
    },
    'a clone that shares the objects of another': () => void cloned('--shared'),
    'a split index': () => void repository.git('update-index', '--split-index'),
    'packed refs and objects': () => void repository.git('gc', '--quiet'),
    'line ends of Windows': () => {
      set('core.autocrlf', 'true');
      repository.put('m/b.yaml', yaml(membership).replaceAll('\n', '\r\n'));
      return undefined;
    },
    'a sparse checkout by cones, with a sparse index': () => {
      repository.put('n/c.yaml', yaml(claim('c.example.com', 'x')));
      commitAndChange();
      repository.put('m/a.yaml', yaml(id));
      repository.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'm');
      repository.put('m/a.yaml', yaml(otherId));
      return { paths: ['.'] };
    },
    'objects named by SHA-256': () => {
      rmSync(repository.at('.git'), { recursive: true });
      repository.git('init', '-q', '-b', 'main', '--object-format=sha256');
      commitAndChange();
      return undefined;
    },
    'a git directory that is a link': () => {
      const away = join(outside.path, 'away');
      spawnSync('mv', [repository.at('.git'), away]);
      symlinkSync(away, repository.at('.git'));
      return undefined;
    },
  };

  /** Continues in a clone of the repository, with the changed id. */
  function cloned(...flags: readonly string[]): void {
    const origin = repository;
    origin.put('m/a.yaml', yaml(id));
    repository = newRepository(...flags, origin.path);
    repository.put('m/a.yaml', yaml(otherId));
  }

  test.each(Object.entries(FORMS))('%s', async (_, make) => {
    await expectDenied(make());
  });

  test.each(['@{upstream}', 'FETCH_HEAD', 'HEAD@{1}', 'origin/main', 'main@{1}'])('the revision %s', async (ref) => {
    cloned();
    repository.git('fetch', '-q', 'origin', 'main');
    repository.commit();
    await expectDenied({ ref });
  });

  test('no temporary file is left, and the index is not written', () => {
    const before = outside.path;
    const env = { TMPDIR: join(before, 'temp') };
    mkdirSync(env.TMPDIR);
    const index = readFileSync(repository.at('.git/index'));
    checkApart({ env });
    checkApart({ env, paths: ['nowhere'] });
    expect(readFileSync(repository.at('.git/index'))).toEqual(index);
    expect(spawnSync('ls', ['-A', env.TMPDIR], { encoding: 'utf8' }).stdout).toBe('');
  });
});
