/**
 * `muster scan` of Services that two API servers export under one name, with upstream's CRDs: what it finds, who wins,
 * and that the rights of the scan suffice.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { partOf } from '../../../src/manifests/installation.ts';
import type { CheckReport } from '../../../src/report/report.ts';
import { type ControlPlane, type Json, startControlPlane, succeeded } from './harness/index.ts';
import { writeContexts } from './harness/users.ts';
import { scanned } from './scan/objects.ts';
import { serviceDefinitions } from './upstream/index.ts';

const NAMES = ['east', 'west'] as const;
type Name = (typeof NAMES)[number];
const ACCOUNT = 'muster-scan';
const API = 'multicluster.x-k8s.io/v1beta1';
const planes = new Map<Name, ControlPlane>();
const plane = (name: Name) => planes.get(name) as ControlPlane;
let kubeconfig: string;

const metadata = (name: string) => ({ name, namespace: 'default' });
const service = (name: string, spec: object) => ({ apiVersion: 'v1', kind: 'Service', metadata: metadata(name), spec });
const exported = (name: string) => ({ apiVersion: API, kind: 'ServiceExport', metadata: metadata(name) });
const http = { name: 'http', port: 80 };
const WITHOUT_ADDRESS = { clusterIP: 'None', ipFamilyPolicy: 'SingleStack', ports: [{ name: 'http', port: 8080 }] };

/** What each cluster has. `east` is older. */
const OBJECTS: Readonly<Record<Name, readonly object[]>> = {
  east: [
    ...[service('web', { ports: [http] }), service('same', { ports: [http] }), service('unexported', WITHOUT_ADDRESS)],
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

beforeAll(async () => {
  for (const name of NAMES) {
    const users = {
      [ACCOUNT]: { name: `system:serviceaccount:muster-system:${ACCOUNT}`, groups: ['system:authenticated'] },
    };
    planes.set(name, await startControlPlane({ crds: 'none', users }));
    await plane(name).apply(...serviceDefinitions(), ...partOf('namespace', {}), ...rightsOf('scan'));
    await plane(name).apply(...OBJECTS[name]);
  }
  const file = join(plane('east').folder, 'both.kubeconfig');
  kubeconfig = writeContexts(file, ACCOUNT, Object.fromEntries(planes));
});
afterAll(() => Promise.all([...planes.values()].map((each) => each.stop())));

const rightsOf = (part: 'scan' | 'scan-services') =>
  partOf(part, { image: 'muster:e2e' }).filter(({ kind }) => /Role|ServiceAccount/.test(kind));
const scanBoth = (...args: readonly string[]) =>
  scanned('--kubeconfig', kubeconfig, ...NAMES.flatMap((name) => ['--context', name]), ...args);

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
    for (const name of NAMES) await plane(name).apply(...rightsOf('scan-services'));
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
    await admin('west', 'label', 'service', 'web', 'owner=secret-team');
    const { stderr } = await scanBoth('--event');
    expect(stderr).not.toContain('no Event');
    const events: readonly Json[] = JSON.parse(await admin('west', 'get', 'events', '-o', 'json')).items;
    const [event] = events.filter(({ involvedObject }) => involvedObject.name === 'web');
    expect(event).toMatchObject({ involvedObject: { kind: 'ServiceExport' }, reason: 'RuleBroken' });
    expect(event?.message).toContain('TypeConflict: must be the same');
    expect(JSON.stringify(events)).not.toContain('secret-team');
  });
});

async function admin(name: Name, ...args: readonly string[]): Promise<string> {
  return (await succeeded(plane(name).kubectl('admin', args))).stdout;
}
