/**
 * Parts of charts and kustomizations that name a kind of muster and are not evaluated: they are counted, noted, and can
 * fail a run.
 */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { runCheck } from '../../../../src/cli/check/run.ts';
import { clusterRequest } from '../../../../src/input/clusters/request.ts';
import type { SourceFolder } from '../../../../src/input/layouts/layout.ts';
import { renderGithub } from '../../../../src/report/github.ts';
import { exitCodeOf } from '../../../../src/report/report.ts';
import { claim, run, yaml } from '../../../support/command-line.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';

let folder: Folder;
beforeEach(() => {
  folder = newFolder();
  mkdirSync(join(folder.path, '.git'));
});

const bad = `# a comment\n${JSON.stringify(claim('bad.example.com', 'x'))}\n`;
const other = 'apiVersion: v1\nkind: ConfigMap\n';
const crd = `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: { group: about.k8s.io }\n`;
const chart = { 'Chart.yaml': 'name: a\nversion: 1.0.0\n' };
const OURS = "not evaluated, though it may hold objects of muster's kinds";

type Files = Readonly<Record<string, string>>;

const short = (note: string) => note.replaceAll(`${folder.path}/`, '').replaceAll(folder.path, '.');

async function check(files: Files, options: Partial<Parameters<typeof run>[0]> = {}) {
  for (const [name, text] of Object.entries(files)) folder.put(name, text);
  const { report, notes } = await runCheck(run({ paths: [folder.path], ...options }));
  return { report, notes: notes.map(short).filter((note) => note.includes(OURS)) };
}

const listed = (field: string) => `the kustomization in . lists it as ${field}`;

test('templates behind links, and those of subcharts, but no notes for the user', async () => {
  folder.put('other/b.txt', bad);
  folder.put('c/templates/NOTES.txt', bad);
  symlinkSync('../../other/b.txt', join(folder.path, 'c/templates/a.txt'));
  symlinkSync('../../other', join(folder.path, 'c/templates/o'));
  for (const name of ['circle', 'ring']) symlinkSync('..', join(folder.path, 'c/templates', name));
  symlinkSync('self', join(folder.path, 'c/templates/self'));
  symlinkSync('/', join(folder.path, 'c/templates/outside'));
  const found = await check({ 'c/Chart.yaml': chart['Chart.yaml'], 'c/charts/s/templates/c.txt': bad });
  const part = `note: ${OURS}: it is a template of the Helm chart c`;
  expect(found.notes.toSorted()).toEqual([
    `c/charts/s/templates/c.txt:2:1: ${part}`,
    `c/templates/a.txt:2:1: ${part}`,
    `c/templates/o/b.txt:2:1: ${part}`,
  ]);
});

test('a lone carriage return ends a line, too', async () => {
  const { report, notes } = await check({
    ...{ 'c/Chart.yaml': chart['Chart.yaml'], 'c/templates/a.txt': bad.replaceAll('\n', '\r') },
    'k/kustomization.yaml': `resources: []\r\r\r\n---\n${bad}`,
  });
  expect(notes).toEqual([`c/templates/a.txt:2:1: note: ${OURS}: it is a template of the Helm chart c`]);
  expect(report.summary).toMatchObject({ evaluated: 1, unevaluated: 1 });
});

const READS = '{{ .Files.Get "files/claim.txt" }}';

test.each<[title: string, template: string, notes: readonly string[]]>([
  ['those that a template reads', READS, ['c/charts/s/data/a.tpl', 'c/files/claim.txt']],
  ['none, if no template reads files', '{{ .Values.a }}', []],
])('files of a chart outside of templates/: %s', async (_, template, files) => {
  const { notes } = await check({
    'c/Chart.yaml': chart['Chart.yaml'],
    'c/README.md': bad,
    'c/templates/a.yaml': template,
    'c/files/claim.txt': bad,
    'c/files/other.txt': other,
    'c/charts/s/data/a.tpl': bad,
  });
  const part = `note: ${OURS}: a template of the Helm chart c may read it by .Files`;
  expect(notes.toSorted()).toEqual(files.map((file) => `${file}:2:1: ${part}`));
});

test('a resource that is a link to itself or to a file outside of the repository is not read', async () => {
  symlinkSync('self', join(folder.path, 'self'));
  symlinkSync('/proc/self/maps', join(folder.path, 'outside'));
  expect((await check({ 'kustomization.yaml': 'resources: [self, outside]\n' })).notes).toEqual([]);
});

