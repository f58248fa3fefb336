/**
 * Charts that the configuration renders into clusters (`check.charts`): which cluster gets which, and what is refused.
 */

import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { runCheck } from '../../../../src/cli/check/run.ts';
import { configurationOf } from '../../../../src/config/load.ts';
import { chartsIn } from '../../../../src/input/clusters/charts.ts';
import { parseGlob } from '../../../../src/input/clusters/glob.ts';
import { type ClusterFlags, clusterRequest } from '../../../../src/input/clusters/request.ts';
import { ruleIds } from '../../../../src/rules/index.ts';
import { NOW, property, run, yaml } from '../../../support/command-line.ts';
import { HEAD } from '../../../support/configuration.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';
import { commitAll } from '../../../support/git.ts';

let folder: Folder;
let outer: Folder;
const home = process.cwd();

beforeEach(() => {
  outer = newFolder();
  const path = join(outer.path, 'repository');
  mkdirSync(join(path, '.git'), { recursive: true });
  folder = { ...outer, path, put: (name, text) => outer.put(join('repository', name), text) };
  process.chdir(path);
  folder.put('charts/app/Chart.yaml', 'name: app\nversion: 1.0.0\n');
  folder.put('charts/app/templates/a.yaml', yaml(property('clusterset.k8s.io', 'blue')));
  folder.put('env/east.yaml', 'id: one\n');
});
afterEach(() => process.chdir(home));

const CHECK = `${HEAD}check:\n`;
const EAST = '{ chart: charts/app, cluster: east, values: [env/east.yaml] }';
const WEST = '{ chart: charts/app, cluster: west, namespace: fleet }';

/** Checks with these settings of `check`. A script stands for Helm, if any. */
async function check(settings: string, flags: ClusterFlags = {}, render?: (call: string) => string, baseRef?: string) {
  folder.put('muster.yaml', `${CHECK}${settings}\n`);
  const loaded = configurationOf(`${CHECK}${settings}\n`, 'muster.yaml', ruleIds, NOW);
  const globs = loaded.clusters.map((glob) => parseGlob(glob, `muster.yaml: check.clusters "${glob}"`));
  const of = { config: 'muster.yaml', ...flags };
  const { report, notes } = await runCheck(
    run({
      baseRef,
      clusters: clusterRequest([], of, globs, chartsIn(loaded, 'muster.yaml')),
      render:
        render &&
        (async ({ name, release }) => {
          const values = release?.values.map((file) => file.name).join() ?? 'default';
          return { text: render(`${name} ${values} ${release?.namespace ?? ''}`) };
        }),
    }),
  );
  const { results, errors, summary, clusters } = report;
  const lines = results.map(({ cluster, namespace, name, file }) => `${cluster}: ${file} ${namespace}/${name}`);
  const placed = report.notes?.filter(({ unevaluated }) => !unevaluated).map(({ cluster, file }) => [cluster, file]);
  return { lines, notes, placed, errors, summary, clusters: clusters?.map(({ name }) => name) };
}

const asProperty = (call: string) => yaml(property(call.replaceAll(/[ /.,]+/g, '-').replace(/-$/, ''), 'a'));

test('the charts name the clusters, if nothing else does', async () => {
  const { lines, clusters } = await check(`  charts: [${EAST}, ${WEST}]`, {}, asProperty);
  expect(clusters).toEqual(['east', 'west']);
  expect(lines).toEqual(['east: charts/app /charts-app-env-east-yaml', 'west: charts/app /charts-app-fleet']);
});

test('a listed chart in the folder of its cluster is rendered with its values only, and those are no manifests', async () => {
  folder.put('clusters/east/app/Chart.yaml', 'name: app\nversion: 1.0.0\n');
  folder.put('clusters/east/other/Chart.yaml', 'name: other\nversion: 1.0.0\n');
  folder.put('clusters/east/settings.yaml', 'kind: values about.k8s.io, without an apiVersion\n');
  const listed = '{ chart: clusters/east/app, cluster: east, values: [clusters/east/settings.yaml] }';
  const settings = `  clusters: [clusters/*]\n  charts: [${listed}]`;
  const { lines, errors, summary } = await check(settings, {}, asProperty);
  expect(errors).toEqual([]);
  expect(summary.unevaluated).toBe(0);
  expect(lines).toEqual([
    'east: clusters/east/app /clusters-east-app-clusters-east-settings-yaml',
    'east: clusters/east/other /clusters-east-other-default',
  ]);
  expect((await check(settings)).errors).toEqual([]);
});

