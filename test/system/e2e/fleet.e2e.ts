/**
 * `muster scan` of two API servers side by side, by their contexts: what both export under one name, with the rights of
 * the scan. Clusters that hang or go away, and the fleet of a hub: test/unit/cli/scan/command.test.ts.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { partOf } from '../../../src/manifests/installation.ts';
import type { CheckReport } from '../../../src/report/report.ts';
import { type ControlPlane, type Json, startControlPlane } from './harness/index.ts';
import { writeContexts } from './harness/users.ts';
import { scanned } from './scan/objects.ts';

const NAMES = ['east', 'west'] as const;
const planes = new Map<string, ControlPlane>();
const [east, west] = NAMES.map((name) => () => planes.get(name) as ControlPlane) as [Get, Get];
type Get = () => ControlPlane;

/** The service account of the scan. */
const ACCOUNT = 'muster-scan';

beforeAll(async () => {
  const users = {
    [ACCOUNT]: { name: `system:serviceaccount:muster-system:${ACCOUNT}`, groups: ['system:authenticated'] },
  };
  await Promise.all(NAMES.map(async (name) => planes.set(name, await startControlPlane({ crds: 'loose', users }))));
});
afterAll(() => Promise.all([...planes.values()].map((plane) => plane.stop())));

describe('Services that two of them export under one name', () => {
  const API = 'multicluster.x-k8s.io/v1beta1';
  const metadata = (name: string) => ({ name, namespace: 'default' });
  const service = (name: string, spec: object) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(name),
    spec,
  });
  const exported = (name: string) => ({ apiVersion: API, kind: 'ServiceExport', metadata: metadata(name) });
  const http = { name: 'http', port: 80 };
  const WITHOUT_ADDRESS = { clusterIP: 'None', ipFamilyPolicy: 'SingleStack', ports: [{ name: 'http', port: 8080 }] };

  /** What each cluster has. `east` is older. */
  const OBJECTS = {
    east: [
      ...[
        service('web', { ports: [http] }),
        service('same', { ports: [http] }),
        service('unexported', WITHOUT_ADDRESS),
      ],
      ...['web', 'same', 'missing'].map(exported),
    ],
    west: [
      ...[service('web', WITHOUT_ADDRESS), service('same', { ports: [http] }), service('missing', { ports: [http] })],
      ...['web', 'same', 'missing'].map(exported),
      {
        apiVersion: API,
        kind: 'ServiceImport',
        metadata: metadata('web'),
        spec: { type: 'ClusterSetIP', ports: [http], ips: ['10.9.0.1'] },
      },
    ],
  };

  let pair: string;

  beforeAll(async () => {
    for (const plane of [east(), west()]) await plane.apply(...partOf('namespace', {}), ...rightsOf('scan'));
    await east().apply(...OBJECTS.east);
    // Times of creation are whole seconds.
    await sleep(1100);
    await west().apply(...OBJECTS.west);
    pair = writeContexts(join(east().folder, 'pair.kubeconfig'), ACCOUNT, { east: east(), west: west() });
  });
  afterAll(async () => {
    for (const plane of [east(), west()])
      for (const plural of ['serviceexports', 'serviceimports'])
        await plane.api('admin').call('DELETE', `/apis/${API}/namespaces/default/${plural}`);
  });

  const rightsOf = (part: 'scan' | 'scan-services') =>
    partOf(part, { image: 'muster:e2e' }).filter(({ kind }) => /Role|ServiceAccount/.test(kind));
  const scanBoth = (...args: readonly string[]) =>
    scanned('--kubeconfig', pair, '--context', 'east', '--context', 'west', ...args);

  /** `CLUSTER NAME RULE` of each finding, and its message. */
  const findingsIn = ({ results }: CheckReport): Readonly<Record<string, string>> =>
    Object.fromEntries(
      results.flatMap(({ cluster, name, findings }) =>
        findings.map(({ ruleId, message }) => [`${cluster} ${name} ${ruleId}`, message]),
      ),
    );

  test('without the right to list what is exported, notes say so, and nothing fails', async () => {
    const { code, report, stderr } = await scanBoth();
    expect({ code, results: report.results, errors: report.errors }).toEqual({ code: 0, results: [], errors: [] });
    for (const kind of ['serviceexports', 'serviceimports'])
      expect(stderr).toContain(`note: west: nothing of ${kind}.multicluster.x-k8s.io is scanned: `);
    expect(stderr).toContain('(muster manifests --only scan-services)');
  });

  describe('with that right', () => {
    beforeAll(async () => {
      for (const plane of [east(), west()]) await plane.apply(...rightsOf('scan-services'));
    });

    test('conflicts are found, with who wins and what consumers get', async () => {
      const { code, report } = await scanBoth();
      const found = findingsIn(report);
      expect({ code, found: Object.keys(found).sort(), errors: report.errors }).toEqual({
        code: 1,
        found: ['east missing export/service', 'east web export/conflict', 'west web export/conflict'],
        errors: [],
      });
      expect(found['west web export/conflict']).toContain(
        'the export of east is the oldest and wins, so web.default.svc',
      );
      const [first] = report.results.filter(({ cluster, name }) => cluster === 'west' && name === 'web');
      const conflicts = first?.findings.map(({ message }) => message.split(':')[0]);
      expect(conflicts).toEqual(['TypeConflict', 'PortConflict']);
    });

    test('an Event is on the export, and says nothing of the labels of a Service', async () => {
      const inDefault = '/api/v1/namespaces/default';
      const labels = { owner: 'secret-team' };
      await west().api('admin').call('PATCH', `${inDefault}/services/web`, { metadata: { labels } });
      const { stderr } = await scanBoth('--event');
      expect(stderr).not.toContain('no Event');
      const events: readonly Json[] = (await west().api('admin').call('GET', `${inDefault}/events`)).body.items;
      const [event] = events.filter(({ involvedObject }) => involvedObject.name === 'web');
      expect(event).toMatchObject({ involvedObject: { kind: 'ServiceExport' }, reason: 'RuleBroken' });
      expect(event?.message).toContain('TypeConflict: must be the same');
      expect(JSON.stringify(events)).not.toContain('secret-team');
    });
  });
});