test.each<[title: string, files: Files, notes: readonly string[]]>([
  [
    'a patch',
    { 'kustomization.yaml': 'patches: [{ path: p.yaml }, { path: o.yaml }]\n', 'p.yaml': bad, 'o.yaml': other },
    [`p.yaml:2:1: note: ${OURS}: ${listed('patches')}`],
  ],
  [
    'a crds entry that spells the name by an escape',
    { 'kustomization.yaml': 'crds: [c.yaml]\n', 'c.yaml': 'kind: "Cluster\\x43laim"\n' },
    [`c.yaml:1:1: note: ${OURS}: ${listed('crds')}`],
  ],
  [
    'an inline patch; documents after the description are evaluated',
    {
      'kustomization.yaml': `patches:\n- target: { group: about.k8s.io }\n---\n${bad}`,
    },
    [`kustomization.yaml:2:1: note: ${OURS}: it says how to build a kustomization`],
  ],
  ['no description of which only a later document does', { 'kustomization.yaml': `resources: []\n---\n${bad}` }, []],
  [
    'a resource of a component',
    { 'kustomization.yaml': 'kind: Component\nresources: [r.yaml]\n', 'r.yaml': bad },
    [`r.yaml:2:1: note: ${OURS}: ${listed('resources')}`],
  ],
  [
    'a resource that a walk does not find',
    { 'kustomization.yaml': 'resources: [r.txt]\n', 'r.txt': bad },
    [`r.txt:2:1: note: ${OURS}: a kustomization lists it as resources`],
  ],
  [
    'a resource that a walk does not find in another folder, but no data there, and no resource that a walk finds',
    {
      'a/kustomization.yaml': 'resources: [../b/r.txt, ../b/r.yaml]\nconfigMapGenerator: [{ files: [../b/d.txt] }]\n',
      ...{ 'b/r.txt': bad, 'b/r.yaml': bad, 'b/d.txt': bad },
    },
    [`b/r.txt:2:1: note: ${OURS}: a kustomization lists it as resources`],
  ],
  [
    'objects in crds/ that a walk does not find, also of the charts in it',
    {
      ...{ ...chart, 'crds/a.YAML': bad, 'crds/b.yaml': bad, 'crds/c.YML': crd, 'crds/d.txt': bad },
      'charts/s/crds/node_modules/e.json': bad,
    },
    [
      `crds/a.YAML:2:1: note: ${OURS}: it is in crds/ of the Helm chart .`,
      `charts/s/crds/node_modules/e.json:2:1: note: ${OURS}: it is in crds/ of the Helm chart .`,
    ],
  ],
  [
    'templates, whatever their names, and files with template actions',
    { ...chart, 'templates/a.yaml': bad, 'templates/b.txt': bad, 'templates/c.yaml': other, 'd.yaml': `${bad}# {{\n` },
    [
      `templates/b.txt:2:1: note: ${OURS}: it is a template of the Helm chart .`,
      `d.yaml:2:1: note: ${OURS}: it is a template in a Helm chart`,
      `templates/a.yaml:2:1: note: ${OURS}: it is a template of the Helm chart .`,
    ],
  ],
  ...[
    ['patches', '{ path: /p, target: { name: id.k8s.io } }', true],
    ['patches', '{ patch: "[]", target: { kind: ClusterC.* } }', true],
    ['patchesJson6902', '{ patch: "[]", target: { kind: ClusterClaim } }', true],
    ['patches', '{ patch: "[]", target: { kind: Deployment } }', false],
    ['patches', '"a: b\\n"', false],
    ['replacements', '{ targets: [{ select: { name: id.k8s.io } }] }', true],
    ['replacements', '{ targets: [{ select: { kind: Deployment } }] }', false],
    ['replacements', '{ path: o.yaml }', true],
    ['transformers', 'o.yaml', true],
    ['generators', 'o.yaml', false],
    ['labels', '{ pairs: { x-k8s.io/cluster-manager: depot } }', true],
    ['labels', '{ pairs: { app: a } }', false],
    ['labels', '{ pairs: { value: b }, fields: [{ path: spec }] }', true],
    ['labels', '{ pairs: { value: b }, fields: [{ path: spec, kind: ClusterClaim }] }', true],
    ['labels', '{ pairs: { app: a }, fields: [{ path: spec, kind: Deployment }] }', false],
    ['configurations', 'o.yaml', true],
    ['crds', 'o.yaml', true],
  ].flatMap(([field, entry, isNoted]): [string, Files, string[]][] => {
    const kustomization = `resources: [base]\n${field}: [${entry}]\n${yaml(claim('a.example.com', 'x'))}`;
    const base = { 'base/kustomization.yaml': 'resources: [r.yaml]\n', 'o.yaml': other };
    const note = `kustomization.yaml:1:1: note: ${OURS}: it may change objects in the files that it lists`;
    return [
      [
        `${field} ${entry} with a resource of muster's kinds`,
        { ...base, 'kustomization.yaml': kustomization, 'base/r.yaml': bad },
        isNoted ? [note] : [],
      ],
      [`${field} ${entry} without`, { ...base, 'kustomization.yaml': kustomization, 'base/r.yaml': crd }, []],
    ];
  }),
])('%s', async (_, files, notes) => {
  const found = await check(files);
  expect(found.notes).toEqual(notes);
  expect(found.report.summary.unevaluated).toBe(notes.length);
  expect([exitCodeOf(found.report, 'denied'), exitCodeOf(found.report, 'indeterminate')]).toEqual([
    0,
    notes.length > 0 ? 1 : 0,
  ]);
});

