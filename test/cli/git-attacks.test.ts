/**
 * Repositories that bring a program: `check --base-ref` reads them without running it. Each attack is shown to work on plain
 * git, in the very state in which muster met it; so each of these tests can fail.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type GitFolder, newRepository } from './git-world.ts';
import { claim, type Folder, newFolder, yaml } from './world.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
// git is a process for each question; on a busy machine that takes its time.
jest.setTimeout(60_000);

const id = claim('id.k8s.io', 'one');
const otherId = claim('id.k8s.io', 'two');
const membership = claim('clusterset.k8s.io', 'fleet');
const DENIED = { code: 1, says: 'claim/id-immutable-in-clusterset' };
const NOT_FETCHED = { code: 2, says: 'this is a partial clone, and muster fetches nothing' };

let repository: GitFolder;
let outside: Folder;
/** A program that leaves a mark when it is run. */
let canary: string;
const others: { remove(): void }[] = [];
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
afterEach(() => {
  for (const one of [repository, outside, ...others.splice(0)]) one.remove();
});

/** Whether the program was run since this was last asked. */
function hasRun(): boolean {
  const mark = join(outside.path, 'mark');
  const is = existsSync(mark);
  rmSync(mark, { force: true });
  return is;
}

/** Milliseconds, against what never ends. */
const BOUND = 20_000;
const WHAT_GIT_READS = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };

interface Where {
  /** Within the repository. */
  readonly from?: string;
  readonly paths?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function muster({ from = '.', paths = ['m'], env = {} }: Where = {}) {
  const args = [MAIN, 'check', ...paths, '--base-ref', 'HEAD'];
  const all = { ...process.env, ...WHAT_GIT_READS, ...env };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: join(repository.path, from),
    env: all,
    encoding: 'utf8',
    timeout: BOUND,
  });
  return { code: status, out: `${stdout}${stderr}` };
}

/** git as somebody would call it there, whatever comes of it. */
function plainGit(args: readonly string[], { from = '.', env = {} }: Where = {}): string {
  const all = { ...process.env, ...WHAT_GIT_READS, ...env };
  return spawnSync('git', args, { cwd: join(repository.path, from), env: all, encoding: 'utf8' }).stdout;
}

const set = (key: string, value: string) => repository.git('config', key, value);
const attributes = (text: string) => repository.put('.gitattributes', text);

