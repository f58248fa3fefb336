/** `check` of several clusters in one run: each stands by itself. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type CheckRun, runCheck } from '../../../../src/cli/check/run.ts';
import { parseGlob } from '../../../../src/input/clusters/glob.ts';
import { clusterRequest } from '../../../../src/input/clusters/request.ts';
import { claim, cluster, lineOf, muster, property, run, yaml } from '../../../support/command-line.ts';
import { newFolder } from '../../../support/folder.ts';
import { type GitFolder, newRepository } from '../../../support/git.ts';
import { memberOf } from '../../../support/objects.ts';

let repository: GitFolder;
beforeEach(() => {
  repository = newRepository();
});

const member = (id: string) => yaml(...memberOf('fleet', id));
const put = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) repository.put(name, text);
};
const remove = (name: string) => rmSync(repository.at(name), { recursive: true });
const within = (text: string) => text.replaceAll(`${repository.path}/`, '');

interface Flags {
  readonly cluster?: readonly string[];
  readonly clusters?: readonly string[];
  readonly state?: readonly string[];
  readonly deleted?: readonly string[];
}

/** Checks with paths in the repository. */
async function check({ clusters = [], ...flags }: Flags, more: Partial<CheckRun> = {}) {
  const absolute = (values: readonly string[] = []) => values.map((one) => one.replace('=', `=${repository.path}/`));
  const globs = clusters.map((glob) => parseGlob(glob, `--clusters '${glob}'`, repository.path));
  const { cluster: named, state, deleted } = flags;
  const of = { cluster: absolute(named), state: absolute(state), deleted: absolute(deleted) };
  const { report, notes } = await runCheck(run({ clusters: clusterRequest([], of, globs), ...more }));
  return {
    lines: report.results.map(lineOf),
    errors: report.errors.map(({ file, message }) => within(`${file}: ${message}`)),
    notes: notes.map(within),
    ...(report.warnings && {
      warnings: report.warnings.map((one) => within(`${one.cluster} ${one.file}: ${one.message}`)),
    }),
  };
}
const ALL = { clusters: ['clusters/*'] };

