import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type CheckRun, runCheck } from '../../src/cli/check/run.ts';
import type { CheckReport } from '../../src/cli/output/report.ts';
import type { JsonObject } from '../../src/rules/rule.ts';
import { type GitFolder, newRepository } from './git-world.ts';
import { claim, cluster, newFolder, property, run, yaml } from './world.ts';

// git is a process for each question; on a busy machine that takes its time.
jest.setTimeout(60_000);

let repository: GitFolder;
const others: { remove(): void }[] = [];
beforeEach(() => {
  repository = newRepository();
});
afterEach(() => {
  for (const one of [repository, ...others.splice(0)]) one.remove();
});

const id = claim('id.k8s.io', 'one');
const otherId = claim('id.k8s.io', 'two');
const membership = claim('clusterset.k8s.io', 'fleet');

async function check(paths: readonly string[], more: Partial<CheckRun> = {}) {
  const named = paths.map((path) => (path.startsWith('/') ? path : repository.at(path)));
  const { report, notes } = await runCheck(run({ paths: named, baseRef: 'HEAD', ...more }));
  return { report, notes, lines: report.results.map(lineOf), errors: report.errors.map(({ message }) => message) };
}

/** `UPDATE id.k8s.io: denied claim/id-syntax` */
function lineOf({ operation, name, outcome, findings }: CheckReport['results'][number]): string {
  return [`${operation} ${name}: ${outcome}`, ...findings.map(({ ruleId }) => ruleId)].join(' ');
}

function base(files: Readonly<Record<string, readonly JsonObject[]>>): void {
  for (const [name, objects] of Object.entries(files)) repository.put(name, yaml(...objects));
  repository.commit();
}