/** What a repository can't have committed itself: the object is in the remote alone. */
function partial(): void {
  const blob = repository.git('rev-parse', 'HEAD:m/a.yaml').trim();
  rmSync(repository.at(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`));
  set('core.repositoryformatversion', '1');
  set('extensions.partialClone', 'origin');
  set('remote.origin.promisor', 'true');
}

interface Attack {
  readonly what: string;
  readonly make: () => void;
  /** A call of plain git that runs the program. */
  readonly git: readonly string[];
  readonly where?: Where;
  readonly expected?: { readonly code: number; readonly says: string };
  /** Only for plain git: what an operator may have set. */
  readonly env?: Readonly<Record<string, string>>;
}

const ATTACKS: readonly Attack[] = [
  { what: 'core.fsmonitor', make: () => set('core.fsmonitor', canary), git: ['status'] },
  {
    what: 'filter.*.clean',
    make: () => {
      attributes('*.yaml filter=x\n');
      set('filter.x.clean', canary);
    },
    git: ['diff', '--raw', 'HEAD'],
  },
  {
    what: 'filter.*.process',
    make: () => {
      attributes('*.yaml filter=x\n');
      set('filter.x.process', canary);
    },
    git: ['diff', '--raw', 'HEAD'],
  },
  { what: 'diff.external', make: () => set('diff.external', canary), git: ['diff'] },
  {
    what: 'diff.*.command',
    make: () => {
      attributes('*.yaml diff=x\n');
      set('diff.x.command', canary);
    },
    git: ['diff'],
  },
  {
    what: 'diff.*.textconv',
    make: () => {
      attributes('*.yaml diff=x\n');
      set('diff.x.textconv', canary);
    },
    git: ['diff'],
  },
  {
    what: 'hooks in a folder of the tree',
    make: () => {
      mkdirSync(repository.at('hooks'));
      writeFileSync(repository.at('hooks/post-index-change'), readFileSync(canary), { mode: 0o755 });
      set('core.hooksPath', repository.at('hooks'));
    },
    git: ['add', 'm'],
  },
  {
    what: 'a configuration in the tree, by include.path',
    make: () => {
      repository.put('conf', `[core]\n\tfsmonitor = ${canary}\n`);
      set('include.path', '../conf');
    },
    git: ['status'],
  },
  {
    what: 'a configuration in the tree, by includeIf',
    make: () => {
      repository.put('conf', `[core]\n\tfsmonitor = ${canary}\n`);
      set(`includeIf.gitdir:${repository.path}/.path`, '../conf');
    },
    git: ['status'],
  },
  {
    what: 'a configuration of the working tree alone',
    make: () => {
      set('extensions.worktreeConfig', 'true');
      repository.git('config', '--worktree', 'core.fsmonitor', canary);
    },
    git: ['status'],
  },
  {
    what: 'a bare repository in the tree, from within',
    make: bareInTree,
    git: ['status'],
    where: { from: 'm', paths: ['.'] },
  },
  {
    what: 'a bare repository in the tree, from outside of the checkout',
    make: bareInTree,
    git: ['-C', 'm', 'status'],
    where: {
      from: '..',
      get paths() {
        return [repository.at('m')];
      },
    },
  },
  {
    what: "a submodule's configuration",
    make: () => {
      const inner = newRepository();
      others.push(inner);
      inner.put('c.yaml', yaml(claim('c.example.com', 'x')));
      inner.commit();
      repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'm/sub');
      repository.put('m/a.yaml', yaml(id));
      repository.commit();
      repository.put('m/a.yaml', yaml(otherId));
      repository.git('-C', 'm/sub', 'config', 'core.fsmonitor', canary);
    },
    git: ['status'],
  },
  {
    what: 'a lazy fetch, by the program on the other side',
    make: () => {
      partial();
      set('remote.origin.url', outside.path);
      set('remote.origin.uploadpack', canary);
    },
    git: ['cat-file', '-p', 'HEAD:m/a.yaml'],
    expected: NOT_FETCHED,
  },
  {
    what: 'a lazy fetch, by core.sshCommand',
    make: () => {
      partial();
      set('remote.origin.url', 'ssh://127.0.0.1/x');
      set('core.sshCommand', canary);
    },
    git: ['cat-file', '-p', 'HEAD:m/a.yaml'],
    expected: NOT_FETCHED,
  },
  {
    what: 'a lazy fetch, by core.gitProxy',
    make: () => {
      partial();
      set('remote.origin.url', 'git://127.0.0.1/x');
      set('core.gitProxy', canary);
    },
    git: ['cat-file', '-p', 'HEAD:m/a.yaml'],
    expected: NOT_FETCHED,
  },
  {
    what: 'a lazy fetch, by a remote helper that the configuration allows',
    make: () => {
      partial();
      set('remote.origin.url', `ext::${canary}`);
      set('protocol.ext.allow', 'always');
    },
    git: ['cat-file', '-p', 'HEAD:m/a.yaml'],
    expected: NOT_FETCHED,
  },
];

/** All of it files of a change: what git takes for a repository where it finds no `.git`, with a past of its own. */
function bareInTree(): void {
  repository.put('m/.gitattributes', '*.yaml filter=x\n');
  repository.put('m/HEAD', 'ref: refs/heads/main\n');
  repository.put(
    'm/config',
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n[filter "x"]\n\tclean = ${canary}\n`,
  );
  const other = newRepository();
  others.push(other);
  other.put('a.yaml', yaml(otherId));
  other.put('b.yaml', yaml(membership));
  other.commit();
  for (const name of ['objects', 'refs', 'index']) {
    cpSync(other.at(`.git/${name}`), repository.at(`m/${name}`), { recursive: true });
  }
  repository.put('m/a.yaml', yaml(id));
  repository.commit();
  repository.put('m/a.yaml', yaml(otherId));
}

describe('a program that the configuration of a repository names is not run', () => {
  test.each(ATTACKS)('$what', ({ make, git, where, env, expected = DENIED }) => {
    make();
    hasRun();
    const { code, out } = muster(where);
    expect(hasRun()).toBe(false);
    expect({ code, out }).toEqual({ code: expected.code, out: expect.stringContaining(expected.says) });
    plainGit(git, { ...where, ...(where?.from === '..' && { from: '.' }), ...(env && { env }) });
    expect(hasRun()).toBe(true);
  });
});

describe('what the environment says', () => {
  test('programs in it are not run', () => {
    for (const [env, ...git] of [
      [{ GIT_EXTERNAL_DIFF: canary }, 'diff'],
      [{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.fsmonitor', GIT_CONFIG_VALUE_0: canary }, 'status'],
      [{ GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${canary}'` }, 'status'],
    ] as const) {
      expect(muster({ env })).toMatchObject({ code: 1, out: expect.stringContaining(DENIED.says) });
      expect(hasRun()).toBe(false);
      plainGit(git, { env });
      expect(hasRun()).toBe(true);
    }
  });

  test('another repository in it is not read: the paths say which', () => {
    const other = newRepository();
    others.push(other);
    other.put('m/a.yaml', yaml(otherId));
    other.commit();
    const env = { GIT_DIR: other.at('.git'), GIT_WORK_TREE: repository.path, GIT_INDEX_FILE: other.at('.git/index') };
    expect(plainGit(['show', 'HEAD:m/a.yaml'], { env })).toContain('two');
    expect(muster({ env })).toMatchObject({ code: 1, out: expect.stringContaining(DENIED.says) });
  });

  test('a program called git in the checkout is not found by a relative PATH', () => {
    symlinkSync(canary, repository.at('git'));
    const env = { PATH: `.:${process.env['PATH']}` };
    expect(muster({ env, from: 'm', paths: ['.'] })).toMatchObject({ code: 1 });
    expect(hasRun()).toBe(false);
    plainGit(['status'], { env });
    expect(hasRun()).toBe(true);
  });
});

describe('what existed before is what the revision holds', () => {
  test('not what a replacement says', () => {
    repository.put('fake', yaml(otherId));
    const fake = repository.git('hash-object', '-w', 'fake').trim();
    repository.git('replace', repository.git('rev-parse', 'HEAD:m/a.yaml').trim(), fake);
    expect(plainGit(['show', 'HEAD:m/a.yaml'])).toContain('two');
    expect(muster()).toMatchObject({ code: 1, out: expect.stringContaining(DENIED.says) });
  });

  test('a working tree that is said to be elsewhere is refused', () => {
    set('core.worktree', outside.path);
    outside.put('m/a.yaml', yaml(id));
    expect(plainGit(['rev-parse', '--show-toplevel']).trim()).not.toBe(repository.path);
    const { code, out } = muster();
    expect({ code, out }).toEqual({
      code: 2,
      out: expect.stringContaining('its working tree is elsewhere (core.worktree)'),
    });
  });

  test('pipes in the place of files of git are not waited for', () => {
    for (const name of ['FETCH_HEAD', 'packed-refs', 'shallow', 'config.worktree']) {
      rmSync(repository.at(`.git/${name}`), { force: true });
      expect(spawnSync('mkfifo', [repository.at(`.git/${name}`)]).status).toBe(0);
    }
    expect(muster()).toMatchObject({ code: 1, out: expect.stringContaining(DENIED.says) });
  });
});

describe('honest repositories', () => {
  /** The repository under another form, in which the same is found. */
  const FORMS: readonly (readonly [string, () => Where | undefined])[] = [
    ['a subfolder', () => ({ from: 'm', paths: ['.'] })],
    [
      'a linked worktree, and the variables that git sets for its hooks',
      () => {
        repository.git('worktree', 'add', '-q', 'tree');
        repository.put('tree/m/a.yaml', yaml(otherId));
        return { from: 'tree', env: { GIT_DIR: repository.at('.git/worktrees/tree'), GIT_PREFIX: '' } };
      },
    ],
    [
      'a clone that shares the objects of another',
      () => {
        const origin = repository;
        origin.put('m/a.yaml', yaml(id));
        others.push(origin);
        repository = newRepository('--shared', origin.path);
        repository.put('m/a.yaml', yaml(otherId));
        return undefined;
      },
    ],
    ['a split index', () => void repository.git('update-index', '--split-index')],
    ['packed refs and objects', () => void repository.git('gc', '--quiet')],
    [
      'line ends of Windows',
      () => {
        set('core.autocrlf', 'true');
        repository.put('m/b.yaml', yaml(membership).replaceAll('\n', '\r\n'));
      },
    ],
    [
      'a sparse checkout by cones, with a sparse index',
      () => {
        repository.put('n/c.yaml', yaml(claim('c.example.com', 'x')));
        repository.put('m/a.yaml', yaml(id));
        repository.commit();
        repository.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'm');
        repository.put('m/a.yaml', yaml(otherId));
        return { paths: ['.'] };
      },
    ],
    [
      'objects named by SHA-256',
      () => {
        repository.remove();
        repository = newRepository();
        rmSync(repository.at('.git'), { recursive: true });
        repository.git('init', '-q', '-b', 'main', '--object-format=sha256');
        repository.put('m/a.yaml', yaml(id));
        repository.put('m/b.yaml', yaml(membership));
        repository.commit();
        repository.put('m/a.yaml', yaml(otherId));
        return undefined;
      },
    ],
    [
      'a git directory that is a link',
      () => {
        const away = join(outside.path, 'away');
        spawnSync('mv', [repository.at('.git'), away]);
        symlinkSync(away, repository.at('.git'));
        return undefined;
      },
    ],
  ];

  test.each(FORMS)('%s', (_, make) => {
    const where = make() ?? {};
    const { code, out } = muster(where);
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining(DENIED.says) });
    expect(out).toContain('2 judged: 1 allowed, 1 denied');
  });

  test.each(['@{upstream}', 'FETCH_HEAD', 'HEAD@{1}', 'origin/main', 'main@{1}'])('the revision %s', (name) => {
    const origin = repository;
    origin.put('m/a.yaml', yaml(id));
    others.push(origin);
    repository = newRepository(origin.path);
    repository.git('fetch', '-q', 'origin', 'main');
    repository.put('m/a.yaml', yaml(otherId));
    repository.commit();
    const { status, stdout } = spawnSync(process.execPath, [MAIN, 'check', 'm', '--base-ref', name], {
      cwd: repository.path,
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining(DENIED.says) });
  });

  test('nothing of it is left behind', () => {
    const before = outside.path;
    const env = { TMPDIR: join(before, 'temp') };
    mkdirSync(env.TMPDIR);
    muster({ env });
    muster({ env, paths: ['nowhere'] });
    expect(spawnSync('ls', ['-A', env.TMPDIR], { encoding: 'utf8' }).stdout).toBe('');
    expect(basename(tmpdir())).not.toBe('temp');
  });
});