test.each([
  ['commonLabels: { x-k8s.io/cluster-manager: depot }', 1],
  ['commonLabels: { app: a }', 0],
  ['commonAnnotations: { config.kubernetes.io/local-config: "true" }', 1],
  ['commonAnnotations: { app: a }', 0],
  ['namePrefix: a.', 1],
  ['nameSuffix: .k8s.io', 1],
  ['namespace: fleet', 0],
])('%s may change the objects that are listed', async (field, unevaluated) => {
  const { report } = await check({ 'kustomization.yaml': `resources: [r.yaml]\n${field}\n`, 'r.yaml': bad });
  expect(report.summary.unevaluated).toBe(unevaluated);
});

test.each([
  ['fleet', 'shop', 1],
  ['fleet', undefined, 1],
  ['fleet', 'fleet', 0],
  ['""', 'shop', 0],
])('a kustomization with namespace: %s may change an object in %s', async (namespace, own, unevaluated) => {
  const exported = {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ServiceExport',
    metadata: { name: 'web', ...(own !== undefined && { namespace: own }) },
  };
  const kustomization = `resources: [r.yaml]\nnamespace: ${namespace}\n`;
  const { report } = await check({ 'kustomization.yaml': kustomization, 'r.yaml': JSON.stringify(exported) });
  expect(report.summary.unevaluated).toBe(unevaluated);
});

test.each([
  ['an object of muster’s kinds', 'resources: [../base]', bad, 1],
  ['one that can not be read', 'resources: [../base]', '# about.k8s.io\na: [\n', 1],
  ['a CRD of them', 'resources: [../base]', crd, 0],
  ['a patch of one', 'patches: [{ path: ../base/r.yaml }]', bad, 1],
  ['data', 'crds: [../base/r.yaml]', bad, 0],
])('what a kustomization applies of files outside of the paths: %s', async (_, field, text, unevaluated) => {
  const files = { 'base/kustomization.yaml': 'resources: [r.yaml]\n', 'base/r.yaml': text };
  const paths = [join(folder.path, 'overlay')];
  const { report } = await check({ ...files, 'overlay/kustomization.yaml': `${field}\n` }, { paths });
  expect(report.summary).toMatchObject({ evaluated: 0, unevaluated, errors: 0 });
  const named = await check({}, { paths: [...paths, join(folder.path, 'base')] });
  expect(named.report.notes?.some(({ message }) => message.includes('a kustomization lists it'))).toBe(false);
});

test.each([
  ['that changes a listed object', 'patches: [{ patch: "[]", target: { name: bad.example.com } }]', 1],
  ['that names its kind', 'patches: [{ patch: "[]", target: { group: about.k8s.io } }]', 1],
  ['that patches one', `patches: ['{ apiVersion: about.k8s.io/v1, kind: ClusterProperty }']`, 1],
  ['that changes other objects', 'patches: [{ patch: "[]", target: { kind: Deployment } }]', 0],
])('a component outside of the paths %s', async (_, field, unevaluated) => {
  const component = `kind: Component\n${field}\n`;
  const east = { 'east/kustomization.yaml': 'resources: [r.yaml]\ncomponents: [../part]\n', 'east/r.yaml': bad };
  const paths = [join(folder.path, 'east')];
  const { report, notes } = await check({ ...east, 'part/kustomization.yaml': component }, { paths });
  expect(report.summary).toMatchObject({ evaluated: 1, unevaluated, errors: 0 });
  const note = `part/kustomization.yaml:1:1: note: ${OURS}: it may change objects in the files that it lists`;
  expect(notes).toEqual(unevaluated > 0 ? [note] : []);
});

