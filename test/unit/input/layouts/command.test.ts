/** What the command line writes about layouts, and the ways in which a state and deletions meet them. */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { runCheck } from '../../../../src/cli/check/run.ts';
import { claim, lineOf, muster, run, yaml } from '../../../support/command-line.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';
import { musterHere } from '../../../support/in-process.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

describe('the command line', () => {
  test('notes go to standard error, and with -v each skipped file with its reason', async () => {
    const cwd = `${HERE}kustomize-overlays/overlays/east`;
    const ours = "not evaluated, though it may hold objects of muster's kinds";
    const changes = `kustomization.yaml:1:1: note: ${ours}: it may change objects in the files that it lists\n`;
    const part = `${ours}: the kustomization in . lists it as patches`;
    const rendering = '.: note: a kustomization, not rendered: kustomize build . | muster check -, or --render';
    const outside = `../../base/claims.yaml:1:1: note: ${ours}: a kustomization lists it as resources\n`;
    const note = `${rendering}\n${outside}${changes}id.yaml:1:1: note: ${part}\n`;
    const quiet = await musterHere(['check', '.'], { cwd });
    expect(quiet).toEqual({
      code: 0,
      err: note,
      out: '0 evaluated: 0 allowed, 0 denied, 0 indeterminate; 0 warnings, 2 skipped, 3 unevaluated, 0 errors\n',
    });
    const verbose = await musterHere(['check', '.', '-v'], { cwd });
    expect(verbose.err.split('\n')).toEqual([
      'id.yaml:1:1: note: skipped: the kustomization in . lists it as patches',
      'kustomization.yaml:1:1: note: skipped: it says how to build a kustomization',
      ...note.trimEnd().split('\n'),
      '',
    ]);
    expect(verbose.out).toBe(quiet.out);
  });

  test('--render without a program: its name, and exit code 2', async () => {
    const { code, err } = await muster(['check', '.', '--render'], {
      cwd: `${HERE}helm-chart`,
      env: { PATH: '/none' },
    });
    const message = "can't render it: helm is not on the PATH: install it, or check without --render";
    expect({ code, err }).toEqual({ code: 2, err: `fleet:1:1: error: ${message}\n` });
  });
});

test('--render names a temporary folder that can not be written', async () => {
  const { code, err } = await muster(['check', 'helm-chart', 'kustomize-overlays', '--render'], {
    cwd: HERE,
    env: { TMPDIR: '/none' },
  });
  const message = "the temporary folder /none can't be written: no such file or folder";
  expect({ code, err }).toEqual({ code: 2, err: `error: ${message}\n` });
});

describe('other paths', () => {
  let folder: Folder;
  beforeEach(() => {
    folder = newFolder();
    // Layout files beside a file that is named alone count in a repository.
    folder.put('.git/HEAD', '');
    folder.put('kustomization.yaml', 'resources: [a.yaml]\npatches: [{ path: b.yaml }]\n');
    folder.put('a.yaml', yaml(claim('id.k8s.io', 'one')));
    folder.put('b.yaml', yaml(claim('x.example.com', 'x')));
  });

  const check = async (paths: Parameters<typeof run>[0]) => {
    const { report } = await runCheck(run(paths));
    return { lines: report.results.map(lineOf), errors: report.errors.map(({ message }) => message) };
  };

  test.each([
    ['itself', { 'kustomization.yaml': 'resources: [., a.yaml]\n' }],
    [
      'another that refers to it',
      { 'kustomization.yaml': 'resources: [sub, a.yaml]\n', 'sub/kustomization.yaml': 'resources: [..]\n' },
    ],
  ])('a kustomization that refers to %s is rendered, so that the program refuses it', async (_, files) => {
    for (const [name, text] of Object.entries(files)) folder.put(name, text);
    const { report } = await runCheck(run({ paths: [folder.path] }));
    expect(report.notes?.map(({ message }) => message)[0]).toContain('a kustomization, not rendered');
  });

  test('--state: a patch is no object that exists', async () => {
    const documents = yaml(claim('id.k8s.io', 'one'), claim('x.example.com', 'x'));
    const state = { paths: ['-'], stdin: async () => Buffer.from(documents), state: [folder.path] };
    expect((await check(state)).lines).toEqual(['UPDATE id.k8s.io: allowed', 'CREATE x.example.com: allowed']);
  });

  test('--state of nothing but parts is no empty cluster', async () => {
    const { errors } = await check({ paths: [`${folder.path}/a.yaml`], state: [`${folder.path}/b.yaml`] });
    expect(errors).toEqual(['this state holds no Kubernetes object']);
  });

  test('a kustomization above the named paths counts within the same repository only', async () => {
    folder.put('inner/b.yaml', yaml(claim('b.example.com', '')));
    folder.put('kustomization.yaml', 'patches: [{ path: inner/b.yaml }]\n');
    const paths = [`${folder.path}/inner`];
    const skippedIn = async () => (await runCheck(run({ paths }))).report.summary.skipped;
    expect(await skippedIn()).toBe(1);
    rmSync(`${folder.path}/.git`, { recursive: true });
    expect(await skippedIn()).toBe(0);
    folder.put('inner/.git/HEAD', '');
    folder.put('.git/HEAD', '');
    expect(await skippedIn()).toBe(0);
  });

  test('--deleted: a patch is no object to delete', async () => {
    expect((await check({ deleted: [folder.path] })).lines).toHaveLength(1);
  });

  test('a file that one kustomization patches with and another lists as a resource is an object', async () => {
    folder.put('other/kustomization.yaml', 'resources: [../b.yaml]\n');
    expect((await check({ paths: [folder.path] })).lines).toHaveLength(2);
  });

  test('a kustomization that can not be read is an error with its place', async () => {
    folder.put('kustomization.yaml', 'patches: [\n');
    const { errors, lines } = await check({ paths: [folder.path] });
    expect(errors).toHaveLength(1);
    expect(lines).toHaveLength(2);
  });

  test('a long chain of kustomizations, and a circle, end', async () => {
    for (let depth = 0; depth < 20_000; depth += 1000) {
      folder.put(`chain/${depth}/kustomization.yaml`, `resources: [../${depth + 1000}]\n`);
    }
    folder.put('circle/kustomization.yaml', 'resources: [../circle]\ncomponents: [.]\n');
    expect((await check({ paths: [folder.path] })).errors).toEqual([]);
  });

  test('an apiVersion without a kind is an error, in a chart and in a patch it is none', async () => {
    folder.put('c.yaml', 'apiVersion: about.k8s.io/v1\n');
    folder.put('chart/Chart.yaml', 'apiVersion: v2\nname: chart\n');
    folder.put('chart/values.yaml', 'apiVersion: v1\n');
    folder.put('b.yaml', 'kind: Deployment\n');
    expect((await check({ paths: [folder.path] })).errors).toEqual(['the object has no kind']);
  });
});