describe('with --base-ref', () => {
  const east = `  charts: [${EAST}]`;
  const west = `${CHECK}  charts: [{ chart: charts/app, cluster: east, values: [env/west.yaml] }]\n`;
  const render = (call: string) => yaml(property(call.includes('west') ? 'west.example.com' : 'east.example.com', 'a'));
  const since = (putConfiguration: () => void) => {
    folder.put('env/west.yaml', 'id: two\n');
    putConfiguration();
    commitAll(folder.path);
    rmSync('muster.yaml');
    return check(east, {}, render, 'HEAD');
  };

  test('charts are rendered as the configuration of the revision lists them', async () => {
    const { lines, errors } = await since(() => folder.put('muster.yaml', west));
    expect(errors).toEqual([]);
    expect(lines).toEqual(['east: HEAD:charts/app /west.example.com', 'east: charts/app /east.example.com']);
  });

  test('a configuration at the revision that is outside of the repository is not read', async () => {
    const outside = outer.put('muster.yaml', west);
    const { lines, errors } = await since(() => symlinkSync(outside, 'muster.yaml'));
    expect(errors).toEqual([]);
    expect(lines).toEqual(['east: charts/app /east.example.com']);
  });

  test('a configuration at the revision that can not be read is a note, and nothing counts as deleted', async () => {
    const { lines, notes } = await since(() => folder.put('muster.yaml', `${CHECK}  charts: 5\n`));
    expect(lines).toEqual(['east: charts/app /east.example.com']);
    expect(notes).toEqual([expect.stringMatching(/^HEAD:muster\.yaml: note: can't read which charts it lists: /)]);
  });
});

test('flags leave charts of other clusters aside, whatever is wrong with them', async () => {
  folder.put('clusters/east/a.yaml', yaml(property('own', 'a')));
  const settings = `  charts: [${EAST}, { chart: gone, cluster: west }]`;
  const { lines, clusters } = await check(settings, { cluster: ['east=clusters/east'] }, asProperty);
  expect(clusters).toEqual(['east']);
  expect(lines).toEqual(['east: clusters/east/a.yaml /own', 'east: charts/app /charts-app-env-east-yaml']);
});

test('namespaced objects without a namespace get that of the release', async () => {
  const object = (name: string, namespace?: string | number) => ({
    apiVersion: 'features.x-k8s.io/v1alpha1',
    kind: 'Feature',
    metadata: { name, ...(namespace !== undefined && { namespace }) },
  });
  const objects = [object('a'), object('b', 'other'), object('c', ''), property('d', 'a'), object('e', 7)];
  const { lines, errors } = await check(`  charts: [${WEST}]`, {}, () => yaml(...objects));
  expect(lines.map((line) => line.split(' ').at(-1))).toEqual(['fleet/a', 'other/b', 'fleet/c', '/d']);
  expect(errors.map(({ message }) => message)).toEqual(['metadata.namespace must be a string, got a number: quote it']);
});

test('without --render, notes have the command, and templates count as not evaluated', async () => {
  const { notes, placed, summary } = await check(`  charts: [${EAST}, ${WEST}]`);
  const note = 'charts/app: note: a Helm chart, not rendered: helm template --include-crds charts/app';
  expect(notes).toEqual(
    expect.arrayContaining([
      `${note} --values env/east.yaml | muster check -, or --render`,
      `${note} --namespace fleet | muster check -, or --render`,
    ]),
  );
  expect(placed).toEqual(['east', 'west'].map((cluster) => [cluster, 'charts/app']));
  expect(summary).toMatchObject({ evaluated: 0, unevaluated: 2 });
});

test('without --render, objects in crds/ of a chart outside of the clusters count as not evaluated', async () => {
  folder.put('charts/app/crds/a.yaml', yaml(property('own', 'a')));
  const { notes } = await check(`  charts: [${EAST}]`);
  const place = 'charts/app/crds/a.yaml:2:1: note: east';
  const part = 'it is in crds/ of the Helm chart charts/app';
  expect(notes).toContain(`${place}: not evaluated, though it may hold objects of muster's kinds: ${part}`);
});

test('files of charts that lie beside the clusters are not reported as in no cluster', async () => {
  folder.put('clusters/east/a.yaml', yaml(property('own', 'a')));
  folder.put('clusters/east.yaml', 'id: one\n');
  const listed = '{ chart: charts/app, cluster: east, values: [clusters/east.yaml] }';
  const { notes } = await check(`  clusters: [clusters/*]\n  charts: [${listed}]`, {}, asProperty);
  expect(notes).toEqual([]);
});

describe('is refused, with its place:', () => {
  beforeEach(() => {
    outer.put('secret.yaml', 'id: secret\n');
    outer.put('app/Chart.yaml', 'name: app\nversion: 1.0.0\n');
    symlinkSync('../secret.yaml', 'link.yaml');
    symlinkSync('loop', 'loop');
  });

  test.each([
    ['gone', 'no such folder'],
    ['charts', 'it is no'],
    ['env/east.yaml', 'it is not a chart'],
    ['../app', 'it is outside'],
    ['loop', "can't read it: "],
  ])('the chart %s: %s', async (chart, message) => {
    const place = 'muster.yaml:4:21: check.charts[0].chart';
    await expect(check(`  charts: [{ chart: ${chart}, cluster: east }]`)).rejects.toThrow(
      `${place}: ${chart}: ${message}`,
    );
  });

  test.each([
    ['env/x.yaml', 'no such file'],
    ['env', 'it is not a regular file'],
    ['../secret.yaml', 'it is outside of the repository '],
    ['link.yaml', 'it is outside of the repository '],
  ])('the values %s: %s', async (values, message) => {
    const charts = `  charts: [{ chart: charts/app, cluster: east, values: [env/east.yaml, ${values}] }]`;
    const place = 'muster.yaml:4:72: check.charts[0].values[1]';
    await expect(check(charts)).rejects.toThrow(`${place}: ${values}: ${message}`);
  });

  test('a chart for a cluster that check.clusters does not name', async () => {
    folder.put('clusters/east/a.yaml', '');
    await expect(check(`  clusters: [clusters/*]\n  charts: [${WEST}]`)).rejects.toThrow(
      'muster.yaml:5:42: check.charts[0].cluster: no cluster is called "west"; the clusters are east',
    );
  });

  test('a path beside the charts, and a state of a cluster without one', async () => {
    const loaded = configurationOf(`${CHECK}  charts: [${EAST}]\n`, 'muster.yaml', ruleIds, NOW);
    const charts = chartsIn(loaded, 'muster.yaml');
    expect(() => clusterRequest(['a.yaml'], { config: 'muster.yaml' }, [], charts)).toThrow(
      "muster.yaml: check.charts names what is checked, so paths can't be given beside it: leave out a.yaml",
    );
    await expect(check(`  charts: [${EAST}]`, { state: ['est=env'] })).rejects.toThrow(
      '--state est=…: no cluster is called "est"; the clusters are east',
    );
  });
});
