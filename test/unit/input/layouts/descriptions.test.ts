/**
 * The files that describe a layout, `kustomization.yaml` and `Chart.yaml`: how they are read, and what they may leave
 * out.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { runCheck } from '../../../../src/cli/check/run.ts';
import type { SourceFolder } from '../../../../src/input/layouts/layout.ts';
import { claim, run, yaml } from '../../../support/command-line.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';

let folder: Folder;
beforeEach(() => {
  folder = newFolder();
});

type Files = Readonly<Record<string, string>>;
const put = (files: Files) => Object.entries(files).map(([name, text]) => folder.put(name, text));

const named = (name: string) => yaml(claim(`${name}.example.com`, 'x'));
const bad = named('bad');

/** Returns the names of what was evaluated, in order, the errors, and the folders that were rendered. */
async function check(...paths: string[]) {
  const rendered: string[] = [];
  const render = async ({ type, name }: SourceFolder) => {
    rendered.push(`${type} ${relative(folder.path, name)}`);
    return { text: '' };
  };
  const all = paths.length > 0 ? paths : ['.'];
  const run1 = run({ paths: all.map((path) => join(folder.path, path)) });
  const { report } = await runCheck(run1);
  await runCheck({ ...run1, render });
  return {
    evaluated: report.results.map(({ name }) => name.replace('.example.com', '')),
    errors: report.errors.map(({ file, line, message }) => `${relative(folder.path, file ?? '')}:${line}: ${message}`),
    rendered,
  };
}

