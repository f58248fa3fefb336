/**
 * `muster scan` of three API servers side by side: what two of them export under one name, with the rights of the scan;
 * then by contexts, and by the ClusterProfiles of one of them.
 */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { partOf } from '../../../src/manifests/installation.ts';
import type { CheckReport } from '../../../src/report/report.ts';
import { claim, labelled, managed, profile as profileOf } from '../../support/objects.ts';
import { fill } from '../bench/scan/fill.ts';
import {
  type ControlPlane,
  type Json,
  type ServiceProxy,
  startControlPlane,
  startProxy,
  until,
} from './harness/index.ts';
import { tokenOf, writeContexts } from './harness/users.ts';
import { scanned } from './scan/objects.ts';

const NAMES = ['east', 'west', 'north'] as const;
const COUNT = 2000;
const planes = new Map<string, ControlPlane>();
const [east, west, north] = NAMES.map((name) => () => planes.get(name) as ControlPlane) as [Get, Get, Get];
type Get = () => ControlPlane;
/** In front of `west`. */
let proxy: ServiceProxy;
let kubeconfig: string;

/** The service account of the scan. */
const ACCOUNT = 'muster-scan';

beforeAll(async () => {
  const users = {
    [ACCOUNT]: { name: `system:serviceaccount:muster-system:${ACCOUNT}`, groups: ['system:authenticated'] },
  };
  await Promise.all(NAMES.map(async (name) => planes.set(name, await startControlPlane({ crds: 'loose', users }))));
});
afterAll(async () => {
  await proxy?.close();
  await Promise.all([...planes.values()].map((plane) => plane.stop()));
});

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

/** Three clusters, of which two have one id. */
async function fillAll(): Promise<void> {
  const ids = { east: 'one', west: 'one', north: 'three' };
  for (const name of NAMES) {
    const plane = planes.get(name);
    const id = ids[name];
    await plane?.apply(claim('id.k8s.io', id), claim('clusterset.k8s.io', 'fleet'), claim(`${name}.k8s.io`, 'x'));
  }
  await fill(west(), COUNT);
  proxy = await startProxy({ targets: () => [{ port: Number(new URL(west().url).port) }] });
  const clusters = { east: east(), west: { url: proxy.url, caFile: west().caFile }, north: north() };
  kubeconfig = writeContexts(join(east().folder, 'three.kubeconfig'), 'admin', clusters);
}

const three = (...args: string[]) =>
  scanned('--kubeconfig', kubeconfig, ...NAMES.flatMap((name) => ['--context', name]), ...args);
/** The names of objects with findings, by cluster. */
const namesIn = ({ results }: Json, cluster: string) =>
  results.filter((one: Json) => one.cluster === cluster && one.findings.length > 0).map((one: Json) => one.name);

/** By cluster, the other cluster with the same id. */
const sharedIds = ({ results }: Json) =>
  Object.fromEntries(
    results.flatMap(({ cluster, findings }: Json) =>
      findings
        .filter(({ ruleId }: Json) => ruleId === 'claim/id-unique-in-clusterset')
        .map(({ related }: Json) => [cluster, related[0].cluster]),
    ),
  );

describe('contexts', () => {
  beforeAll(fillAll);

  test('are scanned side by side; an id that two of them have is found', async () => {
    const { code, report, stderr } = await three();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^\d+ evaluated: .*\n$/);
    for (const name of NAMES) expect(namesIn(report, name)).toContain(`${name}.k8s.io`);
    expect(sharedIds(report)).toEqual({ east: 'west', west: 'east' });
    expect(report.results.filter((one: Json) => one.cluster === 'west')).toHaveLength(COUNT + 3);
  });

  test('one that answers slowly ends at its own limit, and the others are complete', async () => {
    proxy.hold();
    const { code, report, stderr } = await three('--timeout', '3s');
    proxy.release();
    expect(code).toBe(2);
    expect(stderr).toContain('error: west: ');
    expect(sharedIds(report)).toEqual({});
    expect(report.errors).toMatchObject([
      { cluster: 'west', message: expect.stringContaining('within 3 s (--timeout)') },
    ]);
    for (const name of ['east', 'north']) expect(namesIn(report, name)).toContain(`${name}.k8s.io`);
  });

  test('one that is killed in the middle of the scan is named, and the others are complete', async () => {
    const before = proxy.counts.turns;
    const running = three('--page-size', '1');
    // A page is one object.
    await until('a quarter of the pages', async () => proxy.counts.turns >= before + COUNT / 4);
    await west().stopApiServer('SIGKILL');
    const { code, report } = await running;
    await west().startApiServer();
    expect(code).toBe(2);
    expect(new Set(report.errors.map((one: Json) => one.cluster))).toEqual(new Set(['west']));
    const read = report.results.filter((one: Json) => one.cluster === 'west').length;
    expect([read > 0, read < COUNT]).toEqual([true, true]);
    for (const name of ['east', 'north']) expect(namesIn(report, name)).toContain(`${name}.k8s.io`);
  });
});

