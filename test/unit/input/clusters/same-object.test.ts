/** The same object in two folders, where no clusters are named. */
import { chmodSync } from 'node:fs';
import { beforeEach, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { runCheck } from '../../../../src/cli/check/run.ts';
import { claim, cluster, lineOf, property, run, yaml } from '../../../support/command-line.ts';
import { type Folder, newFolder, unprivileged } from '../../../support/folder.ts';
import { newerProperty } from '../../../support/objects.ts';

let folder: Folder;
beforeEach(() => {
  folder = newFolder();
});

const joined = property('clusterset.k8s.io', 'fleet');
const other = newerProperty('clusterset.k8s.io', 'fleet');
const inNamespace = (namespace: string) => ({
  ...cluster('a', { metadata: { name: 'a', namespace } }),
  kind: 'ClusterProfile',
});
const unnamed = { ...joined, metadata: { generateName: 'a-' } };
const review = {
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    operation: 'CREATE',
    kind: { group: 'about.k8s.io', version: 'v1beta1', kind: 'ClusterProperty' },
    object: joined,
  },
};
const EAST_WEST = { 'clusters/east/a.yaml': [joined], 'clusters/west/a.yaml': [joined] };
const SAME = 'the same ClusterProperty "clusterset.k8s.io" in';
const IF = 'if these are different clusters: --clusters';
const SEVERAL = "'r/clusters/*' --clusters r/hub --clusters r/kust/base --clusters 'r/kust/overlays/*'";
const NESTED = 'remove one; or, if these are different clusters, give each a folder of its own for --clusters GLOB';

type Files = Readonly<Record<string, readonly JsonObject[]>>;

async function check(files: Files, paths: readonly string[]) {
  for (const [name, objects] of Object.entries(files)) folder.put(name, yaml(...objects));
  const { report } = await runCheck(run({ paths: paths.map((path) => `${folder.path}/${path}`) }));
  const errors = report.errors.map(({ file, line, message }) => `${file}:${line}: ${message}`);
  return { errors: errors.map((text) => text.replaceAll(`${folder.path}/`, '')), lines: report.results.map(lineOf) };
}

test.each<[title: string, files: Files, paths: readonly string[], errors: readonly string[]]>([
  [
    'in one walked folder',
    EAST_WEST,
    ['clusters'],
    [`clusters/west/a.yaml:2: ${SAME} clusters/east and clusters/west; ${IF} 'clusters/*'`],
  ],
  [
    'in two folders that are named one by one',
    EAST_WEST,
    ['clusters/west', 'clusters/east'],
    [`clusters/east/a.yaml:2: ${SAME} clusters/west and clusters/east; ${IF} 'clusters/*'`],
  ],
  [
    'in another version of the kind',
    { 'c/east/a.yaml': [joined], 'c/west/a.yaml': [other] },
    ['c'],
    [`c/west/a.yaml:2: ${SAME} c/east and c/west; ${IF} 'c/*'`],
  ],
  [
    'in files without a suffix',
    { 'c/east/Kustomization': [joined], 'c/west/Kustomization': [joined] },
    ['c'],
    [`c/west/Kustomization:2: ${SAME} c/east and c/west; ${IF} 'c/*'`],
  ],
  [
    'deeper, where the first folders differ',
    { 'c/east/apps/a.yaml': [joined], 'c/west/apps/a.yaml': [joined] },
    ['c'],
    [`c/west/apps/a.yaml:2: ${SAME} c/east/apps and c/west/apps; ${IF} 'c/*'`],
  ],
  [
    'on two levels: the glob fits all',
    { 'c/eu/a/x.yaml': [joined], 'c/eu/b/x.yaml': [joined], 'c/us/a/x.yaml': [joined] },
    ['c'],
    [
      `c/eu/b/x.yaml:2: ${SAME} c/eu/a and c/eu/b; ${IF} 'c/*/*'`,
      `c/us/a/x.yaml:2: ${SAME} c/eu/a and c/us/a; ${IF} 'c/*/*'`,
    ],
  ],
  [
    'beside a folder without objects, which is no cluster',
    { 'c/east/a.yaml': [joined], 'c/west/a.yaml': [joined], 'c/docs/a.yaml': [] },
    ['c'],
    [`c/west/a.yaml:2: ${SAME} c/east and c/west; ${IF} c/east --clusters c/west`],
  ],
  [
    'in folders of which one holds clusters and another folder',
    {
      'r/clusters/a/a.yaml': [joined],
      'r/clusters/b/a.yaml': [joined],
      'r/hub/a.yaml': [joined],
      'r/kust/base/a.yaml': [joined],
      'r/kust/overlays/east/a.yaml': [joined],
      'r/kust/overlays/west/a.yaml': [joined],
    },
    ['r'],
    ['clusters/b', 'hub', 'kust/base', 'kust/overlays/east', 'kust/overlays/west'].map(
      (name) => `r/${name}/a.yaml:2: ${SAME} r/clusters/a and r/${name}; ${IF} ${SEVERAL}`,
    ),
  ],
  [
    'in a folder and in one below it',
    { 'c/a.yaml': [joined], 'c/east/a.yaml': [joined] },
    ['c'],
    [`c/east/a.yaml:2: ${SAME} c and c/east; ${NESTED}`],
  ],
  [
    'named as a file, too',
    EAST_WEST,
    ['clusters/west/a.yaml', 'clusters'],
    [`clusters/east/a.yaml:2: ${SAME} clusters/west and clusters/east; ${IF} 'clusters/*'`],
  ],
  [
    'with other objects: one error for a pair of folders',
    { 'c/east/a.yaml': [claim('b.example.com', ''), joined], 'c/west/a.yaml': [joined, claim('b.example.com', '')] },
    ['c'],
    [`c/west/a.yaml:2: ${SAME} c/east and c/west; ${IF} 'c/*'`],
  ],
])('is an error %s', async (_, files, paths, errors) => {
  // Nothing is evaluated in an order that nobody named.
  expect(await check(files, paths)).toEqual({ errors, lines: [] });
});