describe('each cluster stands by itself', () => {
  test('objects of the same name are created in each, and distinct ids pass', async () => {
    put({ 'clusters/east/claims.yaml': member('one'), 'clusters/west/claims.yaml': member('two') });
    const passed = ['CREATE cluster.clusterset.k8s.io: allowed', 'CREATE clusterset.k8s.io: allowed'];
    const expected = { lines: [...passed, ...passed], errors: [], notes: [] };
    expect(await check(ALL)).toEqual(expected);
    const named = ['east=clusters/east', 'west=clusters/west/claims.yaml'];
    expect(await check({ cluster: named })).toEqual(expected);
  });

  test('gives warnings about its documents its name', async () => {
    const misspelled = (name: string) => yaml({ ...property(name, 'x'), kind: 'ClusterPropertie' });
    put({
      'clusters/east/a.yaml': misspelled('a.example.com'),
      'clusters/west/b.yaml': misspelled('b.example.com'),
    });
    const { warnings } = await check(ALL);
    const didYouMean = 'about.k8s.io has no kind "ClusterPropertie"; did you mean "ClusterProperty"?';
    expect(warnings).toEqual(
      ['east clusters/east/a.yaml', 'west clusters/west/b.yaml'].map((place) => `${place}: ${didYouMean}`),
    );
  });

  test('has a state and deletions of its own', async () => {
    const files = {
      'clusters/east/a.yaml': member('new'),
      'clusters/west/a.yaml': member('new'),
      'old.yaml': member('old'),
    };
    put(files);
    const changed = 'UPDATE cluster.clusterset.k8s.io: denied claim/id-immutable-in-clusterset(deny)';
    const kept = 'DELETE cluster.clusterset.k8s.io: denied claim/id-present-in-clusterset(deny)';
    const left = 'DELETE clusterset.k8s.io: allowed';
    const passed = ['CREATE cluster.clusterset.k8s.io: allowed', 'CREATE clusterset.k8s.io: allowed'];
    const given = await check({ ...ALL, state: ['west=old.yaml'] });
    expect(given.lines).toEqual([...passed, changed, 'UPDATE clusterset.k8s.io: allowed']);
    put({ 'clusters/east/a.yaml': yaml() });
    const gone = await check({ ...ALL, deleted: ['east=old.yaml'], state: ['east=old.yaml'] });
    expect(gone.lines).toEqual([kept, left, ...passed]);
  });

  test('reports files that lie in none, and skips them', async () => {
    put({ 'clusters/common.yaml': member('x'), 'clusters/east/a.yaml': yaml(claim('id.k8s.io', 'one')) });
    put({ 'clusters/east/b.txt': '', 'clusters/README.md': '', 'clusters/state.yaml': yaml() });
    const { lines, notes } = await check({ ...ALL, state: ['east=clusters/state.yaml'] });
    expect(lines).toEqual(['CREATE id.k8s.io: allowed']);
    expect(notes).toEqual(['note: 1 file is in no cluster and is skipped: clusters/common.yaml']);
  });

  test('can hold an object in several folders, which are applied in order', async () => {
    put({ 'clusters/east/a/x.yaml': member('one'), 'clusters/east/b/x.yaml': member('two') });
    const { lines, errors } = await check(ALL);
    expect(errors).toEqual([]);
    expect(lines).toContain('UPDATE cluster.clusterset.k8s.io: denied claim/id-immutable-in-clusterset(deny)');
  });

  test('a link to the folder of another cluster is none', async () => {
    put({ 'clusters/east/a.yaml': yaml(claim('id.k8s.io', 'one')) });
    symlinkSync('east', repository.at('clusters/west'));
    expect((await check(ALL)).lines).toEqual(['CREATE id.k8s.io: allowed']);
  });

  test('a link to any other folder is an error, unless the cluster is named', async () => {
    put({ 'clusters/east/a.yaml': '', 'store/west/a.yaml': yaml(claim('id.k8s.io', 'one')) });
    symlinkSync('../store/west', repository.at('clusters/west'));
    const fix = /\/clusters\/west: links to folders are not followed: .* --cluster 'west=\S+\/clusters\/west'$/;
    await expect(check(ALL)).rejects.toThrow(fix);
    const { lines } = await check({ ...ALL, cluster: ['west=clusters/west'] });
    expect(lines).toEqual(['CREATE id.k8s.io: allowed']);
  });
});