describe('the fleet of a hub', () => {
  let calls: string;
  let providerFile: string;
  /** Scans by the provider file; a plugin notes each of its runs. */
  const fleet = (...args: string[]) =>
    scanned('--kubeconfig', kubeconfig, '--fleet', '--provider-file', providerFile, ...args);

  beforeEach(async () => {
    calls = join(east().folder, 'calls');
    rmSync(calls, { force: true });
    const plugin = join(east().folder, 'plugin.sh');
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: tokenOf('admin') },
    };
    writeFileSync(
      plugin,
      `#!/bin/sh\necho "$*|$EXTRA|$KUBERNETES_EXEC_INFO" >>${calls}\necho '${JSON.stringify(credential)}'\n`,
    );
    chmodSync(plugin, 0o700);
    const execConfig = { apiVersion: credential.apiVersion, command: plugin, args: ['own'], provideClusterInfo: true };
    providerFile = join(east().folder, 'providers.json');
    writeFileSync(providerFile, JSON.stringify({ providers: [{ name: 'script', execConfig }] }));
    await east().kubectl('admin', ['delete', 'clusterprofiles', '--all', '-A']);
    await profile('west', { name: 'script', cluster: clusterOf(west()) });
  });

  async function profile(name: string, ...accessProviders: Json[]): Promise<void> {
    const object = profileOf(name, managed('depot'), { namespace: 'default', ...labelled('depot') });
    await east().apply(object);
    const path = `/apis/multicluster.x-k8s.io/v1alpha2/namespaces/default/clusterprofiles/${name}/status`;
    expect((await east().api('admin').call('PATCH', path, { status: { accessProviders } })).status).toBe(200);
  }

  const clusterOf = ({ url, caFile }: ControlPlane, more: Json = {}) => ({
    server: url,
    'certificate-authority-data': readFileSync(caFile).toString('base64'),
    extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { clusterName: 'w' } }],
    ...more,
  });

  test('is scanned with the credentials of the named plugin, which gets the data of its cluster; so is the hub', async () => {
    const { code, report } = await fleet('--live');
    expect(new Set(report.results.map((one: Json) => one.cluster))).toEqual(new Set(['east', 'default/west']));
    expect({ code, names: namesIn(report, 'default/west') }).toMatchObject({
      code: 1,
      names: expect.arrayContaining(['west.k8s.io']),
    });
    const [args, , info = ''] = readFileSync(calls, 'utf8').trim().split('|');
    expect(args).toBe('own');
    expect(JSON.parse(info).spec.cluster).toMatchObject({ server: west().url, config: { clusterName: 'w' } });
  });

  test('a profile chooses neither a program nor its arguments and environment', async () => {
    const marker = join(east().folder, 'marker');
    const evil = { command: '/usr/bin/touch', args: [marker] };
    const extension = (name: string, data: Json) => ({ name, extension: data });
    await profile('args', {
      name: 'script',
      cluster: clusterOf(north(), {
        extensions: [
          extension('clusterprofiles.multicluster.x-k8s.io/exec/additional-args', [marker]),
          extension('clusterprofiles.multicluster.x-k8s.io/exec/additional-envs', {
            EXTRA: 'evil',
            LD_PRELOAD: '/tmp/evil.so',
          }),
          extension('client.authentication.k8s.io/exec', evil),
        ],
      }),
    });
    const { report, stderr } = await fleet();
    expect(stderr).toContain('note: default/args: its own additional arguments and environment are ignored');
    expect(namesIn(report, 'default/args')).toContain('north.k8s.io');
    const lines = readFileSync(calls, 'utf8').trim().split('\n');
    expect(new Set(lines.map((line) => line.split('|').slice(0, 2).join('|')))).toEqual(new Set(['own|']));
    expect(existsSync(marker)).toBe(false);
  });
});
