/**
 * `muster scan --live` on an API server that stored everything unchecked: what it finds, what it writes, and which
 * rights it needs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { partOf } from '../../../src/manifests/installation.ts';
import {
  type ControlPlane,
  definitionsOf,
  type Json,
  looseDefinition,
  startControlPlane,
  succeeded,
} from './harness/index.ts';
import { EXPECTED, rulesByObject, STORED, scan, scanned, storeAll } from './scan/objects.ts';

const NAMESPACE = 'muster-system';
let controlPlane: ControlPlane;
/** The flags of a scan with the scan's own service account. */
let own: string[];

beforeAll(async () => {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${NAMESPACE}`, 'system:authenticated'];
  controlPlane = await startControlPlane({
    crds: 'none',
    users: {
      'muster-scan': { name: `system:serviceaccount:${NAMESPACE}:muster-scan`, groups },
    },
  });
  const objects = [...partOf('scan', { image: 'muster:e2e' }), ...partOf('scan-services', {})];
  const rights = objects.filter(({ kind }) => /Role|ServiceAccount/.test(kind));
  await controlPlane.apply(...partOf('namespace', {}), ...definitionsOf('loose'), ...rights);
  expect(await storeAll(controlPlane, 'admin')).toBe(STORED.length);
  own = ['--live', '--kubeconfig', controlPlane.kubeconfig('muster-scan')];
});
afterAll(() => controlPlane?.stop());

async function admin(...args: readonly string[]): Promise<string> {
  return (await succeeded(controlPlane.kubectl('admin', args))).stdout;
}

const itemsOf = async (...args: readonly string[]): Promise<Json[]> =>
  JSON.parse(await admin('get', ...args, '-A', '-o', 'json')).items;

test('every stored object is reported by its rules, and no other', async () => {
  const summary = expect.stringMatching(/^\d+ evaluated: [^\n]*\n$/);
  const { code, report, stderr } = await scanned(...own);
  expect({ code, stderr, rules: rulesByObject(report) }).toEqual({ code: 1, stderr: summary, rules: EXPECTED });
  expect(report.summary).toMatchObject({ evaluated: STORED.length, errors: 0, skipped: 0, indeterminate: 0 });
});

test('an export of kubectl gives the same findings', async () => {
  const kinds = ['clusterclaims.multicluster.x-k8s.io', 'clusterclaims.cluster.open-cluster-management.io'];
  const others = ['clusterproperties', 'inventoryclusters', 'clusterprofiles', 'features.features.x-k8s.io'];
  const file = join(controlPlane.folder, 'export.json');
  writeFileSync(file, await admin('get', [...kinds, ...others].join(), '-A', '-o', 'json'));
  const { code, report } = await scanned('--state', file);
  expect({ code, rules: rulesByObject(report) }).toEqual({ code: 1, rules: EXPECTED });
});

describe('events', () => {
  const events = async () => (await itemsOf('events')).filter(({ source }) => source.component === 'muster-scan');

  test('are written where the manifests allow it; a note says what to bind elsewhere', async () => {
    const { code, stderr } = await scan(...own, '--event');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^note: no Event for \d+ objects in .*; bind the ClusterRole muster-scan-events to it.*\n$/);
    const namespaces = new Set((await events()).map(({ metadata }) => metadata.namespace));
    expect([...namespaces].sort()).toEqual(['default', 'kube-system']);
  });

  test('are written once for each object with findings, with the binding of docs/scan.md', async () => {
    const [command = ''] = readFileSync('docs/scan.md', 'utf8').match(/kubectl create rolebinding .*$/m) ?? [];
    for (const namespace of ['default', 'kube-public'])
      await controlPlane.kubectl('admin', command.replace('NAMESPACE', namespace).split(' ').slice(1));
    for (let times = 0; times < 2; times++)
      expect(await scan(...own, '--event')).toMatchObject({ code: 1, stderr: '' });
    expect(await events()).toHaveLength(Object.keys(EXPECTED).length);
    const description = await admin('describe', 'clusterclaims.multicluster.x-k8s.io', 'mine.k8s.io');
    expect(description).toMatch(/Warning +RuleBroken .*muster-scan +\[claim\/reserved-name\]/);
  });
});

describe('reports', () => {
  test('need their CRDs', async () => {
    const { code, stderr } = await scan(...own, '--report');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('install its CRDs, or leave --report out'),
    });
  });

  test('are one for the cluster and one for each namespace with findings, removed when a namespace is clean', async () => {
    await controlPlane.apply(...openReports());
    const run = async () => {
      expect(await scan(...own, '--report')).toMatchObject({ code: 1, stderr: '' });
      return itemsOf('clusterreports,reports');
    };
    const first = await run();
    const namespaces = first.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}`).sort();
    expect(namespaces).toEqual(['ClusterReport ', 'Report default', 'Report kube-public', 'Report kube-system']);
    const all = first.find(({ kind }) => kind === 'ClusterReport');
    expect(all.summary).toEqual({ pass: 3, fail: 8, warn: 3, error: 0, skip: 0 });
    const resources = [expect.objectContaining({ name: 'mine.k8s.io', uid: expect.any(String) })];
    const expected = { policy: 'claim/reserved-name', result: 'fail', severity: 'high', resources };
    expect(all.results).toContainEqual(expect.objectContaining(expected));
    const profiles = '/apis/multicluster.x-k8s.io/v1alpha2/namespaces/kube-public/clusterprofiles';
    await controlPlane.api('admin').call('DELETE', profiles);
    const second = await run();
    expect(second.map(({ metadata }) => metadata.namespace).sort()).toEqual(['default', 'kube-system', undefined]);
  });
});

/** The CRDs of openreports.io, without their schemas. */
const openReports = () =>
  (['Cluster', 'Namespaced'] as const).map((scope) => {
    const kind = scope === 'Cluster' ? 'ClusterReport' : 'Report';
    const plural = `${kind.toLowerCase()}s`;
    return looseDefinition({ group: 'openreports.io', kind, plural, scope, versions: ['v1alpha1'] });
  });
