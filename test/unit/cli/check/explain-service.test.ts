/**
 * `check --explain-service`: what each cluster exports, the conflicts, and the imports that may come out, as text and
 * JSON.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { explainService, serviceNameIn } from '../../../../src/cli/check/explain-service.ts';
import { type CheckRun, runCheck } from '../../../../src/cli/check/run.ts';
import { serviceText } from '../../../../src/cli/check/service-table.ts';
import { parseGlob } from '../../../../src/input/clusters/glob.ts';
import { clusterRequest } from '../../../../src/input/clusters/request.ts';
import { noColor, paintFor } from '../../../../src/report/terminal.ts';
import { run, yaml } from '../../../support/command-line.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';
import { memberOf } from '../../../support/services.ts';

let folder: Folder;
beforeEach(() => {
  folder = newFolder();
});

function exported(spec: JsonObject | undefined, more: JsonObject = {}, name = 'web'): readonly JsonObject[] {
  const metadata = { name, namespace: 'shop' };
  const own = { apiVersion: 'multicluster.x-k8s.io/v1beta1', kind: 'ServiceExport', metadata, ...more };
  return spec === undefined ? [own] : [own, { apiVersion: 'v1', kind: 'Service', metadata, spec }];
}
const HTTP = { ports: [{ name: 'http', port: 80 }] };
const HEADLESS = { clusterIP: 'None', ports: [{ name: 'http', port: 8080 }] };

/** Explains shop/web of these clusters. */
async function explain(clusters: Readonly<Record<string, readonly JsonObject[]>>, more: Partial<CheckRun> = {}) {
  for (const [name, objects] of Object.entries(clusters)) folder.put(`clusters/${name}/all.yaml`, yaml(...objects));
  const glob = parseGlob('clusters/*', '--clusters', folder.path);
  const serviceToExplain = { namespace: 'shop', name: 'web' };
  return runCheck(run({ clusters: clusterRequest([], {}, [glob]), serviceToExplain, ...more }));
}
const textOf = async (clusters: Readonly<Record<string, readonly JsonObject[]>>) =>
  serviceText((await explain(clusters)).services ?? [], noColor);

