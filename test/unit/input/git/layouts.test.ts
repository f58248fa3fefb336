/** Charts and kustomizations at the revision of `--base-ref`: their parts are no objects there either. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { runCheck } from '../../../../src/cli/check/run.ts';
import type { SourceFolder } from '../../../../src/input/layouts/layout.ts';
import { claim, lineOf, run, yaml } from '../../../support/command-line.ts';
import { type GitFolder, newRepository } from '../../../support/git.ts';

let repository: GitFolder;
beforeEach(() => {
  repository = newRepository();
});

/** Texts by file; null: no such file. */
type Files = Readonly<Record<string, string | null>>;

function put(files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    if (text === null) rmSync(repository.at(name));
    else repository.put(name, text);
  }
}

const id = yaml(claim('id.k8s.io', 'one'));
const x = yaml(claim('x.example.com', 'x'));
const otherX = yaml(claim('x.example.com', 'y'));
const template = 'apiVersion: {{ .Values.v }}\n';
const UNCHANGED = 'UPDATE id.k8s.io: allowed';
const CHART = { 'chart/Chart.yaml': 'apiVersion: v2\nname: chart\n', 'chart/templates/a.yaml': template, 'a.yaml': id };
const MANIFESTS = { 'a.yaml': id, 'x.yaml': x };
/** `a.yaml` and `x.yaml` are resources, or `x.yaml` is a patch. */
const BOTH = { 'kustomization.yaml': 'resources: [a.yaml, x.yaml]\n' };
const PATCH = { 'kustomization.yaml': 'resources: [a.yaml]\npatches: [{ path: x.yaml }]\n' };
const REMOVED = { 'kustomization.yaml': 'resources: [a.yaml]\n', 'x.yaml': null };
const GONE = ['DELETE x.example.com: allowed', UNCHANGED];

const cases: readonly (readonly [title: string, before: Files, after: Files, lines: readonly string[]])[] = [
  ['a template changes', CHART, { 'chart/templates/a.yaml': `${template}# more\n` }, [UNCHANGED]],
  [
    'a template elsewhere in a chart changes',
    { ...CHART, 'chart/b.yaml': template },
    { 'chart/b.yaml': `#\n${template}` },
    [UNCHANGED],
  ],
  ['a chart is removed', CHART, { 'chart/Chart.yaml': null, 'chart/templates/a.yaml': null }, [UNCHANGED]],
  ['a patch changes', { ...MANIFESTS, ...PATCH }, { 'x.yaml': otherX }, [UNCHANGED]],
  ['a patch is removed', { ...MANIFESTS, ...PATCH }, REMOVED, [UNCHANGED]],
  ['a manifest becomes a patch: its object is gone', { ...MANIFESTS, ...BOTH }, PATCH, GONE],
  ['the same by a kustomization that git does not track yet', MANIFESTS, PATCH, GONE],
  [
    'a patch becomes a manifest: its object is new',
    { ...MANIFESTS, ...PATCH },
    BOTH,
    [UNCHANGED, 'CREATE x.example.com: allowed'],
  ],
];

test.each(cases)('%s', async (_, before, after, expected) => {
  put(before);
  repository.commit();
  put(after);
  const { report, notes } = await runCheck(run({ paths: [repository.path], baseRef: 'HEAD' }));
  expect({ lines: report.results.map(lineOf), errors: report.errors }).toEqual({ lines: expected, errors: [] });
  expect(notes.filter((note) => !/not rendered|not evaluated/.test(note))).toEqual([]);
});

/** Renders the files that a kustomization in JSON lists, or the templates of a chart. */
const render = async ({ path }: SourceFolder) => {
  const isChart = existsSync(join(path, 'Chart.yaml'));
  const listed = () => JSON.parse(readFileSync(join(path, 'kustomization.yaml'), 'utf8')).resources as string[];
  const files = isChart ? ['templates/id.yaml', 'templates/x.yaml'] : listed();
  const texts = files.map((file) => join(path, file)).filter((file) => existsSync(file));
  return { text: texts.map((file) => readFileSync(file, 'utf8')).join('') };
};
const lists = (...resources: readonly string[]) => JSON.stringify({ resources });
const LISTED = { 'app/kustomization.yaml': lists('id.yaml', 'x.yaml'), 'app/id.yaml': id, 'app/x.yaml': x };
const UNLISTED = { 'app/kustomization.yaml': lists('x.yaml') };
const RENDERED_CHART = {
  'app/Chart.yaml': 'name: a\nversion: 1.0.0\n',
  'app/templates/id.yaml': id,
  'app/templates/x.yaml': x,
};
const KEPT = ['UPDATE x.example.com: allowed', UNCHANGED];
const DELETED = [
  'DELETE id.k8s.io: allowed claim/id-present(warn)',
  'UPDATE x.example.com: allowed',
  'CREATE id.k8s.io: allowed',
];
const unlisted = (file: string) =>
  `HEAD:app:2:1: note: ${file} has it, but no chart or kustomization around that file; so it counts as deleted`;