describe('the documents of a description', () => {
  test.each([
    ['kustomization.yaml', 'resources: []\n'],
    ['kustomization.yaml', '# only a comment\n---\nresources: []\n'],
    ['Kustomization', 'patches: [{ path: p.yaml }]\n'],
    ['Chart.yaml', 'apiVersion: v2\nname: a\nversion: 1.0.0\n'],
  ])('%s: those after the first are read as any other', async (name, text) => {
    put({ [name]: `${text}---\n${bad}` });
    expect(await check()).toMatchObject({ evaluated: ['bad'], errors: [] });
    put({ [name]: `${text}---\napiVersion: multicluster.x-k8s.io/v1alpha1\n` });
    expect((await check()).errors).toEqual([`${name}:${text.split('\n').length + 1}: the object has no kind`]);
  });

  test.each([
    ['kustomization.yaml', 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n'],
    ['Chart.yaml', 'apiVersion: v2\nkind: List\nname: a\nversion: 1.0.0\n'],
  ])('%s: objects in the first, which kubectl would find as items, are read', async (name, text) => {
    put({ [name]: `${text}items: [${JSON.stringify(claim('bad.example.com', 'x'))}]\n` });
    expect((await check()).evaluated).toEqual(['bad']);
  });

  test.each([
    ['kustomization.yaml', 'resources: [\n', /^kustomization.yaml:\d: no closing/],
    ['Chart.yaml', 'name: [\n', /^Chart.yaml:\d: no closing/],
    [
      'kustomization.yaml',
      `resources: []\n#${'x'.repeat(4 * 2 ** 20)}`,
      /^kustomization.yaml:1: it is larger than 4 MiB/,
    ],
    ['Chart.yaml', `name: a\n#${'x'.repeat(4 * 2 ** 20)}`, /^Chart.yaml:1: it is larger than 4 MiB/],
    [
      'kustomization.yaml',
      'resources: []\nResources: [a.yaml]\n',
      /^kustomization.yaml:2: the keys "resources" and "Re/,
    ],
    [
      'kustomization.yaml',
      'patches: [{ path: a, Path: b }]\n',
      /^kustomization.yaml:1: the keys "path" and "Path" differ/,
    ],
    ['kustomization.yaml', 'apiVersion: v1\nApiVersion: kustomize.config.k8s.io/v1\n', /"apiVersion" and "ApiVersion"/],
    ['Chart.yaml', 'name: a\ntype: library\nType: application\n', /^Chart.yaml:3: the keys "type" and "Type" differ/],
  ])('%s: what is not clear in it is one error: %j', async (name, text, message) => {
    put({ [name]: text });
    expect((await check()).errors).toEqual([expect.stringMatching(message)]);
  });

  test.each([
    ['kustomization.yaml', 'commonAnnotations: { Owner: a, owner: b }\nlabels: [{ pairs: { App: a, app: b } }]\n'],
    ['Chart.yaml', 'name: a\nversion: 1.0.0\nannotations: { Owner: a, owner: b }\n'],
  ])('%s: keys of labels and annotations are no fields', async (name, text) => {
    put({ [name]: text });
    expect((await check()).errors).toEqual([]);
  });

  test('a second file of such a name may hold an object', async () => {
    put({ 'kustomization.yaml': 'resources: []\n', 'kustomization.yml': bad });
    expect(await check()).toMatchObject({ evaluated: ['bad'], errors: [] });
  });

  test.each(['resources: []', bad, '['])(
    'a second kustomization is an error, as for kustomize, beside %j',
    async (text) => {
      put({ 'kustomization.yaml': text, 'kustomization.yml': 'resources: []\n' });
      expect((await check()).errors).toContainEqual(
        expect.stringMatching(/which has kustomization.yaml too: remove one/),
      );
    },
  );
});

describe('what a kustomization leaves out', () => {
  test.each([
    'patches: [{ path: ../b/bad.yaml }]',
    'crds: [../b/bad.yaml]',
    'components: [../b/bad.yaml]',
    'configMapGenerator: [{ name: c, files: [../b/bad.yaml] }]',
    'transformers: [../b]',
    'components: [../b]',
  ])('nothing in other folders: %s', async (text) => {
    put({ 'a/kustomization.yaml': `${text}\n`, 'b/bad.yaml': bad, 'b/kustomization.yaml': 'resources: [bad.yaml]\n' });
    expect((await check()).evaluated).toEqual(['bad']);
    put({ 'b/kustomization.yaml': '' });
    expect((await check()).evaluated).toEqual(['bad']);
  });

  test('what a component in another folder lists is a part of that component', async () => {
    put({ 'a/kustomization.yaml': 'components: [../b]\n', 'b/part.yaml': bad });
    put({ 'b/kustomization.yaml': 'kind: Component\nresources: [part.yaml]\n' });
    expect((await check()).evaluated).toEqual([]);
  });

  test('a folder that is a link: what its kustomization lists is relative to the real folder', async () => {
    put({
      'real/kustomization.yaml': 'kind: Component\nresources: [x.yaml]\n',
      'real/x.yaml': bad,
      'x.yaml': named('x'),
    });
    put({ 'a/kustomization.yaml': 'components: [link]\n' });
    symlinkSync('../real', join(folder.path, 'a/link'));
    expect(await check()).toMatchObject({ evaluated: ['x'], rendered: ['kustomization a'] });
  });
});

describe('which descriptions are read', () => {
  let outside: Folder;
  beforeEach(() => {
    outside = newFolder();
    put({ 'named/x.yaml': bad, 'named/templates/y.yaml': named('y') });
  });

  test.each([
    ['kustomization.yaml', 'patches: [{ path: x.yaml }, { path: templates/y.yaml }]\n'],
    ['Chart.yaml', 'name: a\n'],
  ])('%s: not through a link that leaves the repository', async (name, text) => {
    mkdirSync(join(folder.path, '.git'));
    symlinkSync(outside.put(name, text), join(folder.path, 'named', name));
    const { evaluated, errors } = await check();
    expect({ evaluated, errors }).toEqual({
      evaluated: ['y', 'bad'],
      errors: [`named/${name}:1: is a link that leads out of the named paths: name its target too, or remove it`],
    });
  });

  test('through a link within the repository', async () => {
    mkdirSync(join(folder.path, '.git'));
    symlinkSync(
      folder.put('real.yaml', 'patches: [{ path: x.yaml }]\n'),
      join(folder.path, 'named/kustomization.yaml'),
    );
    expect((await check()).evaluated).toEqual(['y']);
  });

  test.each(['kustomization.yaml', 'Chart.yaml'])('%s: no pipe, which would never end', async (name) => {
    execFileSync('mkfifo', [join(folder.path, 'named', name)]);
    const { evaluated, errors } = await check();
    expect(evaluated).toEqual(['y', 'bad']);
    expect(errors).toEqual([`named/${name}:1: is neither a file nor a folder`]);
  });
});

describe('what is rendered', () => {
  const app = { 'app/kustomization.yaml': 'resources: [x.yaml]\n', 'app/x.yaml': bad };

  test.each<[title: string, files: Files, rendered: readonly string[]]>([
    ['a kustomization', app, ['kustomization app']],
    ['a component that nothing lists', { 'c/kustomization.yaml': 'kind: Component\n' }, ['component c']],
    [
      'not a component that a kustomization of the run lists',
      { 'c/kustomization.yaml': 'kind: Component\n', 'a/kustomization.yaml': 'components: [../c]\n' },
      ['kustomization a'],
    ],
    ['a chart with a kind', { 'c/Chart.yaml': 'kind: Chart\nname: c\nversion: 1.0.0\n' }, ['chart c']],
    ['not an object in a file with that name', { 'c/Chart.yaml': 'apiVersion: example.com/v1\nkind: Chart\n' }, []],
    ['not a library', { 'c/Chart.yaml': 'name: c\nversion: 1.0.0\ntype: library\n' }, []],
  ])('%s', async (_, files, rendered) => {
    put(files);
    expect((await check()).rendered).toEqual(rendered);
  });

  test('a kustomization that only one outside of the run lists', async () => {
    mkdirSync(join(folder.path, '.git'));
    put({ ...app, 'kustomization.yaml': 'resources: [app]\n' });
    expect((await check('app')).rendered).toEqual(['kustomization app']);
  });

  test('documents after the description are evaluated too', async () => {
    put({ ...app, 'app/kustomization.yaml': `resources: [x.yaml]\n---\n${named('second')}` });
    const render = async () => ({ text: '' });
    const { report } = await runCheck(run({ paths: [folder.path], render }));
    expect(report.results.map(({ name }) => name)).toEqual(['second.example.com']);
  });
});

describe('the files of a chart', () => {
  test('CRDs are manifests, also those whose names look like values, and those of the charts in it', async () => {
    const crds = ['crds/values.yaml', 'crds/values-a.yaml', 'charts/b/crds/b-values.yaml'];
    put({ 'Chart.yaml': 'name: a\n', 'charts/b/Chart.yaml': 'name: b\n' });
    for (const [index, name] of crds.entries()) put({ [name]: named(`crd-${index}`) });
    put({ 'values.yaml': bad, 'ci/values.yaml': bad, 'charts/b/values.yaml': bad });
    expect((await check()).evaluated.toSorted()).toEqual(['crd-0', 'crd-1', 'crd-2']);
  });
});