test('on GitHub, what is not rendered or evaluated is a notice at its place', async () => {
  const { report } = await check({ ...chart, 'templates/a.yaml': bad });
  const context = { command: 'muster check', failOn: 'denied', exitCode: 0, root: folder.path } as const;
  const notices = [...renderGithub(report, context)].filter((line) => line.startsWith('::notice '));
  expect(notices).toEqual([
    expect.stringMatching(/^::notice title=muster,file=[^,]+,line=1,col=1::a Helm chart, not rendered: /),
    `::notice title=muster,file=templates/a.yaml,line=2,col=1::${OURS}: it is a template of the Helm chart ${folder.path}\n`,
  ]);
});

test('none where the folder is rendered, nor of --state', async () => {
  const files = { ...chart, 'templates/a.yaml': bad, 'values.yaml': 'group: about.k8s.io\n' };
  const render = async ({ path }: SourceFolder) => ({ text: readFileSync(join(path, 'templates/a.yaml'), 'utf8') });
  expect((await check(files, { render })).report.summary).toMatchObject({ evaluated: 1, unevaluated: 0 });
  const plain = newFolder();
  const paths = [dirname(plain.put('a.yaml', other))];
  expect((await check(files, { paths, state: [folder.path] })).report.summary.unevaluated).toBe(0);
});

const aTemplate = 'it is a template of the Helm chart .';
const lacks = 'and the rendering lacks such an object';
const LOCAL = '"annotations":{"config.kubernetes.io/local-config":"true"}';
const withValue = (value: string) => yaml(claim('id.k8s.io', value));

test.each<[title: string, files: Files, rendering: string, notes: readonly string[]]>([
  [
    'values that Helm does not read, in any folder of the chart',
    { ...chart, 'a/b/id-values.yaml': bad },
    '',
    [`a/b/id-values.yaml:2:1: note: ${OURS}: it is values of the Helm chart .`],
  ],
  [
    'values that Helm reads, if they are a manifest',
    { ...chart, 'values.yaml': bad },
    '',
    [`values.yaml:2:1: note: ${OURS}: it is values of the Helm chart ., ${lacks}`],
  ],
  [
    'a template of a library in the folder of another chart',
    { ...chart, 'a/Chart.yaml': `${chart['Chart.yaml']}type: library\n`, 'a/templates/a.yaml': '# about.k8s.io {{\n' },
    '',
    [`a/templates/a.yaml:1:1: note: ${OURS}: it is a template of the Helm chart a`],
  ],
  [
    'a template that Helm leaves out, though another one has an object of that name',
    { ...chart, 'templates/a.yaml': withValue('good'), 'templates/b.yaml': `# {{ if false }}\n${withValue('Bad')}` },
    withValue('good'),
    [`templates/b.yaml:3:1: note: ${OURS}: ${aTemplate}, ${lacks}`],
  ],
  [
    'a template with actions in texts that the rendering does not fit',
    { ...chart, 'templates/a.yaml': withValue('b{{ .Values.id }}') },
    withValue('a'),
    [`templates/a.yaml:2:1: note: ${OURS}: ${aTemplate}, ${lacks}`],
  ],
  ['one that it fits', { ...chart, 'templates/a.yaml': withValue('b{{ .Values.id }}') }, withValue('bad'), []],
  [
    'one that kubectl can not read is left out',
    { ...chart, 'templates/a.yaml': `{{- if .Values.id }}\n---\n${bad}---\n{{- end }}\n` },
    '',
    [],
  ],
  [
    'what kubectl reads before an error',
    { ...chart, 'templates/a.yaml': `${bad}---\n{{- if .Values.id }}\n` },
    '',
    [`templates/a.yaml:2:1: note: ${OURS}: ${aTemplate}, ${lacks}`],
  ],
  [
    'a template without actions that can not be read',
    { ...chart, 'templates/a.yaml': '# about.k8s.io\na: [\n' },
    '',
    [`templates/a.yaml:2:4: note: ${OURS}: ${aTemplate}, ${lacks}`],
  ],
  [
    'a file of crds/ that Helm leaves out',
    { ...chart, 'crds/a.yaml': withValue('good'), 'crds/b.yaml': bad },
    withValue('good'),
    [`crds/b.yaml:2:1: note: ${OURS}: it is in crds/ of the Helm chart ., ${lacks}`],
  ],
  [
    'files that a kustomization takes as data',
    {
      'kustomization.yaml':
        'crds: [c.yaml, d.yaml]\nconfigMapGenerator: [{ files: [a=m.yaml, r.yaml] }]\nresources: [r.yaml]\n',
      'c.yaml': bad,
      'd.yaml': crd,
      'm.yaml': bad,
      'r.yaml': bad,
    },
    '',
    [
      `c.yaml:2:1: note: ${OURS}: ${listed('crds')}, ${lacks}`,
      `m.yaml:2:1: note: ${OURS}: ${listed('configMapGenerator')}, ${lacks}`,
    ],
  ],
  [
    'a resource that kustomize leaves out',
    { 'kustomization.yaml': 'resources: [r.yaml]\n', 'r.yaml': bad.replace('"name"', `${LOCAL},"name"`) },
    '',
    [`r.yaml:2:1: note: ${OURS}: a kustomization lists it, ${lacks}`],
  ],
  [
    'no resource that a kustomization changes, nor a patch',
    { 'kustomization.yaml': 'resources: [r.yaml]\npatches: [{ path: p.yaml }]\n', 'r.yaml': bad, 'p.yaml': bad },
    withValue('good'),
    [],
  ],
])('rendered: %s', async (_, files, rendering, notes) => {
  const render = async () => ({ text: rendering });
  const listing: string[] = [];
  const found = await check(files, { render, listSkipped: (line) => void listing.push(line) });
  expect(found.notes).toEqual(notes);
  expect(found.report.summary).toMatchObject({ unevaluated: notes.length, errors: 0 });
  const skipped = listing.map((line) => short(line).replace(/:\d+:\d+:/, ''));
  for (const note of notes) expect(skipped).toContain(note.replace(/:\d+:\d+:/, '').replace(OURS, 'skipped'));
});