describe('--base-ref', () => {
  const base = { baseRef: 'HEAD' };
  const updated = ['UPDATE cluster.clusterset.k8s.io: allowed', 'UPDATE clusterset.k8s.io: allowed'];
  const created = ['CREATE cluster.clusterset.k8s.io: allowed', 'CREATE clusterset.k8s.io: allowed'];
  const deleted = [
    'DELETE clusterset.k8s.io: allowed',
    'DELETE cluster.clusterset.k8s.io: allowed claim/id-present(warn)',
  ];

  test('starts git as often for 20 clusters as for two', async () => {
    const bin = newFolder();
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    chmodSync(bin.put('git', `#!/bin/sh\necho . >> '${bin.path}/calls'\nexec '${real}' "$@"\n`), 0o755);
    const env = { PATH: `${bin.path}${delimiter}${process.env['PATH']}` };
    const calls = async (count: number) => {
      const names = Array.from({ length: count }, (_, index) => `clusters/c${index}/a.yaml`);
      for (const name of names) repository.put(name, yaml(property('a.example.com', '1')));
      repository.commit();
      for (const name of names)
        repository.put(name, yaml(property('a.example.com', '2'), property('b.example.com', '')));
      bin.put('calls', '');
      const ended = await muster(['check', '--clusters', 'clusters/*', '--base-ref', 'HEAD'], {
        cwd: repository.path,
        env,
      });
      expect(ended).toMatchObject({ code: 0, out: expect.stringContaining(`\n${2 * count} evaluated: `) });
      return readFileSync(join(bin.path, 'calls'), 'utf8').length;
    };
    const two = await calls(2);
    expect(two).toBeGreaterThan(3);
    expect(await calls(20)).toBe(two);
  });

  test('compares each cluster with itself, and deletes the objects of one whose folder is gone', async () => {
    put({
      'clusters/east/a.yaml': member('one'),
      'clusters/west/a.yaml': member('two'),
      'clusters/south/a.yaml': member('three'),
    });
    repository.commit();
    remove('clusters/west');
    put({ 'clusters/south/a.yaml': member('other'), 'clusters/north/a.yaml': member('four') });
    const { lines, errors } = await check(ALL, base);
    const changed = 'UPDATE cluster.clusterset.k8s.io: denied claim/id-immutable-in-clusterset(deny)';
    expect(lines).toEqual([...updated, ...created, changed, updated[1], ...deleted]);
    expect(errors).toEqual([]);
  });

  test('deletes the objects of all, if no folder matches any more', async () => {
    put({ 'clusters/east/a.yaml': member('one') });
    repository.commit();
    remove('clusters');
    expect((await check(ALL, base)).lines).toEqual(deleted);
    expect((await check({ cluster: ['east=clusters/east'] }, base)).lines).toEqual(deleted);
    await expect(check({ clusters: ['other/*'] }, base)).rejects.toThrow(
      'no folder matches, neither here nor at --base-ref',
    );
  });

  test('deletes them too if a folder that is no cluster keeps them, but not a single one that moved there', async () => {
    put({ 'clusters/east/a.yaml': yaml(cluster('a')), 'clusters/east/b.yaml': yaml(cluster('b')) });
    put({ 'clusters/west/a.yaml': yaml(cluster('a')) });
    repository.commit();
    put({ 'archive/x.yaml': '' });
    repository.git('mv', 'clusters/west', 'archive/west');
    repository.git('mv', 'clusters/east/b.yaml', 'archive/b.yaml');
    const { lines, notes } = await check(ALL, base);
    expect(lines).toEqual(['UPDATE a: allowed', 'DELETE a: allowed']);
    expect(notes).toEqual([expect.stringContaining('moved to archive/b.yaml')]);
  });

  test('knows a cluster that moved to the folder of another glob by its name', async () => {
    put({ 'old/east/a.yaml': member('one') });
    repository.commit();
    repository.git('mv', 'old', 'new');
    expect((await check({ clusters: ['old/*', 'new/*'] }, base)).lines).toEqual(updated);
  });

  test('an object that moves from one cluster to another is created there, and deleted here', async () => {
    put({ 'clusters/east/x.yaml': yaml(cluster('x')), 'clusters/west/y.yaml': yaml(cluster('y')) });
    repository.commit();
    repository.git('mv', 'clusters/east/x.yaml', 'clusters/west/x.yaml');
    put({ 'clusters/east/z.yaml': yaml(cluster('z')) });
    const { lines, notes } = await check(ALL, base);
    expect(lines).toEqual(['DELETE x: allowed', 'CREATE z: allowed', 'CREATE x: allowed', 'UPDATE y: allowed']);
    expect(notes).toEqual([]);
  });

  test('an object from a file in no cluster was known to each cluster that has it now', async () => {
    put({
      'base/x.yaml': yaml(cluster('x')),
      'clusters/east/a.yaml': yaml(cluster('a')),
      'clusters/west/a.yaml': yaml(cluster('a')),
    });
    repository.commit();
    put({ 'clusters/west/x.yaml': yaml(cluster('x')), 'clusters/east/x.yaml': yaml(cluster('x')) });
    remove('base');
    expect((await check(ALL, base)).lines).toEqual(Array(2).fill(['UPDATE a: allowed', 'UPDATE x: allowed']).flat());
  });

  test("what can't be read of one cluster leaves the others known", async () => {
    const joined = yaml(property('clusterset.k8s.io', 'fleet'));
    put({ 'clusters/east/a.yaml': joined, 'clusters/west/a.yaml': joined, 'clusters/west/b.yaml': 'a: [about.k8s.io' });
    repository.commit();
    put({ 'clusters/west/b.yaml': yaml(), 'clusters/east/b.yaml': yaml(cluster('b')) });
    const { notes } = await check(ALL, base);
    expect(notes).toEqual([expect.stringContaining('HEAD:clusters/west/b.yaml:1:4: note:')]);
  });

  test('--state of a cluster beats it there, also of one that is gone', async () => {
    put({
      'clusters/east/a.yaml': member('one'),
      'clusters/west/a.yaml': member('one'),
      'state.yaml': yaml(claim('a.example.com', '')),
    });
    repository.commit();
    remove('clusters/west');
    const { lines } = await check({ ...ALL, state: ['east=state.yaml', 'west=state.yaml'] }, base);
    expect(lines.slice(0, 2)).toEqual(created);
    expect(lines[2]).toMatch(/^DELETE clusterset/);
    await expect(check({ ...ALL, state: ['wst=state.yaml'] }, base)).rejects.toThrow(
      'no cluster is called "wst"; the clusters are east, west',
    );
  });
});