describe('what exists', () => {
  test('what was there is an UPDATE, judged against what it was; what was not is a CREATE', async () => {
    base({ 'm/a.yaml': [id], 'm/b.yaml': [membership] });
    repository.put('m/a.yaml', yaml(otherId));
    repository.put('m/c.yaml', yaml(claim('other.example.com', 'x')));
    const { lines, errors } = await check(['m']);
    expect(errors).toEqual([]);
    expect(lines).toEqual([
      'UPDATE id.k8s.io: denied claim/id-immutable-in-clusterset',
      'UPDATE clusterset.k8s.io: allowed',
      'CREATE other.example.com: allowed',
    ]);
  });

  test.each(['main', 'v1', ':/next', 'HEAD^{/next}', 'HEAD@{0}', 'refs/heads/main'])(
    'a commit named as %s',
    async (baseRef) => {
      base({ 'a.yaml': [id] });
      repository.git('tag', '-a', 'v1', '-m', 'v1');
      expect((await check(['a.yaml'], { baseRef })).lines).toEqual(['UPDATE id.k8s.io: allowed']);
    },
  );

  test('only the named paths', async () => {
    base({ 'm/a.yaml': [id], 'n/b.yaml': [membership] });
    repository.put('m/a.yaml', yaml(otherId));
    expect((await check(['m'])).lines).toEqual(['UPDATE id.k8s.io: allowed claim/id-stable']);
    expect((await check(['m', 'n'])).lines[0]).toContain('denied');
  });

  test('a file, the root, a path from a subfolder, through a link, and by a name that looks like a flag or a pattern', async () => {
    base({ 'm/a.yaml': [id, membership], '-x/*.yaml': [id, membership], ':(top)/a.yaml': [id, membership] });
    const denied = ['UPDATE id.k8s.io: denied claim/id-immutable-in-clusterset', 'UPDATE clusterset.k8s.io: allowed'];
    for (const name of ['m/a.yaml', '-x/*.yaml', ':(top)/a.yaml']) {
      repository.put(name, yaml(otherId, membership));
      expect((await check([name])).lines).toEqual(denied);
      expect((await check([name.split('/')[0] ?? ''])).lines).toEqual(denied);
      repository.git('checkout', '-q', '.');
    }
    repository.put('m/a.yaml', yaml(otherId, membership));
    symlinkSync('m', repository.at('link'));
    expect((await check(['link'])).lines).toEqual(denied);
    const before = process.cwd();
    try {
      process.chdir(repository.at('m'));
      const { lines } = await check([], { paths: ['a.yaml'] });
      expect(lines).toEqual(denied);
      process.chdir(repository.path);
      rmSync(repository.at('-x'), { recursive: true });
      rmSync(repository.at(':(top)'), { recursive: true });
      expect((await check([], { paths: ['.'] })).lines).toEqual(denied);
    } finally {
      process.chdir(before);
    }
  });

  test('folders that a walk leaves out and files that are no manifests have no past either', async () => {
    base({ 'm/a.yaml': [id], 'm/node_modules/p/b.yaml': [membership], 'm/notes.txt': [membership] });
    rmSync(repository.at('m/node_modules'), { recursive: true });
    rmSync(repository.at('m/notes.txt'));
    expect((await check(['m'])).lines).toEqual(['UPDATE id.k8s.io: allowed']);
  });

  test('labels of the former file that the new one drops go, as kubectl apply has it', async () => {
    const profile = (labels: Readonly<Record<string, string>>) => ({
      ...cluster('a', { metadata: { name: 'a', namespace: 'fleet', labels } }),
      kind: 'ClusterProfile',
    });
    const manager = { 'x-k8s.io/cluster-manager': 'depot' };
    base({ 'a.yaml': [profile({ ...manager, 'multicluster.x-k8s.io/inventory-member-id': 'one' })] });
    repository.put('a.yaml', yaml(profile(manager)));
    const { report } = await check(['a.yaml']);
    expect(report.results[0]?.findings.map(({ ruleId }) => ruleId)).toEqual(['inventory/member-id-stable']);
  });

  test('but the label of the manager, which the mutating webhook puts back', async () => {
    base({ 'a.yaml': [cluster('a')] });
    repository.put('a.yaml', yaml(cluster('a', { metadata: { name: 'a', labels: { kept: 'x' } } })));
    expect((await check(['a.yaml'])).lines).toEqual(['UPDATE a: allowed']);
  });

  test('the label that the mutating webhook added to the former file stays', async () => {
    base({ 'a.yaml': [cluster('a', { metadata: { name: 'a' } })] });
    repository.put('a.yaml', yaml(cluster('a', { metadata: { name: 'a', labels: { x: 'y' } } })));
    expect((await check(['a.yaml'])).lines).toEqual(['UPDATE a: allowed']);
  });

  test('a sparse checkout takes nothing away', async () => {
    base({ 'm/a.yaml': [id], 'm/b/c.yaml': [membership] });
    repository.git('sparse-checkout', 'set', '--no-cone', '/m/a.yaml');
    repository.put('m/a.yaml', yaml(otherId));
    expect((await check(['m'])).lines).toEqual(['UPDATE id.k8s.io: denied claim/id-immutable-in-clusterset']);
  });

  test('what no file at the revision told is unknown: nothing there is no empty world', async () => {
    repository.commit();
    const deleted = [repository.put('gone/a.yaml', yaml(id))];
    repository.put('m/a.yaml', yaml(property('a.example.com', 'x')));
    const { report } = await check(['m'], { deleted });
    expect(report.summary.indeterminate).toBe(1);
  });
});

