import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { JsonObject } from '../../../../src/base/json.ts';
import { type CheckRun, runCheck } from '../../../../src/cli/check/run.ts';
import { claim, cluster, lineOf, property, run, yaml } from '../../../support/command-line.ts';
import { newFolder } from '../../../support/folder.ts';
import { type GitFolder, newRepository } from '../../../support/git.ts';

let repository: GitFolder;
beforeEach(() => {
  repository = newRepository();
});

const id = claim('id.k8s.io', 'one');
const otherId = claim('id.k8s.io', 'two');
const membership = claim('clusterset.k8s.io', 'fleet');
const x = claim('x.example.com', 'x');
const labelled = (labels: JsonObject) => cluster('a', { metadata: { name: 'a', labels } });
const profile = (labels: JsonObject) => ({
  ...cluster('a', { metadata: { name: 'a', namespace: 'fleet', labels } }),
  kind: 'ClusterProfile',
});
const stamped = (object: JsonObject): JsonObject => {
  const { name } = object['metadata'] as { name: string };
  return { ...object, metadata: { name, deletionTimestamp: '2020-01-01T00:00:00Z' } };
};
const manager = { 'x-k8s.io/cluster-manager': 'depot' };

async function check(paths: readonly string[], more: Partial<CheckRun> = {}) {
  const named = paths.map((path) => (path.startsWith('/') ? path : repository.at(path)));
  const { report, notes } = await runCheck(run({ paths: named, baseRef: 'HEAD', ...more }));
  return { report, notes, lines: report.results.map(lineOf), errors: report.errors.map(({ message }) => message) };
}

/** Objects by file; null: no such file. */
type Files = Readonly<Record<string, readonly JsonObject[] | null>>;

function put(files: Files): void {
  for (const [name, objects] of Object.entries(files)) {
    if (objects === null) rmSync(repository.at(name));
    else repository.put(name, yaml(...objects));
  }
}

function base(files: Files): void {
  put(files);
  repository.commit();
}

const DENIED = 'UPDATE id.k8s.io: denied claim/id-immutable-in-clusterset(deny)';
const CHANGED = 'UPDATE id.k8s.io: allowed claim/id-stable(warn)';
const SAME = 'UPDATE clusterset.k8s.io: allowed';
const KEPT_ID = 'DELETE id.k8s.io: denied claim/id-present-in-clusterset(deny)';
const LOST_ID = 'DELETE id.k8s.io: allowed claim/id-present(warn)';
const LEFT = 'DELETE clusterset.k8s.io: allowed';

const OBJECTS: Readonly<Record<string, JsonObject>> = {
  id,
  otherId,
  membership,
  x,
  stamped: stamped(id),
  stampedMembership: stamped(membership),
  cluster: cluster('a'),
  displayed: cluster('a', { spec: { clusterManager: { name: 'depot' }, displayName: 'A' } }),
  unlabelled: cluster('a', { metadata: { name: 'a' } }),
  relabelled: labelled({ kept: 'x' }),
  profile: profile(manager),
  member: profile({ ...manager, 'multicluster.x-k8s.io/inventory-member-id': 'one' }),
};
const LINES: Readonly<Record<string, string>> = { DENIED, CHANGED, SAME, KEPT_ID, LEFT };

