/** A scan of what clusters export, from files: Services and Namespaces are read for it, and are no results. */
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { yaml } from '../../../support/command-line.ts';
import { newFolder } from '../../../support/folder.ts';
import { musterHere } from '../../../support/in-process.ts';
import { tweaked } from '../../../support/rule-tester.ts';
import {
  condition,
  exported,
  exportedWith,
  imported,
  importedFrom,
  memberOf,
  service,
} from '../../../support/services.ts';

const folder = newFolder();

const named = (object: JsonObject, name: string) => tweaked(object, { '/metadata/name': name });

/** Scans the clusters, and returns `CLUSTER KIND RULE` of each finding of a rule on services, and the report. */
async function scan(clusters: Readonly<Record<string, readonly JsonObject[]>>, ...flags: string[]) {
  const args = Object.entries(clusters).flatMap(([name, objects]) => {
    folder.put(`${name}.yaml`, yaml(...objects));
    return ['--state', `${name}=${name}.yaml`];
  });
  const { out, err } = await musterHere(['scan', ...args, '-o', 'json', ...flags], { cwd: folder.path });
  const report = JSON.parse(out);
  type Finding = { readonly ruleId: string; readonly message: string; readonly file?: string; readonly line?: number };
  type Result = { readonly cluster: string; readonly kind: string; readonly findings: readonly Finding[] };
  const findings = (report.results as Result[]).flatMap(({ cluster, kind, findings: found }) =>
    found.filter(({ ruleId }) => /^(export|import)/.test(ruleId)).map((one) => ({ cluster, kind, ...one })),
  );
  return { report, findings, err, found: findings.map(({ cluster, kind, ruleId }) => `${cluster} ${kind} ${ruleId}`) };
}

test('Services that no export names are not kept, and say that their namespace is there', async () => {
  const valid = exportedWith(condition('Valid', 'True'));
  const api = named(imported(), 'api');
  const clusters = { east: [valid, service(), imported()], west: [named(service(), 'other'), api] };
  const { found, report } = await scan(clusters);
  expect(found).toEqual(['east ServiceExport import/missing']);
  expect(report.summary).toMatchObject({ evaluated: 3, skipped: 2 });
  const inYard = tweaked(named(service(), 'other'), { '/metadata/namespace': 'yard' });
  const isElsewhere = { ...clusters, west: [inYard, tweaked(api, { '/metadata/namespace': 'yard' })] };
  expect((await scan(isElsewhere)).found).toEqual([]);
  const shop: JsonObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  expect((await scan({ ...isElsewhere, west: [...isElsewhere.west, shop] })).found).toEqual(found);
});

test.each<[string, readonly JsonObject[], readonly string[]]>([
  [
    'a Service that is not among those of its cluster',
    [named(service(), 'api')],
    ['east ServiceExport export/service'],
  ],
  ['no Service of the cluster: nothing is known of them', [], []],
])('%s', async (_, services, expected) => {
  const { found } = await scan({ east: [exported(), ...services] });
  expect(found).toEqual(expected);
});

test('a document that can not be read may hold the Service', async () => {
  folder.put('broken.yaml', `${yaml(named(service(), 'api'), exported())}---\nkind: Service\nmetadata: {name: web\n`);
  const { out } = await musterHere(['scan', '--state', 'broken.yaml', '-o', 'json'], { cwd: folder.path });
  expect(JSON.parse(out).results).toMatchObject([{ findings: [] }]);
});

test('a kind that no state contains is not known', async () => {
  const west = [...memberOf('blue', 'w'), importedFrom('e')];
  expect((await scan({ east: memberOf('blue', 'e'), west })).found).toEqual([]);
  const east = [...memberOf('blue', 'e'), named(exported(), 'api')];
  expect((await scan({ east, west })).found).toEqual(['west ServiceImport import/stale']);
  // The state of north has no export, and that of west has some: so there is none in north.
  const north = memberOf('blue', 'n');
  const fromNorth = [...memberOf('blue', 'w'), importedFrom('n'), named(exported(), 'api')];
  expect((await scan({ north, west: fromNorth })).found).toEqual(['west ServiceImport import/stale']);
});

test('--complete: no cluster is missing in the run', async () => {
  const east = [...memberOf('blue', 'e'), exported(), service()];
  const west = [...memberOf('blue', 'w'), importedFrom('e', 'gone')];
  expect((await scan({ east, west })).found).toEqual([]);
  expect((await scan({ east, west }, '--complete')).found).toEqual(['west ServiceImport import/unknown-cluster']);
});

test('notes say that all clusters are treated as one ClusterSet, and count the exports of unknown Services', async () => {
  const east = [exported(), service()];
  const taken = 'no claim names the ClusterSet of a cluster';
  const unknown = '1 ServiceExport \\(west: shop/web\\) is not compared, since its Service is not known in this run';
  expect((await scan({ east, west: [exported()] })).err).toMatch(new RegExp(`${taken}.*\n.*${unknown}`));
  const member = await scan({ east: [...memberOf('blue', 'e'), ...east], west: [exported(), service()] });
  expect(member.err.match(/note: .*/g)).toEqual([
    'note: no claim names the ClusterSet of west, so what it exports is compared with no other cluster',
  ]);
  expect((await scan({ east })).err).not.toMatch(/note:/);
});