test.each<[title: string, before: Files, after: Files, lines: readonly string[], notes: readonly string[]]>([
  ['nothing changes', LISTED, {}, KEPT, []],
  ['a resource is taken off the list', LISTED, UNLISTED, DELETED, [unlisted('app/id.yaml')]],
  [
    'it is moved within the folder as well',
    LISTED,
    { ...UNLISTED, 'app/id.yaml': null, 'app/a/b.yaml': id },
    DELETED,
    [unlisted('app/a/b.yaml')],
  ],
  [
    'a base loses it',
    {
      ...LISTED,
      'app/kustomization.yaml': lists('../base/id.yaml', 'x.yaml'),
      'app/id.yaml': null,
      'base/kustomization.yaml': lists(),
      'base/id.yaml': id,
    },
    UNLISTED,
    DELETED,
    [unlisted('base/id.yaml')],
  ],
  [
    'it moves into another kustomization',
    LISTED,
    { ...UNLISTED, 'app/id.yaml': null, 'b/kustomization.yaml': lists('c.yaml'), 'b/c.yaml': id },
    KEPT,
    [],
  ],
  [
    'it moves into a folder that is applied by itself',
    LISTED,
    { ...UNLISTED, 'app/id.yaml': null, 'plain/id.yaml': id },
    KEPT,
    [],
  ],
  ['the kustomization is removed', LISTED, { 'app/kustomization.yaml': null }, KEPT, []],
  [
    'a template moves into another folder of its chart',
    RENDERED_CHART,
    { 'app/templates/id.yaml': null, 'app/files/id.yaml': id },
    DELETED,
    [unlisted('app/files/id.yaml')],
  ],
  ['a chart is taken apart', RENDERED_CHART, { 'app/Chart.yaml': null }, KEPT, []],
])('rendered: %s', async (_, before, after, lines, notes) => {
  put(Object.fromEntries(Object.entries(before).filter(([, text]) => text !== null)));
  repository.commit();
  put(after);
  const found = await runCheck(run({ paths: [repository.path], baseRef: 'HEAD', render }));
  expect(found.report.errors).toEqual([]);
  expect(found.report.results.map(lineOf).toSorted()).toEqual([...lines].toSorted());
  expect(found.notes.map((note) => note.replaceAll(`${repository.path}/`, ''))).toEqual(notes);
});

test('rendered: a kustomization that can not be read any more is still one, whose files nobody applies', async () => {
  put({ 'app/kustomization.yaml': lists('x.yaml'), 'app/x.yaml': x });
  repository.commit();
  put({ 'app/kustomization.yaml': 'resources: [\n' });
  const { report } = await runCheck(run({ paths: [repository.path], baseRef: 'HEAD', render }));
  expect(report.results.map(lineOf)).toEqual(['DELETE x.example.com: allowed', 'CREATE x.example.com: allowed']);
  expect(report.errors).toHaveLength(1);
});

test('rendered: charts and kustomizations that a sparse checkout omits are not deleted', async () => {
  put({ 'a.yaml': id, 'app/kustomization.yaml': lists('x.yaml'), 'app/x.yaml': x });
  put({ 'chart/Chart.yaml': 'name: a\nversion: 1.0.0\n', 'chart/templates/x.yaml': yaml(claim('y.example.com', 'y')) });
  repository.commit();
  repository.git('sparse-checkout', 'set', '--no-cone', '/a.yaml');
  const { report } = await runCheck(run({ paths: [repository.path], baseRef: 'HEAD', render }));
  expect({ lines: report.results.map(lineOf), errors: report.errors }).toEqual({ lines: [UNCHANGED], errors: [] });
});