describe("clusters that can't be", () => {
  test.each<[title: string, flags: Flags, message: string]>([
    [
      'a glob without a match',
      { clusters: ['clusers/*'] },
      "--clusters 'clusers/*': no folder matches (a file is named",
    ],
    ['a glob that matches files only', { clusters: ['clusters/east/*'] }, 'no folder matches'],
    ['one name twice', { cluster: ['a=clusters/east', 'a=clusters/west'] }, 'two clusters are called "a": '],
    ['one name in two globs', { clusters: ['clusters/*', 'others/*'] }, 'two clusters are called "east": '],
    [
      'one folder twice',
      { cluster: ['a=clusters/east', 'b=clusters/east/'] },
      'the clusters "a" and "b" are the same path',
    ],
    [
      'one folder twice, by one name',
      { clusters: ['clusters/*', 'clusters/east'] },
      'the cluster "east" is named twice: clusters/east',
    ],
    [
      'one folder twice, by globs',
      { clusters: ['clusters/*', 'clusters/e*'] },
      'the clusters "east" and "ast" are the same',
    ],
    [
      'a folder in another',
      { cluster: ['a=clusters', 'b=clusters/east'] },
      'the cluster "b" (clusters/east) lies in "a" (clusters)',
    ],
    ['a folder in another, by globs', { clusters: ['*', 'clusters/*'] }, 'lies in "clusters" (clusters)'],
    [
      'a folder in another, by **',
      { clusters: ['**'] },
      'the cluster "clusters/east" (clusters/east) lies in "clusters"',
    ],
    ['a path that does not exist', { cluster: ['a=east'] }, 'east: no such file or folder'],
    [
      'state of an unknown cluster',
      { clusters: ['clusters/*'], state: ['est=a'] },
      '--state est=…: no cluster is called "est"',
    ],
    [
      'deletions of one',
      { cluster: ['a=clusters'], deleted: ['b=a'] },
      '--deleted b=…: no cluster is called "b"; the clusters are a',
    ],
  ])('%s', async (_, flags, message) => {
    put({ 'clusters/east/a.yaml': '', 'clusters/west/a.yaml': '', 'others/east/a.yaml': '' });
    await expect(check(flags).catch(({ message: text }) => within(text))).resolves.toContain(message);
  });

  test('a link to the folder of another', async () => {
    put({ 'clusters/east/a.yaml': '' });
    symlinkSync(repository.at('clusters/east'), join(repository.path, 'west'));
    await expect(check({ cluster: ['a=clusters/east', 'b=west'] })).rejects.toThrow('are the same path');
  });
});