describe('deletions', () => {
  test('what is gone is deleted, and stands at its place in the revision', async () => {
    base({ 'm/a.yaml': [id, claim('other.example.com', 'x')], 'm/b.yaml': [membership] });
    repository.put('m/a.yaml', yaml(claim('other.example.com', 'x')));
    const { report, lines } = await check(['m']);
    expect(lines).toEqual([
      'DELETE id.k8s.io: denied claim/id-present-in-clusterset',
      'UPDATE other.example.com: allowed',
      'UPDATE clusterset.k8s.io: allowed',
    ]);
    expect(report.results[0]).toMatchObject({ file: 'HEAD:m/a.yaml', line: 2 });
    expect(report.results[0]?.sourceLine?.(2)).toContain('id.k8s.io');
  });

  test('a named file or folder may be gone altogether', async () => {
    base({ 'm/a.yaml': [membership], 'n/b.yaml': [membership] });
    rmSync(repository.at('m'), { recursive: true });
    for (const path of ['m', 'm/a.yaml']) {
      const { lines, errors } = await check([path]);
      expect({ lines, errors }).toEqual({ lines: ['DELETE clusterset.k8s.io: allowed'], errors: [] });
    }
    const { report } = await check(['never.yaml', 'm']);
    expect(report.errors).toEqual([
      {
        file: repository.at('never.yaml'),
        line: 1,
        column: 1,
        message: expect.stringContaining('neither here nor at'),
      },
    ]);
    expect(report.summary.judged).toBe(1);
  });

  test('the membership goes before the id: nobody said another order', async () => {
    base({ 'm/a.yaml': [id, membership] });
    rmSync(repository.at('m/a.yaml'));
    repository.put('m/b.yaml', yaml());
    expect((await check(['m'])).lines).toEqual([
      'DELETE clusterset.k8s.io: allowed',
      'DELETE id.k8s.io: allowed claim/id-present',
    ]);
  });

  test('removed from the index but still there is not gone; one that was staged and removed is', async () => {
    base({ 'm/a.yaml': [id], 'm/b.yaml': [membership] });
    repository.git('rm', '-q', '--cached', 'm/a.yaml');
    expect((await check(['m'])).lines).toEqual(['UPDATE id.k8s.io: allowed', 'UPDATE clusterset.k8s.io: allowed']);
    rmSync(repository.at('m/a.yaml'));
    expect((await check(['m'])).lines[0]).toBe('DELETE id.k8s.io: denied claim/id-present-in-clusterset');
  });

  test('what a broken file may hold still is not deleted', async () => {
    base({ 'm/a.yaml': [id], 'm/b.yaml': [membership] });
    repository.put('m/a.yaml', 'a: [\n');
    const { lines, report } = await check(['m']);
    expect(lines).toEqual(['UPDATE clusterset.k8s.io: allowed']);
    expect(report.summary.errors).toBe(1);
  });

  test('one that --deleted names too is judged once', async () => {
    base({ 'm/a.yaml': [id, membership], 'gone.yaml': [membership] });
    repository.put('m/a.yaml', yaml(id));
    const { lines } = await check(['m'], { deleted: [repository.at('gone.yaml')] });
    expect(lines).toEqual(['DELETE clusterset.k8s.io: allowed', 'UPDATE id.k8s.io: allowed']);
  });

  test('beside --state the revision tells only what is deleted', async () => {
    base({ 'm/a.yaml': [id], 'm/b.yaml': [otherId] });
    rmSync(repository.at('m/b.yaml'));
    rmSync(repository.at('m/a.yaml'));
    repository.put('m/c.yaml', yaml(claim('a.example.com', 'x')));
    const state = [repository.put('state/s.yaml', yaml(id, membership))];
    expect((await check(['m'], { state })).lines).toEqual([
      'DELETE id.k8s.io: denied claim/id-present-in-clusterset',
      'CREATE a.example.com: allowed',
    ]);
  });

  test('a branch that moved on is told of', async () => {
    base({ 'm/a.yaml': [id] });
    repository.git('checkout', '-q', '-b', 'mine');
    repository.commit();
    repository.git('checkout', '-q', 'main');
    base({ 'm/new.yaml': [claim('new.example.com', 'x')] });
    repository.git('checkout', '-q', 'mine');
    const { lines, notes } = await check(['m'], { baseRef: 'main' });
    expect(lines).toEqual(['DELETE new.example.com: allowed', 'UPDATE id.k8s.io: allowed']);
    expect(notes).toEqual([expect.stringContaining('git merge-base main HEAD')]);
  });
});