describe('as text', () => {
  test('who conflicts with whom, and what comes out whichever export is the oldest', async () => {
    const clusters = { east: exported(HTTP), north: exported(HTTP), west: exported(HEADLESS) };
    expect(await textOf(clusters)).toBe(`shop/web: exported by 3 clusters, consumed as web.shop.svc.clusterset.local
CLUSTER  SERVICE  CREATED  TYPE (!)      PORTS (!)      AFFINITY  TRAFFIC POLICY  DISTRIBUTION
east     ready    -        ClusterSetIP  http 80/TCP    None      Cluster         none
north    ready    -        ClusterSetIP  http 80/TCP    None      Cluster         none
west     ready    -        Headless      http 8080/TCP  None      Cluster         none

CONFLICT      VALUES
TypeConflict  ClusterSetIP (east, north), Headless (west)
PortConflict  http 80/TCP (east, north), http 8080/TCP (west)

What consumers get: it is open which export is the oldest.
OLDEST       TYPE          PORTS          AFFINITY  TRAFFIC POLICY  DISTRIBUTION  DROPPED PORTS
east, north  ClusterSetIP  http 80/TCP    None      Cluster         none          http 8080/TCP of west
west         Headless      http 8080/TCP  -         Cluster         none          http 80/TCP of east, north
`);
  });

  test('no conflict, and a Service that can not be exported or is not there', async () => {
    const clusters = {
      east: [...memberOf('fleet', 'c'), ...exported({ ...HTTP, sessionAffinity: 'ClientIP', ipFamilies: ['IPv4'] })],
      north: [...memberOf('fleet', 'c'), ...exported({ type: 'ExternalName', externalName: 'a.example' })],
      south: [...memberOf('other', 'c'), ...exported(HEADLESS)],
      west: [
        ...memberOf('fleet', 'c'),
        ...exported(undefined),
        { apiVersion: 'v1', kind: 'Service', metadata: { name: 'b' } },
      ],
    };
    expect(
      await textOf(clusters),
    ).toBe(`shop/web: exported by 3 clusters of the ClusterSet fleet, consumed as web.shop.svc.clusterset.local
CLUSTER  SERVICE        CREATED  TYPE          PORTS        AFFINITY  TIMEOUT  TRAFFIC POLICY  DISTRIBUTION  IP FAMILIES
east     ready          -        ClusterSetIP  http 80/TCP  ClientIP  10800 s  Cluster         none          IPv4
north    external name  -        -             -            -         -        -               -             -
west     missing        -        -             -            -         -        -               -             -

No conflicts.

What consumers get:
OLDEST  TYPE          PORTS        AFFINITY  TIMEOUT  TRAFFIC POLICY  DISTRIBUTION  DROPPED PORTS
east    ClusterSetIP  http 80/TCP  ClientIP  10800 s  Cluster         none          -

shop/web: exported by 1 cluster of the ClusterSet other, consumed as web.shop.svc.clusterset.local
CLUSTER  SERVICE  CREATED  TYPE      PORTS          AFFINITY  TRAFFIC POLICY  DISTRIBUTION
south    ready    -        Headless  http 8080/TCP  None      Cluster         none

No conflicts.

What consumers get:
OLDEST  TYPE      PORTS          TRAFFIC POLICY  DISTRIBUTION  DROPPED PORTS
south   Headless  http 8080/TCP  Cluster         none          -
`);
  });

  test('the whole order, where the oldest alone does not decide', async () => {
    const port = (name: string, number: number) => exported({ ports: [{ name, port: number }] });
    const oldest = async (...of: ReturnType<typeof port>[]) => {
      const [a = [], b = [], c = []] = of;
      const [, shown = ''] = (await textOf({ a, b, c })).split('OLDEST');
      return shown
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split('  ')[0]);
    };
    expect(await oldest(port('x', 80), port('y', 80), port('z', 80))).toEqual(['a', 'b', 'c']);
    expect(await oldest(port('x', 80), port('y', 81), port('y', 82))).toEqual(['a > b > c', 'a > c > b']);
    expect(await oldest(port('x', 80), port('y', 81), port('z', 82))).toEqual(['a, b, c']);
  });

  test('nothing is exported, or all that is known is the export', async () => {
    const only = { east: [...exported(undefined), ...exported(HTTP, {}, 'other')] };
    expect(await textOf(only)).toContain('Consumers get nothing: no export has a Service that can be exported.');
    rmSync(join(folder.path, 'clusters'), { recursive: true });
    const unknown = await textOf({ east: exported(undefined) });
    expect(unknown).toMatch(/^east +unknown +- +-$/m);
    expect(unknown).toMatch(/^OLDEST +PORTS +DROPPED PORTS\neast +unknown +-$/m);
    expect(await textOf({ east: exported(undefined), west: exported(HTTP) })).toContain(' http 80/TCP, unknown ');
  });

  test('colors mark what is wrong, and a name can not forge a line', async () => {
    const paint = paintFor({}, {}, 'always');
    const name = { namespace: 'shop', name: 'web', consumersName: 'x\nerror: y' };
    const forged = [
      { ...name, exports: [{ cluster: 'a\nb', service: 'missing' }], conflicts: [], outcomes: [] },
    ] as const;
    const text = serviceText(forged, paint);
    expect(text).toContain('x\\u000aerror: y');
    expect(text).toContain('\u001b[33ma\\u000ab  missing');
    expect(text).toContain('\u001b[32mNo conflicts.');
  });

  test('the name of a cluster begins no command of GitHub', async () => {
    const text = await textOf({ '::error::x': exported(HTTP), west: exported(HEADLESS) });
    expect(text).toMatch(/^\.\/::error::x +ready /m);
    expect(text).not.toMatch(/^\s*::/m);
  });
});

test('as data: keys of exported labels, never their values, nor anything of a Service’s own', async () => {
  const labelled = { spec: { exportedLabels: { team: 'secret-1' }, exportedAnnotations: { b: 'secret-2', a: '' } } };
  const [own, service] = exported({ ...HTTP, selector: { app: 'secret-3' } }, labelled) as [JsonObject, JsonObject];
  const metadata = { name: 'web', namespace: 'shop', labels: { x: 'secret-4' }, annotations: { y: 'secret-5' } };
  const { services } = await explain({ east: [own, { ...service, metadata }], west: exported(HTTP) });
  expect(JSON.stringify(services)).not.toContain('secret');
  const text = serviceText(services ?? [], noColor);
  expect(text).toContain('\nLabelsConflict       team=… (east), none (west)\n');
  expect(text).toContain('which export is the oldest. Labels and annotations are those of the oldest.\n');
  expect(text).toContain('\nAnnotationsConflict  a=…, b=… (east), none (west)\n');
  const web = {
    service: 'ready',
    type: 'ClusterSetIP',
    ports: [{ name: 'http', protocol: 'TCP', port: 80, appProtocol: '' }],
    sessionAffinity: 'None',
    internalTrafficPolicy: 'Cluster',
    trafficDistribution: '',
  };
  const { service: _, ...got } = web;
  const outcome = { arePortsKnown: true, dropped: [], ...got };
  expect(services).toEqual([
    {
      namespace: 'shop',
      name: 'web',
      consumersName: 'web.shop.svc.clusterset.local',
      exports: [
        { cluster: 'east', ...web, exportedLabels: ['team'], exportedAnnotations: ['a', 'b'] },
        { cluster: 'west', ...web },
      ],
      conflicts: [
        { reason: 'LabelsConflict', property: 'labels', clusters: [['east'], ['west']] },
        { reason: 'AnnotationsConflict', property: 'annotations', clusters: [['east'], ['west']] },
      ],
      outcomes: [
        {
          order: ['east', 'west'],
          oldest: ['east'],
          ...outcome,
          exportedLabels: ['team'],
          exportedAnnotations: ['a', 'b'],
        },
        { order: ['west', 'east'], oldest: ['west'], ...outcome },
      ],
    },
  ]);
});

