/** Charts and kustomizations at the revision of `--base-ref`: their parts are no objects there either. */
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { runCheck } from '../../../../src/cli/check/run.ts';
import { claim, lineOf, run, yaml } from '../../../support/command-line.ts';
import { type GitFolder, newRepository } from './fixtures.ts';

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