describe('moves', () => {
  test('within the named paths, into another file, and edited on the way: an UPDATE', async () => {
    base({ 'm/a.yaml': [id], 'm/b.yaml': [membership] });
    rmSync(repository.at('m/a.yaml'));
    repository.put('m/b.yaml', yaml(membership, otherId));
    expect((await check(['m'])).lines).toEqual([
      'UPDATE clusterset.k8s.io: allowed',
      'UPDATE id.k8s.io: denied claim/id-immutable-in-clusterset',
    ]);
  });

  test.each(['tracked', 'untracked'])('out of the named paths (%s): no deletion, and a note', async (how) => {
    base({ 'm/a.yaml': [id], 'm/b.yaml': [membership] });
    mkdirSync(repository.at('n'));
    renameSync(repository.at('m/a.yaml'), repository.at('n/new name.yaml'));
    if (how === 'tracked') repository.git('add', '-A');
    const { lines, notes } = await check(['m']);
    expect(lines).toEqual(['UPDATE clusterset.k8s.io: allowed']);
    expect(notes).toEqual(['HEAD:m/a.yaml:2:1: note: moved to n/new name.yaml, which is not checked in this run']);
  });

  test('into an existing file outside', async () => {
    base({ 'm/a.yaml': [id], 'm/b.yaml': [membership], 'n/c.yaml': [claim('x.example.com', 'x')] });
    rmSync(repository.at('m/a.yaml'));
    repository.put('n/c.yaml', yaml(claim('x.example.com', 'x'), id));
    expect((await check(['m'])).lines).toEqual(['UPDATE clusterset.k8s.io: allowed']);
  });

  test('a copy for another cluster is no move: neither one that was there nor one of another content', async () => {
    base({ 'm/a.yaml': [id], 'm/b.yaml': [membership], 'n/c.yaml': [id] });
    rmSync(repository.at('m/a.yaml'));
    const gone = 'DELETE id.k8s.io: denied claim/id-present-in-clusterset';
    expect((await check(['m'])).lines[0]).toBe(gone);
    repository.put('n/c.yaml', yaml(id, claim('new.example.com', 'x')));
    expect((await check(['m'])).lines[0]).toBe(gone);
    repository.put('p/d.yaml', yaml(otherId));
    expect((await check(['m'])).lines[0]).toBe(gone);
  });

  test('into the named paths: an UPDATE of what it was', async () => {
    base({ 'old/a.yaml': [cluster('a', { spec: { clusterManager: { name: 'depot' }, displayName: 'A' } })] });
    rmSync(repository.at('old/a.yaml'));
    repository.put('new/a.yaml', yaml(cluster('a')));
    expect((await check(['new'])).lines).toEqual(['UPDATE a: allowed']);
    repository.put('old/a.yaml', yaml(cluster('a')));
    expect((await check(['new'])).lines).toEqual(['CREATE a: allowed']);
  });
});