test('of several clusters, each counts its own, and text that could forge a line is escaped', async () => {
  folder.put('east/x.yaml', other);
  folder.put('west/kustomization.yaml', 'patches: [{ path: "a\\n::error::.yaml" }]\n');
  folder.put('west/a\n::error::.yaml', bad);
  const clusters = clusterRequest([], { clusters: [`${folder.path}/*`] }, []);
  const { report, notes } = await runCheck(run({ clusters }));
  expect(report.clusters?.map(({ name, summary }) => [name, summary.unevaluated])).toEqual([
    ['east', 0],
    ['west', 1],
  ]);
  expect(notes.filter((note) => note.includes('\n'))).toEqual([]);
});

test('of several clusters, each note names its own, also where they share the part', async () => {
  folder.put('base/kustomization.yaml', 'resources: [claim.yaml]\n');
  folder.put('base/claim.yaml', bad);
  for (const name of ['east', 'west']) folder.put(`overlays/${name}/kustomization.yaml`, 'resources: [../../base]\n');
  const clusters = clusterRequest([], { clusters: [`${folder.path}/overlays/*`] }, []);
  const { report, notes } = await check({}, { clusters });
  const part = `${OURS}: a kustomization lists it as resources`;
  expect(notes).toEqual(['east', 'west'].map((name) => `base/claim.yaml:2:1: note: ${name}: ${part}`));
  expect(report.notes?.filter(({ unevaluated }) => unevaluated).map(({ cluster }) => cluster)).toEqual([
    'east',
    'west',
  ]);
});

test('many folders that are named, of one large base, cost little more than the folder that holds them', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `n${index}`);
  folder.put('base/kustomization.yaml', `resources: [${names.join(', ')}, r.yaml]\n`);
  folder.put('base/r.yaml', bad);
  for (const name of names) folder.put(`${name}/kustomization.yaml`, 'resources: [../base]\nnamePrefix: x-\n');
  const timed = async (paths: readonly string[]) => {
    const started = process.cpuUsage();
    const found = await check({}, { paths });
    const { user, system } = process.cpuUsage(started);
    return { ...found, cost: user + system };
  };
  const { notes, report, cost } = await timed(names.map((name) => join(folder.path, name)));
  expect(notes[0]).toBe(`base/r.yaml:2:1: note: ${OURS}: a kustomization lists it as resources`);
  expect(report.summary.unevaluated).toBe(1 + names.length);
  const whole = await timed([folder.path]);
  expect(cost).toBeLessThan(2.5 * whole.cost);
});