interface Case {
  /** The files of the revision, and what changes in the working tree; null: no such file. */
  readonly base: Readonly<Record<string, readonly string[]>>;
  readonly now: Readonly<Record<string, readonly string[] | null>>;
  readonly paths?: readonly string[];
  readonly lines: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = parse(`
a deletionTimestamp at the revision does not free an object:
  {base: {m/a.yaml: [stamped], m/b.yaml: [membership]}, now: {m/a.yaml: null}, lines: [KEPT_ID, SAME]}
nor one in the file:
  {base: {m/a.yaml: [id], m/b.yaml: [stampedMembership]}, now: {m/a.yaml: [otherId]}, lines: [DENIED, SAME]}
an object of the revision is an UPDATE of what it was, any other a CREATE:
  base: {m/a.yaml: [id], m/b.yaml: [membership]}
  now: {m/a.yaml: [otherId], m/c.yaml: [x]}
  lines: [DENIED, SAME, 'CREATE x.example.com: allowed']
only the named paths count:
  {base: {m/a.yaml: [id], n/b.yaml: [membership]}, now: {m/a.yaml: [otherId]}, lines: [CHANGED]}
folders that a walk skips, and files that are no manifests, do not count at the revision either:
  base: {m/a.yaml: [id], m/node_modules/p/b.yaml: [membership], m/notes.txt: [membership]}
  now: {m/node_modules/p/b.yaml: null, m/notes.txt: null}
  lines: ['UPDATE id.k8s.io: allowed']
a label that is gone from the file is removed, as by kubectl apply:
  base: {m/a.yaml: [member]}
  now: {m/a.yaml: [profile]}
  lines: ['UPDATE fleet/a: allowed inventory/member-id-stable(warn)']
the manager label stays, which the mutating webhook puts back:
  {base: {m/a.yaml: [cluster]}, now: {m/a.yaml: [relabelled]}, lines: ['UPDATE a: allowed']}
the manager label stays that the mutating webhook added:
  {base: {m/a.yaml: [unlabelled]}, now: {m/a.yaml: [relabelled]}, lines: ['UPDATE a: allowed']}
a named folder may be gone:
  {base: {m/a.yaml: [membership], n/b.yaml: [membership]}, now: {m/a.yaml: null}, lines: [LEFT]}
a named file may be gone:
  base: {m/a.yaml: [membership], n/b.yaml: [membership]}
  now: {m/a.yaml: null}
  paths: [m/a.yaml]
  lines: [LEFT]
an object that moved into an existing file outside is not deleted:
  base: {m/a.yaml: [id], m/b.yaml: [membership], n/c.yaml: [x]}
  now: {m/a.yaml: null, n/c.yaml: [x, id]}
  lines: [SAME]
a copy that was elsewhere before, and moves there, makes no move of another object:
  base: {m/a.yaml: [id], m/b.yaml: [membership], n/c.yaml: [id]}
  now: {m/a.yaml: null, n/c.yaml: null, n/d.yaml: [id]}
  lines: [KEPT_ID, SAME]
a copy that was in another file before is no move:
  base: {m/a.yaml: [id], m/b.yaml: [membership], n/c.yaml: [id]}
  now: {m/a.yaml: null, n/c.yaml: [id, x]}
  lines: [KEPT_ID, SAME]
a claim of another value belongs to another cluster and is no move:
  base: {m/a.yaml: [id], m/b.yaml: [membership]}
  now: {m/a.yaml: null, p/d.yaml: [otherId]}
  lines: [KEPT_ID, SAME]
an object that moved into the named paths is an UPDATE:
  {base: {old/a.yaml: [displayed]}, now: {old/a.yaml: null, m/a.yaml: [cluster]}, lines: ['UPDATE a: allowed']}
an object that is still outside is a CREATE in the named paths:
  {base: {old/a.yaml: [cluster]}, now: {old/a.yaml: [cluster], m/a.yaml: [cluster]}, lines: ['CREATE a: allowed']}
`);

const named = (files: Case['now']): Files => {
  return Object.fromEntries(
    Object.entries(files).map(([file, all]) => [file, all?.map((one) => OBJECTS[one] ?? {}) ?? null]),
  );
};

test.each(Object.entries(CASES))('%s', async (_title, { base: files, now, paths = ['m'], lines }) => {
  base(named(files));
  put(named(now));
  expect(await check(paths)).toMatchObject({ lines: lines.map((line) => LINES[line] ?? line), errors: [] });
});

test.each(['main', 'v1', ':/next', 'HEAD^{/next}', 'HEAD@{0}', 'refs/heads/main'])(
  'the revision %s is found',
  async (baseRef) => {
    base({ 'a.yaml': [id] });
    repository.git('tag', '-a', 'v1', '-m', 'v1');
    expect((await check(['a.yaml'], { baseRef })).lines).toEqual(['UPDATE id.k8s.io: allowed']);
  },
);

test.each(['m/a.yaml', '-x/*.yaml', ':(top)/a.yaml'])('the path %s is no flag and no pattern', async (name) => {
  base({ 'm/a.yaml': [id, membership], '-x/*.yaml': [id, membership], ':(top)/a.yaml': [id, membership] });
  put({ [name]: [otherId, membership] });
  for (const path of [name, dirname(name)]) expect((await check([path])).lines).toEqual([DENIED, SAME]);
});

test('a path may be a link, the root, or relative to a subfolder', async () => {
  base({ 'm/a.yaml': [id, membership] });
  put({ 'm/a.yaml': [otherId, membership] });
  symlinkSync('m', repository.at('link'));
  expect((await check(['link'])).lines).toEqual([DENIED, SAME]);
  const before = process.cwd();
  try {
    for (const [folder, path] of [
      ['m', 'a.yaml'],
      ['.', '.'],
    ] as const) {
      process.chdir(repository.at(folder));
      expect((await check([], { paths: [path] })).lines).toEqual([DENIED, SAME]);
    }
  } finally {
    process.chdir(before);
  }
});

test('files that a sparse checkout omits are not deleted', async () => {
  base({ 'm/a.yaml': [id], 'm/b/c.yaml': [membership] });
  repository.git('sparse-checkout', 'set', '--no-cone', '/m/a.yaml');
  put({ 'm/a.yaml': [otherId] });
  expect((await check(['m'])).lines).toEqual([DENIED]);
});

test('an empty base does not prove that nothing exists', async () => {
  repository.commit();
  put({ 'm/a.yaml': [property('a.example.com', 'x')], 'gone/a.yaml': [id] });
  const { report } = await check(['m'], { deleted: [repository.at('gone/a.yaml')] });
  expect(report.summary.indeterminate).toBe(1);
});

test('a folder that had no object of ours is known to have had none', async () => {
  repository.put('m/none.yaml', 'kind: ConfigMap\n');
  repository.put('n/README.md', '');
  repository.commit();
  expect(await check(['m', 'n'])).toMatchObject({ lines: [], errors: [], notes: [] });
  put({ 'm/id.yaml': [id], 'n/set.yaml': [membership] });
  const created = ['CREATE id.k8s.io: allowed', 'CREATE clusterset.k8s.io: allowed'];
  expect(await check(['m', 'n'])).toMatchObject({ lines: created, errors: [], notes: [] });
});

test('a file alone: a note names another file of the folder, whose objects count as absent', async () => {
  base({ 'm/id.yaml': [id], 'm/set.yaml': [membership] });
  repository.put('m/none.yaml', 'kind: ConfigMap\n');
  put({ 'm/id.yaml': [otherId] });
  const alone = await check(['m/id.yaml'], { quiet: false });
  expect(alone.lines).toEqual([CHANGED]);
  expect(alone.notes).toEqual([expect.stringMatching(/^note: .*m\/set\.yaml was not named: .* folder .*\/m to read/)]);
  for (const paths of [['m/id.yaml', 'm/set.yaml'], ['m'], ['m/id.yaml', 'm'], ['.', 'm/id.yaml']]) {
    expect(await check(paths, { quiet: false })).toMatchObject({ lines: [DENIED, SAME], notes: [] });
  }
  expect((await check(['m/id.yaml'], { quiet: false, state: [repository.at('m/set.yaml')] })).notes).toEqual([]);
});

describe('deletions', () => {
  test('are located in the revision', async () => {
    base({ 'm/a.yaml': [id], 'm/b.yaml': [membership] });
    put({ 'm/a.yaml': null });
    const [result] = (await check(['m'])).report.results;
    expect(result).toMatchObject({ file: 'HEAD:m/a.yaml', line: 2 });
    expect(result?.findings[0]?.sourceLine?.(2)).toContain('id.k8s.io');
  });

  test('a path that is neither here nor there is an error', async () => {
    base({ 'm/a.yaml': [id] });
    const { report } = await check(['never.yaml', 'm']);
    const message = expect.stringContaining('neither here nor at');
    expect(report.errors).toEqual([{ file: repository.at('never.yaml'), line: 1, column: 1, message }]);
  });

  test('a file that left the index but is still there is not deleted', async () => {
    base({ 'm/a.yaml': [id], 'm/b.yaml': [membership] });
    repository.git('rm', '-q', '--cached', 'm/a.yaml');
    expect((await check(['m'])).lines).toEqual(['UPDATE id.k8s.io: allowed', SAME]);
    put({ 'm/a.yaml': null });
    expect((await check(['m'])).lines[0]).toBe(KEPT_ID);
  });

  test('what a broken file may still hold is not deleted', async () => {
    base({ 'm/a.yaml': [id], 'm/b.yaml': [membership] });
    repository.put('m/a.yaml', 'apiVersion: about.k8s.io/v1\na: [\n');
    const { lines, errors } = await check(['m']);
    expect({ lines, errors: errors.length }).toEqual({ lines: [SAME], errors: 1 });
  });

  test('an object that --deleted names too is evaluated once', async () => {
    base({ 'm/a.yaml': [id, membership], 'gone.yaml': [membership] });
    put({ 'm/a.yaml': [id] });
    const { lines } = await check(['m'], { deleted: [repository.at('gone.yaml')] });
    expect(lines).toEqual([LEFT, 'UPDATE id.k8s.io: allowed']);
  });

  test('beside --state the revision only names what is deleted', async () => {
    base({ 'm/a.yaml': [id], 'm/b.yaml': [otherId] });
    put({ 'm/a.yaml': null, 'm/b.yaml': null, 'm/c.yaml': [x], 'state/s.yaml': [id, membership] });
    const { lines } = await check(['m'], { state: [repository.at('state/s.yaml')] });
    expect(lines).toEqual([KEPT_ID, 'CREATE x.example.com: allowed']);
  });

  test('a note says that the branch of REF has moved on', async () => {
    base({ 'm/a.yaml': [id] });
    repository.git('checkout', '-q', '-b', 'mine');
    repository.commit();
    repository.git('checkout', '-q', 'main');
    base({ 'm/new.yaml': [x] });
    repository.git('checkout', '-q', 'mine');
    const { lines, notes } = await check(['m'], { baseRef: 'main' });
    expect(lines).toEqual(['DELETE x.example.com: allowed', 'UPDATE id.k8s.io: allowed']);
    expect(notes).toEqual([expect.stringContaining('git merge-base main HEAD')]);
  });

  test.each(['tracked', 'untracked'])('a move out of the named paths is a note (%s)', async (how) => {
    base({ 'm/a.yaml': [id], 'm/b.yaml': [membership], 'n/c.txt': [] });
    renameSync(repository.at('m/a.yaml'), repository.at('n/new name.yaml'));
    if (how === 'tracked') repository.git('add', '-A');
    const { lines, notes } = await check(['m']);
    expect(lines).toEqual([SAME]);
    expect(notes).toEqual(['HEAD:m/a.yaml:2:1: note: moved to n/new name.yaml, which is not checked in this run']);
  });
});

describe('files at the revision that are no readable manifests', () => {
  test('broken YAML is a note, and no object counts as deleted', async () => {
    repository.put('m/a.yaml', `${yaml(membership)}---\na: [about.k8s.io\n`);
    repository.commit();
    put({ 'm/a.yaml': [membership], 'x.yaml': [property('id.k8s.io', 'x')] });
    const { report, notes } = await check(['m'], { deleted: [repository.at('x.yaml')] });
    expect(notes).toEqual([expect.stringMatching(/^HEAD:m\/a\.yaml:4:\d+: note: .*no object counts as deleted$/)]);
    expect(report.summary.errors).toBe(0);
    expect(report.results[0]?.findings[0]?.message).toContain('part of --base-ref HEAD could not be read');
  });

  test('pointers of Git LFS, and text that is not UTF-8, are notes', async () => {
    repository.put('m/a.yaml', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n');
    repository.put('m/b.yaml', Buffer.from([0xff, 0xfe, 0x00]));
    repository.commit();
    put({ 'm/a.yaml': [id], 'm/b.yaml': [membership] });
    const { notes, errors } = await check(['m']);
    expect(errors).toEqual([]);
    expect(notes.toSorted()).toEqual([expect.stringMatching(/^HEAD:m\/a\.yaml:1:1: /), expect.stringMatching(/UTF-8/)]);
  });

  test('links are followed as in the working tree, so what they lead to has a past', async () => {
    repository.put('m/real/id.txt', yaml(id));
    repository.put('m/b.yaml', yaml(membership));
    symlinkSync('real', repository.at('m/folder'));
    symlinkSync('folder/id.txt', repository.at('m/id.yaml'));
    repository.commit();
    repository.put('m/real/id.txt', yaml(otherId));
    expect(await check(['m'])).toMatchObject({ lines: [SAME, DENIED], notes: [], errors: [] });
    rmSync(repository.at('m/id.yaml'));
    expect((await check(['m'])).lines).toEqual([KEPT_ID, SAME]);
  });

  test('a link at the revision may lead anywhere in the repository; one that leads out of it is a note', async () => {
    repository.put('other/id.yaml', yaml(id));
    symlinkSync('../other/id.yaml', repository.put('m/id.yaml', '').replace(/id\.yaml$/, 'link.yaml'));
    base({ 'm/id.yaml': null, 'm/b.yaml': [membership] });
    rmSync(repository.at('m/link.yaml'));
    expect(await check(['m'])).toMatchObject({ lines: [KEPT_ID, SAME], errors: [] });
    for (const target of ['/etc/hostname', '../../../../../../etc/hostname']) {
      symlinkSync(target, repository.at('m/link.yaml'));
      repository.commit();
      expect((await check(['m'])).errors).toEqual([expect.stringContaining('link that leads out')]);
      rmSync(repository.at('m/link.yaml'));
      const note = expect.stringMatching(/^HEAD:m\/link\.yaml:1:1: note: .*leads out of the repository/);
      expect((await check(['m'])).notes).toEqual([note]);
    }
  });

  test('a link to an absolute path in the repository is an error: at the revision nothing is behind it', async () => {
    repository.put('m/real.txt', yaml(id));
    symlinkSync(repository.at('m/real.txt'), repository.at('m/absolute.txt'));
    symlinkSync('absolute.txt', repository.at('m/id.yaml'));
    repository.commit();
    expect((await check(['m'])).errors).toEqual([expect.stringContaining('is a link to an absolute path')]);
  });

  test('a folder that became a link has its past', async () => {
    base({ 'm/a.yaml': [id, membership] });
    renameSync(repository.at('m'), repository.at('n'));
    symlinkSync('n', repository.at('m'));
    put({ 'n/a.yaml': [otherId, membership] });
    expect((await check(['m'])).lines).toEqual([DENIED, SAME]);
  });

  describe('a named path that is a folder link, or lies below one, is what the link led to at the revision', () => {
    const link = (target: string) => {
      rmSync(repository.at('live'), { force: true, recursive: true });
      symlinkSync(target, repository.at('live'));
    };
    beforeEach(() => {
      base({ 'envs/a/sub/id.yaml': [id, membership], 'envs/b/sub/id.yaml': [otherId, membership] });
      mkdirSync(repository.at('envs/none/sub'), { recursive: true });
      repository.put('envs/none/sub/id.yaml', '# nothing\n');
      link('envs/a');
      repository.commit();
    });

    test.each(['live', 'live/sub', 'live/sub/id.yaml'])('%s', async (path) => {
      link('envs/b');
      expect(await check([path])).toMatchObject({ lines: [DENIED, SAME], notes: [], errors: [] });
      link('envs/none');
      expect((await check([path])).lines).toEqual([LEFT, LOST_ID]);
    });

    test('a link without an extension to a file', async () => {
      symlinkSync('envs/a/sub/id.yaml', repository.at('one'));
      repository.commit();
      rmSync(repository.at('one'));
      symlinkSync('envs/b/sub/id.yaml', repository.at('one'));
      expect((await check(['one'])).lines).toEqual([DENIED, SAME]);
    });

    test('a link that is a folder now, with the file that the link led to left as it was', async () => {
      rmSync(repository.at('live'));
      repository.put('live/sub/id.yaml', '# nothing\n');
      expect((await check(['live'])).lines).toEqual([LEFT, LOST_ID]);
    });

    test('a link that led out of the repository is a note', async () => {
      link('/etc');
      repository.commit();
      link('envs/b');
      expect((await check(['live/sub'])).notes).toEqual([
        expect.stringMatching(/^HEAD:live.*leads out of the repository/),
      ]);
    });
  });

  test('names that are not UTF-8 are notes, and none is taken for another', async () => {
    const name = (byte: number) =>
      Buffer.concat([Buffer.from(repository.at('m/x')), Buffer.from([byte]), Buffer.from('.yaml')]);
    base({ 'm/a.yaml': [membership] });
    writeFileSync(name(0xff), yaml(id));
    writeFileSync(name(0xfe), yaml(otherId));
    symlinkSync('a.yaml', name(0xfd));
    repository.commit();
    for (const byte of [0xff, 0xfe, 0xfd]) rmSync(name(byte));
    const { lines, notes } = await check(['m']);
    expect(lines).toEqual([SAME]);
    expect(notes).toHaveLength(3);
    expect(notes[0]).toContain('its name is not UTF-8');
  });

  test('attributes in the revision change nothing: files are read as git stores them', async () => {
    repository.put('.gitattributes', '*.yaml ident text eol=crlf\n');
    repository.git('add', '.gitattributes');
    repository.put('m/a.txt', yaml(id, membership));
    const blob = repository.git('hash-object', '-w', '--no-filters', 'm/a.txt').trim();
    repository.git('update-index', '--add', '--cacheinfo', `100644,${blob},m/a.yaml`);
    repository.git('commit', '-qm', 'next');
    repository.put('m/b.yaml', yaml(otherId, membership));
    expect(await check(['m'])).toMatchObject({ lines: [DENIED, SAME], notes: [] });
  });

  test('a submodule that is new and not checked out is unevaluated', async () => {
    base({ 'm/a.yaml': [id, membership] });
    mkdirSync(repository.at('m/sub'));
    const commit = repository.git('rev-parse', 'HEAD').trim();
    repository.git('update-index', '--add', '--cacheinfo', `160000,${commit},m/sub`);
    repository.git('update-index', '--add', '--cacheinfo', `160000,${commit},other/sub`);
    const { report, notes } = await check(['m']);
    expect(report.summary.unevaluated).toBe(1);
    expect(notes).toEqual([expect.stringMatching(/\/m\/sub:1:1: note: not evaluated, .*git submodule update --init/)]);
  });

  test('a named path within a submodule, and a link that led into one', async () => {
    const inner = newRepository();
    inner.put('d/a.yaml', yaml(id));
    inner.commit();
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'sub');
    symlinkSync('sub/d', repository.at('led'));
    base({ 'other/a.yaml': [otherId] });
    const operations = async (path: string) => {
      const { report, notes } = await check([path]);
      return { operations: report.results.map(({ operation }) => operation), notes };
    };
    expect(await operations('sub/d')).toEqual({ operations: ['UPDATE'], notes: [] });
    expect(await operations('led')).toEqual({ operations: ['UPDATE'], notes: [] });
    rmSync(repository.at('led'));
    symlinkSync('other', repository.at('led'));
    const notes = [expect.stringMatching(/^HEAD:sub: note: a submodule into which a link led: .* no object counts/)];
    expect(await operations('led')).toEqual({ operations: ['CREATE'], notes });
  });

  test('a submodule is read while it does not change; a changed one is a note', async () => {
    const inner = newRepository();
    inner.put('b.yaml', yaml(membership));
    inner.commit();
    base({ 'm/a.yaml': [id] });
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'm/sub');
    repository.commit();
    put({ 'm/a.yaml': [otherId] });
    expect((await check(['m'])).lines).toEqual([DENIED, SAME]);
    put({ 'm/sub/b.yaml': [claim('clusterset.k8s.io', 'other')] });
    repository.git('-C', 'm/sub', 'commit', '-q', '-a', '-m', 'next');
    expect((await check(['m'])).notes).toEqual([expect.stringMatching(/^HEAD:m\/sub: note: a submodule/)]);
  });
});