test('times of a state decide who wins', async () => {
  const created = (creationTimestamp: string) => ({ metadata: { name: 'web', namespace: 'shop', creationTimestamp } });
  const state = (name: string, objects: readonly JsonObject[]) =>
    `${name}=${folder.put(`${name}.yaml`, yaml(...objects))}`;
  const states = [
    state('east', exported(HTTP, created('2026-05-02T00:00:00Z'))),
    state('west', exported(HEADLESS, created('2026-05-01T00:00:00Z'))),
  ];
  const clusters = clusterRequest([], { state: states, cluster: states.map((one) => one) }, []);
  const serviceToExplain = { namespace: 'shop', name: 'web' };
  const { services = [] } = await runCheck(run({ clusters, serviceToExplain }));
  expect(services[0]?.exports.map((one) => one.created)).toEqual(['2026-05-02T00:00:00Z', '2026-05-01T00:00:00Z']);
  expect(services[0]?.outcomes.map(({ type, order }) => [type, order])).toEqual([['Headless', ['west', 'east']]]);
});

describe('what can not be explained', () => {
  test.each(['web', 'shop/', '/web', 'shop/web/x', ''])('the name %j', (text) => {
    expect(() => serviceNameIn(text)).toThrow(
      `--explain-service ${text}: expected NAMESPACE/NAME of a Service, such as shop/web`,
    );
  });

  test('a service that nobody exports', async () => {
    const clusters = { east: exported(HTTP, {}, 'wbe') };
    await expect(explain(clusters)).rejects.toThrow(
      'no cluster of the run has a ServiceExport shop/web; did you mean "shop/wbe"?',
    );
    const others = { east: Array.from({ length: 7 }, (_, index) => exported(HTTP, {}, `other-${index}`)).flat() };
    await expect(explain(others)).rejects.toThrow(
      /has a ServiceExport shop\/web; exported are shop\/other-0, shop\/other-1, .* and 2 more$/,
    );
    expect(() => explainService({ namespace: 'shop', name: 'web' }, undefined)).toThrow(/ServiceExport shop\/web$/);
  });

  test('a service that a chart may export, which is not rendered', async () => {
    folder.put('clusters/west/Chart.yaml', 'name: a\nversion: 1.0.0\n');
    folder.put('clusters/west/templates/export.yaml', yaml(...exported(undefined)));
    await expect(explain({ east: exported(HTTP, {}, 'other') })).rejects.toThrow(
      /shop\/web; exported are shop\/other; .*\/export\.yaml is not evaluated, .*: it is a template of the Helm chart/,
    );
  });

  test('a service of clusters in no ClusterSet', async () => {
    await expect(explain({ east: exported(HTTP), west: memberOf('fleet', 'c') })).rejects.toThrow(
      'shop/web is exported only by clusters that are in no ClusterSet',
    );
  });

  test('clusters in no ClusterSet that export it too are named', async () => {
    const one = { east: [...exported(HTTP), ...memberOf('fleet', 'c')], west: exported(HTTP) };
    const note = 'note: west exports shop/web too, but it is in no ClusterSet: name it by a membership claim';
    const { services, notes } = await explain(one);
    expect(services?.flatMap(({ exports }) => exports.map(({ cluster }) => cluster))).toEqual(['east']);
    expect(notes).toContain(note);
  });

  test('input that can not be read: it may hold another export', async () => {
    folder.put('clusters/west/bad.yaml', 'kind: ServiceExport\napiVersion: multicluster.x-k8s.io/v1beta1\n a: {');
    const { services, report } = await explain({ east: exported(HTTP) });
    expect(services).toBeUndefined();
    expect(report.errors).toHaveLength(1);
  });
});

test('a rule that is ignored hides nothing, and one cluster needs no name', async () => {
  const paths = [folder.put('all.yaml', yaml(...exported(HTTP)))];
  const { services } = await runCheck(run({ paths, serviceToExplain: { namespace: 'shop', name: 'web' } }));
  expect(services?.[0]?.exports.map(({ cluster, service }) => [cluster, service])).toEqual([['', 'ready']]);
  expect(serviceText(services ?? [], noColor)).toContain('\n(the only one)  ready');
});
