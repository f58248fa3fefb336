/** Charts and kustomizations at the revision of `--base-ref`: their parts are no objects there either. */
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { runCheck } from '../../../../src/cli/check/run.ts';
import { claim, lineOf, run, yaml } from '../../../support/cli-world.ts';
import { type GitFolder, newRepository } from './world.ts';

jest.setTimeout(60_000);

let repository: GitFolder;
beforeEach(() => {
  repository = newRepository();
});
afterEach(() => repository.remove());

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
const chart = { 'chart/Chart.yaml': 'apiVersion: v2\nname: chart\n', 'chart/templates/a.yaml': template };
const UNCHANGED = 'UPDATE id.k8s.io: allowed';

const cases: readonly (readonly [title: string, before: Files, after: Files, lines: readonly string[]])[] = [
  ['a template changes', { ...chart, 'a.yaml': id }, { 'chart/templates/a.yaml': `${template}# more\n` }, [UNCHANGED]],
  [
    'a template elsewhere in a chart changes',
    { ...chart, 'a.yaml': id, 'chart/b.yaml': template },
    { 'chart/b.yaml': `#\n${template}` },
    [UNCHANGED],
  ],
  [
    'a chart is removed',
    { ...chart, 'a.yaml': id },
    { 'chart/Chart.yaml': null, 'chart/templates/a.yaml': null },
    [UNCHANGED],
  ],
  [
    'a patch changes',
    { 'kustomization.yaml': 'resources: [a.yaml]\npatches: [{ path: x.yaml }]\n', 'a.yaml': id, 'x.yaml': x },
    { 'x.yaml': otherX },
    [UNCHANGED],
  ],
  [
    'a patch is removed',
    { 'kustomization.yaml': 'resources: [a.yaml]\npatches: [{ path: x.yaml }]\n', 'a.yaml': id, 'x.yaml': x },
    { 'kustomization.yaml': 'resources: [a.yaml]\n', 'x.yaml': null },
    [UNCHANGED],
  ],
  [
    'a manifest becomes a patch: its object is gone',
    { 'kustomization.yaml': 'resources: [a.yaml, x.yaml]\n', 'a.yaml': id, 'x.yaml': x },
    { 'kustomization.yaml': 'resources: [a.yaml]\npatches: [{ path: x.yaml }]\n' },
    ['DELETE x.example.com: allowed', UNCHANGED],
  ],
  [
    'the same by a kustomization that git does not track yet',
    { 'a.yaml': id, 'x.yaml': x },
    { 'kustomization.yaml': 'resources: [a.yaml]\npatches: [{ path: x.yaml }]\n' },
    ['DELETE x.example.com: allowed', UNCHANGED],
  ],
  [
    'a patch becomes a manifest: its object is new',
    { 'kustomization.yaml': 'resources: [a.yaml]\npatches: [{ path: x.yaml }]\n', 'a.yaml': id, 'x.yaml': x },
    { 'kustomization.yaml': 'resources: [a.yaml, x.yaml]\n' },
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