test('a folder on the way that can not be read is an error of its own', async () => {
  for (const name of ['c/eu/a', 'c/eu/b', 'c/us/a']) folder.put(`${name}/x.yaml`, yaml(joined));
  folder.put('c/locked/a.yaml', '');
  chmodSync(folder.path, 0o755);
  chmodSync(`${folder.path}/c/locked`, 0);
  const { errors } = await unprivileged(() => check({}, ['c']));
  expect(errors).toEqual([
    `c/locked:1: can't read it: permission denied`,
    `c/eu/b/x.yaml:2: ${SAME} c/eu/a and c/eu/b; ${IF} 'c/eu/*' --clusters c/us`,
    `c/us/a/x.yaml:2: ${SAME} c/eu/a and c/us/a; ${IF} 'c/eu/*' --clusters c/us`,
  ]);
});

test('standard input is in no folder', async () => {
  const before = process.cwd();
  process.chdir(folder.path);
  try {
    folder.put('a.yaml', yaml(joined));
    const input = { paths: ['-', '.'], stdin: async () => Buffer.from(yaml(other)) };
    const { report } = await runCheck(run(input));
    expect({ errors: report.errors, evaluated: report.summary.evaluated }).toEqual({ errors: [], evaluated: 2 });
  } finally {
    process.chdir(before);
  }
});

test('many pairs of folders are counted', async () => {
  const files = Array.from(
    { length: 15 },
    (_, index) => [`c/${String(index).padStart(2, '0')}/a.yaml`, [joined]] as const,
  );
  const { errors } = await check(Object.fromEntries(files), ['c']);
  expect(errors).toHaveLength(11);
  expect(errors.at(-1)).toContain(`4 more pairs of folders hold the same objects; ${IF} 'c/*'`);
});

test.each<[title: string, files: Files, paths: readonly string[], evaluated: number]>([
  ['files named one by one', EAST_WEST, ['clusters/east/a.yaml', 'clusters/west/a.yaml'], 2],
  ['a file named twice, which is read once', EAST_WEST, ['clusters/east/a.yaml', 'clusters/east/a.yaml'], 1],
  ['a file, and another folder', EAST_WEST, ['clusters/east/a.yaml', 'clusters/west'], 2],
  ['a file of any name, and its folder', { 'c/a.yaml': [joined], 'c/b.txt': [other] }, ['c', 'c/b.txt'], 2],
  ['files of one folder', { 'c/a.yaml': [joined], 'c/b.yaml': [other] }, ['c'], 2],
  ['one file', { 'c/a.yaml': [joined, joined] }, ['c'], 2],
  ['other namespaces', { 'c/a/x.yaml': [inNamespace('a')], 'c/b/x.yaml': [inNamespace('b')] }, ['c'], 2],
  [
    'other groups of the kind',
    { 'c/a/x.yaml': [claim('x.example.com', '')], 'c/b/x.yaml': [property('x.example.com', '')] },
    ['c'],
    2,
  ],
  ['generated names', { 'c/a/x.yaml': [unnamed], 'c/b/x.yaml': [unnamed] }, ['c'], 2],
  ['AdmissionReviews', { 'c/a/x.yaml': [review], 'c/b/x.yaml': [review] }, ['c'], 2],
  [
    'kinds that are not evaluated',
    { 'c/a/x.yaml': [{ ...joined, kind: 'Other' }], 'c/b/x.yaml': [{ ...joined, kind: 'Other' }] },
    ['c'],
    0,
  ],
])('is evaluated in %s', async (_, files, paths, evaluated) => {
  const { errors, lines } = await check(files, paths);
  expect(errors).toEqual([]);
  expect(lines).toHaveLength(evaluated);
});