describe('a failure of git is one error that says what to do, and nothing is evaluated', () => {
  test('a tag with the name of a branch, which git would take', async () => {
    base({ 'm/a.yaml': [id, membership] });
    repository.git('branch', 'base');
    put({ 'm/a.yaml': [otherId, membership] });
    repository.commit();
    repository.git('tag', 'base');
    expect(await failing('base')).toMatch(/several branches and tags .* have the name: write it in full/);
    expect((await check(['m'], { baseRef: 'refs/heads/base' })).lines).toEqual([DENIED, SAME]);
  });

  test('a manifest that git checks out in another encoding', async () => {
    // £ is # in that encoding, so that the file is a comment and an object here, and text in a mapping there.
    const stored = `£x: |\n${yaml(id).replace(/^/gm, ' ')}`;
    repository.put('.gitattributes', 'a.yaml working-tree-encoding=ISO646-GB\n');
    repository.git('add', '.gitattributes');
    repository.put('m/a.txt', stored);
    const blob = repository.git('hash-object', '-w', '--no-filters', 'm/a.txt').trim();
    repository.git('update-index', '--add', '--cacheinfo', `100644,${blob},m/a.yaml`);
    repository.git('commit', '-qm', 'next');
    repository.put('m/a.yaml', yaml(otherId));
    rmSync(repository.at('.gitattributes'));
    expect(await failing('HEAD', 'm')).toMatch(/says a working-tree-encoding for HEAD:m\/a\.yaml: store manifests as/);
  });

  test('a manifest of the working tree that git stores in another encoding', async () => {
    base({ 'm/a.yaml': [membership], 'other/b.yaml': [id] });
    repository.put('.gitattributes', 'other/b.yaml working-tree-encoding=ISO646-GB\n');
    expect((await check(['m'])).lines).toEqual([SAME]);
    // It is stored as "kind", and so on, which Flux reads.
    repository.put('.gitattributes', '*.yaml working-tree-encoding=UTF-7\n');
    repository.put('m/b.yaml', '+ACI-apiVersion+ACI-: about.k8s.io/v1\n+ACI-kind+ACI-: ClusterProperty\n');
    repository.commit();
    expect(await failing('HEAD~1', 'm')).toMatch(/^\.gitattributes says a working-tree-encoding for m\/a\.yaml: store/);
  });

  async function failing(baseRef: string, path = 'm/a.yaml') {
    const { report } = await check([path], { baseRef });
    expect(report.summary).toMatchObject({ evaluated: 0, errors: 1 });
    expect(report.errors[0]).toMatchObject({ about: `--base-ref ${baseRef}` });
    return report.errors[0]?.message;
  }

  test.each([
    ['nowhere', /^this repository has no such commit: .*git branch --all/],
    ['HEAD:m', /^it names a tree, not a commit$/],
    ['HEAD:m/a.yaml', /it names a blob, not a commit$/],
    ['HEAD; touch x', /no such commit/],
    ['0000000000000000000000000000000000000001', /no such commit/],
  ])('%s is no commit', async (ref, message) => {
    base({ 'm/a.yaml': [id] });
    expect(await failing(ref)).toMatch(message);
  });

  test('a repository without a commit', async () => {
    put({ 'm/a.yaml': [id] });
    expect(await failing('HEAD')).toBe('nothing is committed yet: commit first, or check without --base-ref');
  });

  test('a shallow clone: the message says how to fetch what is missing', async () => {
    base({ 'm/a.yaml': [id] });
    const first = repository.commit();
    base({ 'm/a.yaml': [id, membership] });
    const origin = repository;
    repository = newRepository('--depth=1', `file://${origin.path}`);
    put({ 'm/a.yaml': [id] });
    expect(await failing('HEAD~1')).toContain(
      'git fetch --unshallow, or clone in full (actions/checkout: fetch-depth: 0)',
    );
    origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    repository.git('fetch', '-q', '--depth=1', 'origin', first);
    put({ 'm/a.yaml': [otherId, membership] });
    expect((await check(['m'], { baseRef: first })).lines).toEqual([CHANGED, 'CREATE clusterset.k8s.io: allowed']);
  });

  test('a line break in the path of the repository', async () => {
    base({ 'm/a.yaml': [id] });
    const odd = `${newFolder().path}/a\nb`;
    renameSync(repository.path, odd);
    expect(await failing('HEAD', `${odd}/m`)).toMatch(/a\\u000ab has a line break in its path: rename the folder$/);
  });

  test('no repository, a bare one, and a path outside', async () => {
    const folder = newFolder();
    const bare = newRepository();
    const file = folder.put('a.yaml', yaml(id));
    expect(await failing('HEAD', file)).toMatch(/is not in a git repository$/);
    bare.git('config', 'core.bare', 'true');
    expect(await failing('HEAD', bare.put('a.yaml', yaml(id)))).toContain('bare repository');
    base({ 'm/a.yaml': [id] });
    const { report } = await check(['m', file]);
    expect(report.errors).toMatchObject([{ file, message: expect.stringContaining('is outside of the repository') }]);
    expect(report.summary.evaluated).toBe(2);
  });

  // git has the second variable to try what it does in the repository of another user.
  test.each([
    ['PATH', '/nonexistent', 'git was not found: install it, or put it on the PATH'],
    ['GIT_TEST_ASSUME_DIFFERENT_OWNER', '1', 'git config --global --add safe.directory'],
  ])('with %s=%s', async (variable, value, message) => {
    base({ 'm/a.yaml': [id] });
    const before = process.env[variable];
    process.env[variable] = value;
    try {
      expect(await failing('HEAD')).toContain(message);
    } finally {
      if (before === undefined) delete process.env[variable];
      else process.env[variable] = before;
    }
  });
});