describe('what git has that is no plain manifest', () => {
  test('broken YAML at the revision: a note, and nothing counts as absent', async () => {
    repository.put('m/a.yaml', `${yaml(membership)}---\na: [1\n`);
    repository.commit();
    repository.put('m/a.yaml', yaml(membership));
    const { report, notes } = await check(['m'], { deleted: [repository.put('x.yaml', yaml(id))] });
    expect(notes).toEqual([expect.stringMatching(/^HEAD:m\/a\.yaml:4:\d+: note: .*nothing counts as absent$/)]);
    expect(report.summary).toMatchObject({ errors: 0, denied: 1 });
    const { report: other } = await check(['m'], {
      deleted: [repository.put('x.yaml', yaml(property('id.k8s.io', 'x')))],
    });
    expect(other.results[0]?.findings[0]?.message).toContain('part of --base-ref HEAD could not be read');
  });

  test('pointers of Git LFS, text that is not UTF-8', async () => {
    repository.put('m/a.yaml', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n');
    repository.put('m/b.yaml', Buffer.from([0xff, 0xfe, 0x00]));
    repository.commit();
    repository.put('m/a.yaml', yaml(id));
    repository.put('m/b.yaml', yaml(membership));
    const { notes, errors } = await check(['m']);
    expect(errors).toEqual([]);
    expect(notes).toEqual([
      expect.stringMatching(/^HEAD:m\/a\.yaml:1:1: note: .*Git LFS/),
      expect.stringMatching(/^HEAD:m\/b\.yaml:1:1: note: .*UTF-8/),
    ]);
  });

  test('what Git LFS checked out is compared with its pointer, without the filter of Git LFS', async () => {
    const text = yaml(id);
    const digest = createHash('sha256').update(text).digest('hex');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${digest}\nsize ${text.length}\n`;
    repository.put('m/a.yaml', pointer);
    repository.commit();
    repository.put('m/a.yaml', text);
    expect(await check(['m'])).toMatchObject({ lines: ['UPDATE id.k8s.io: allowed'], errors: [], notes: [] });
    repository.put('m/a.yaml', yaml(otherId));
    expect((await check(['m'])).notes).toHaveLength(1);
  });

  test('links: what they lead to is met on its own', async () => {
    base({ 'm/a.yaml': [id] });
    symlinkSync('a.yaml', repository.at('m/link.yaml'));
    repository.commit();
    rmSync(repository.at('m/link.yaml'));
    expect((await check(['m'])).lines).toEqual(['UPDATE id.k8s.io: allowed']);
    symlinkSync('/etc/hostname', repository.at('m/out.yaml'));
    repository.commit();
    expect((await check(['m'])).errors).toEqual([expect.stringContaining('link to outside')]);
  });

  test('a submodule: as it is while it does not change; else not looked at, and a note', async () => {
    const inner = newRepository();
    others.push(inner);
    inner.put('b.yaml', yaml(membership));
    inner.commit();
    base({ 'm/a.yaml': [id] });
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'm/sub');
    repository.commit();
    repository.put('m/a.yaml', yaml(otherId));
    const same = await check(['m']);
    expect(same.lines).toEqual([
      'UPDATE id.k8s.io: denied claim/id-immutable-in-clusterset',
      'UPDATE clusterset.k8s.io: allowed',
    ]);
    repository.put('m/sub/b.yaml', yaml(claim('clusterset.k8s.io', 'other')));
    const changed = await check(['m']);
    expect(changed.notes).toEqual([expect.stringMatching(/^HEAD:m\/sub: note: a submodule/)]);
  });

  test('a worktree of its own, and a repository whose files have line ends of Windows', async () => {
    base({ 'm/a.yaml': [id, membership] });
    repository.git('worktree', 'add', '-q', 'tree');
    repository.put('tree/m/a.yaml', yaml(otherId, membership).replaceAll('\n', '\r\n'));
    expect((await check(['tree/m'])).lines[0]).toBe('UPDATE id.k8s.io: denied claim/id-immutable-in-clusterset');
  });
});

describe('what git can not tell: one error with what to do, and the rest is judged', () => {
  async function failing(baseRef: string, path = 'm/a.yaml') {
    const { report } = await check([path], { baseRef });
    expect(report.summary).toMatchObject({ judged: 1, errors: 1 });
    expect(report.errors[0]).toMatchObject({ file: '<git>' });
    return report.errors[0]?.message;
  }

  test('no such revision; no commit', async () => {
    base({ 'm/a.yaml': [id] });
    expect(await failing('nowhere')).toMatch(
      /^--base-ref nowhere: this repository has no such commit: .*git branch --all/,
    );
    expect(await failing('HEAD:m')).toBe('--base-ref HEAD:m: it names a tree, and no commit');
    expect(await failing('HEAD:m/a.yaml')).toBe('--base-ref HEAD:m/a.yaml: it names a blob, and no commit');
    expect(await failing('HEAD; touch x')).toContain('no such commit');
    expect(await failing('0000000000000000000000000000000000000001')).toContain('no such commit');
  });

  test('a shallow clone: how to get what is missing', async () => {
    base({ 'm/a.yaml': [id] });
    const first = repository.commit();
    base({ 'm/a.yaml': [id, membership] });
    const origin = repository;
    others.push(origin);
    repository = newRepository('--depth=1', `file://${origin.path}`);
    repository.put('m/a.yaml', yaml(id));
    expect(await failing('HEAD~1')).toContain('git fetch --unshallow');
    expect(await failing('other')).toContain(
      'git fetch --depth=1 origin other:refs/remotes/origin/other and --base-ref origin/other, or clone in full (actions/checkout: fetch-depth: 0)',
    );
    expect(await failing(first)).toContain(`git fetch --depth=1 origin ${first}, or`);
    origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    repository.git('fetch', '-q', '--depth=1', 'origin', first);
    repository.put('m/a.yaml', yaml(otherId, membership));
    expect((await check(['m'], { baseRef: first })).lines).toEqual([
      'UPDATE id.k8s.io: allowed claim/id-stable',
      'CREATE clusterset.k8s.io: allowed',
    ]);
    expect((await check(['m'])).lines[0]).toBe('UPDATE id.k8s.io: denied claim/id-immutable-in-clusterset');
  });

  test('a partial clone whose remote is gone', async () => {
    base({ 'm/a.yaml': [id] });
    base({ 'm/a.yaml': [otherId] });
    repository.git('config', 'uploadpack.allowFilter', 'true');
    const origin = repository;
    repository = newRepository('--filter=blob:none', `file://${origin.path}`);
    // What is fetched on demand stays.
    expect((await check(['m'], { baseRef: 'HEAD' })).lines).toEqual(['UPDATE id.k8s.io: allowed']);
    origin.remove();
    expect(await failing('HEAD~1')).toMatch(/the content [0-9a-f]{40} can't be had: /);
  });

  test('no repository; a bare one; a path outside', async () => {
    const folder = newFolder();
    others.push(folder);
    const file = folder.put('a.yaml', yaml(id));
    expect(await failing('HEAD', file)).toMatch(/is in no git repository$/);
    base({ 'm/a.yaml': [id] });
    const { report } = await check(['m', file]);
    expect(report.errors).toEqual([
      { file, line: 1, column: 1, message: expect.stringContaining('lies outside of the repository') },
    ]);
    expect(report.summary.judged).toBe(2);
    const bare = newRepository();
    others.push(bare);
    bare.git('config', 'core.bare', 'true');
    bare.put('a.yaml', yaml(id));
    expect(await failing('HEAD', bare.at('a.yaml'))).toContain('bare repository');
  });

  test('git is not installed', async () => {
    base({ 'm/a.yaml': [id] });
    const path = process.env['PATH'];
    process.env['PATH'] = '/nonexistent';
    try {
      expect(await failing('HEAD')).toBe('--base-ref HEAD: git was not found: install it, or put it on the PATH');
    } finally {
      process.env['PATH'] = path;
    }
  });

  test('a repository of somebody else', async () => {
    base({ 'm/a.yaml': [id] });
    // git's own way to try what it does in another's repository.
    process.env['GIT_TEST_ASSUME_DIFFERENT_OWNER'] = '1';
    try {
      expect(await failing('HEAD')).toContain('git config --global --add safe.directory');
    } finally {
      delete process.env['GIT_TEST_ASSUME_DIFFERENT_OWNER'];
    }
  });
});

test('the repository is left as it was, and programs it names are not run', async () => {
  base({ 'm/a.yaml': [id], 'm/b.yaml': [membership] });
  const trap = repository.put('trap.sh', `#!/bin/sh\ntouch ${repository.at('sprung')}\n`);
  chmodSync(trap, 0o755);
  for (const key of ['diff.external', 'core.fsmonitor', 'core.pager', 'pager.diff'])
    repository.git('config', key, trap);
  repository.put('m/a.yaml', yaml(otherId));
  const index = () => execFileSync('sha256sum', [repository.at('.git/index')], { encoding: 'utf8' });
  const before = index();
  expect((await check(['m'])).report.summary.denied).toBe(1);
  expect(index()).toBe(before);
  expect(repository.git('-c', 'core.fsmonitor=false', 'ls-files', '--others')).not.toContain('sprung');
});

test('a thousand named files, more than go on a line', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `m/${index}.yaml`);
  base(Object.fromEntries(names.map((name, index) => [name, [claim(`c${index}.example.com`, 'x')]])));
  for (const name of names.slice(0, 10)) rmSync(repository.at(name));
  const { report } = await check(names);
  expect(report.errors).toEqual([]);
  expect(report.summary).toMatchObject({ judged: 1000, errors: 0 });
  expect(report.results.filter(({ operation }) => operation === 'DELETE')).toHaveLength(10);
});
