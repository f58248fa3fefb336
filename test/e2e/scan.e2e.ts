/** `muster scan --live` on an API server into which everything was let: what it finds, how it pages, what it leaves behind. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scanCluster } from '../../src/cli/scan/live.ts';
import { type ApiClient, openCluster } from '../../src/cluster/live/client.ts';
import { ownNamespace } from '../../src/manifests/access.ts';
import { partOf } from '../../src/manifests/installation.ts';
import { type ControlPlane, definitionsOf, type Json, startControlPlane } from './harness/index.ts';
import { SLIPPED, type Slipped } from './scan/objects.ts';
import { OPEN_REPORTS } from './scan/open-reports.ts';
import { rulesByObject, scan, scanned, startScan } from './scan/run.ts';

const NAMESPACE = 'muster-system';
const CLAIMS = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
const MANY = 3000;
let controlPlane: ControlPlane;
/** Kubeconfigs: of the scan's own account, and of one who may see inventories alone. */
let own: string;
let partial: string;

beforeAll(async () => {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${NAMESPACE}`, 'system:authenticated'];
  controlPlane = await startControlPlane({
    crds: 'none',
    users: {
      'muster-scan': { name: `system:serviceaccount:${NAMESPACE}:muster-scan`, groups },
      partial: { name: 'partial', groups: ['system:authenticated'] },
    },
    // Else old lists are answered from memory, and no history is ever gone.
    apiServerFlags: ['--feature-gates=ListFromCacheSnapshot=false'],
  });
  const installed = partOf('scan', { image: 'muster:e2e' });
  const rights = installed.filter(({ kind }) => /Role|ServiceAccount/.test(kind));
  await controlPlane.apply(ownNamespace(NAMESPACE), ...definitionsOf('loose'), ...rights, ...seesInventories());
  await Promise.all(SLIPPED.map(store));
  own = controlPlane.kubeconfig('muster-scan');
  partial = controlPlane.kubeconfig('partial');
});
afterAll(() => controlPlane?.stop());

describe('what is found', () => {
  test('each thing that slipped in, by its rules, and nothing else', async () => {
    const { code, report, stderr } = await scanned('--live', '--kubeconfig', own);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(rulesByObject(report)).toEqual(EXPECTED);
    expect(report.summary).toMatchObject({ judged: SLIPPED.length, errors: 0, skipped: 0, indeterminate: 0 });
  });

  test('as text, each finding by the name that kubectl takes', async () => {
    const { stdout } = await scan('--live', '--kubeconfig', own, '--page-size', '1');
    expect(stdout).toContain(
      'clusterclaims.multicluster.x-k8s.io/clusterset.k8s.io:1:1: deny [claim/clusterset-requires-id]',
    );
    expect(stdout).toContain('features.features.x-k8s.io/kube-system/bare:1:1: deny [feature/shape] status.state:');
    expect(stdout).toMatch(/\n21 judged: /);
  });

  test.each(['junit', 'sarif', 'github'])('as %s, with the same exit code', async (format) => {
    const { code, stdout } = await scan('--live', '--kubeconfig', own, '-o', format);
    expect(code).toBe(1);
    expect(stdout).toContain('claim/reserved-name');
  });

  test('what kubectl exports is judged alike', async () => {
    const kinds = ['clusterclaims.multicluster.x-k8s.io', 'clusterclaims.cluster.open-cluster-management.io'];
    kinds.push('clusterproperties', 'inventoryclusters', 'clusterprofiles', 'features.features.x-k8s.io');
    const { stdout } = await controlPlane.kubectl('admin', ['get', kinds.join(','), '-A', '-o', 'json']);
    const stored = join(controlPlane.folder, 'export.json');
    writeFileSync(stored, stdout);
    const { code, report } = await scanned('--state', stored);
    expect(code).toBe(1);
    expect(rulesByObject(report)).toEqual(EXPECTED);
  });
});

test('what may not be listed is named, the rest is judged, and the exit code is 2', async () => {
  const { code, report, stderr } = await scanned('--live', '--kubeconfig', partial);
  expect(code).toBe(2);
  expect(report.errors.map(({ file }) => file)).toEqual([
    'clusterclaims.multicluster.x-k8s.io',
    'clusterclaims.cluster.open-cluster-management.io',
    'clusterproperties.about.k8s.io',
    'features.features.x-k8s.io',
  ]);
  expect(stderr).toContain('give the right to list clusterclaims.multicluster.x-k8s.io');
  const inventory = Object.entries(EXPECTED).filter(([object]) => /InventoryCluster|ClusterProfile/.test(object));
  expect(rulesByObject(report)).toEqual(Object.fromEntries(inventory));
});

describe('what is left behind', () => {
  const events = async (): Promise<Json[]> => {
    const { stdout } = await controlPlane.kubectl('admin', ['get', 'events', '-A', '-o', 'json']);
    return JSON.parse(stdout).items.filter(({ source }: Json) => source.component === 'muster-scan');
  };

  test('an Event on each object where the manifests allow one; elsewhere a note says what to bind', async () => {
    const { code, stderr } = await scan('--live', '--kubeconfig', own, '--event');
    const [note, ...more] = stderr.trim().split('\n');
    expect({ code, more }).toEqual({ code: 1, more: [] });
    expect(note).toMatch(/^note: no Event for \d+ objects in .*; bind the ClusterRole muster-scan-events to it/);
    expect(new Set((await events()).map(({ metadata }) => metadata.namespace))).toEqual(
      new Set(['default', 'kube-system']),
    );
  });

  test('once bound as docs/scan.md says, an Event on each object with findings, once however often it is scanned', async () => {
    const [command = ''] = readFileSync('docs/scan.md', 'utf8').match(/kubectl create rolebinding .*$/m) ?? [];
    for (const namespace of new Set(SLIPPED.flatMap(({ object }) => object.metadata.namespace ?? []))) {
      if (namespace === 'kube-system') continue;
      const words = command.replace('NAMESPACE', namespace).split(' ').slice(1);
      await controlPlane.kubectl('admin', words);
    }
    for (let times = 0; times < 2; times++) {
      const { code, stderr } = await scan('--live', '--kubeconfig', own, '--event');
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    }
    expect(await events()).toHaveLength(Object.keys(EXPECTED).length);
    const { stdout } = await controlPlane.kubectl('admin', [
      'describe',
      'clusterclaims.multicluster.x-k8s.io',
      'mine.k8s.io',
    ]);
    expect(stdout).toMatch(/Warning +RuleBroken .*muster-scan +\[claim\/reserved-name\]/);
    const inNamespace = await controlPlane.kubectl('admin', ['describe', 'feature', 'bare', '-n', 'kube-system']);
    expect(inNamespace.stdout).toContain('[feature/shape]');
  });

  test('without the right it is said, and what was found is told all the same', async () => {
    const { code, report } = await scanned('--live', '--kubeconfig', partial, '--event');
    expect(code).toBe(2);
    expect(report.errors.at(-1)).toMatchObject({
      file: 'events',
      message: expect.stringContaining('create and patch'),
    });
    expect(report.summary.warnings).toBeGreaterThan(0);
  });

  test('reports need their kinds', async () => {
    const { code, stderr } = await scan('--live', '--kubeconfig', own, '--report');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'the cluster does not serve openreports.io/v1alpha1: install its CRDs, or leave --report out',
    );
  });

  test('a ClusterReport and a Report for each namespace with findings, gone when it is clean', async () => {
    await controlPlane.apply(...OPEN_REPORTS);
    const run = async () => {
      const { code, stderr } = await scan('--live', '--kubeconfig', own, '--report');
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      const { stdout } = await controlPlane.kubectl('admin', ['get', 'clusterreports,reports', '-A', '-o', 'json']);
      return JSON.parse(stdout).items as Json[];
    };
    const first = await run();
    expect(first.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}`).sort()).toEqual([
      'ClusterReport ',
      'Report default',
      'Report kube-public',
      'Report kube-system',
    ]);
    const [all] = first.filter(({ kind }) => kind === 'ClusterReport');
    expect(all.summary).toEqual({ pass: 3, fail: 8, warn: 3, error: 0, skip: 0 });
    expect(all.results).toContainEqual(
      expect.objectContaining({
        policy: 'claim/reserved-name',
        result: 'fail',
        severity: 'high',
        resources: [expect.objectContaining({ name: 'mine.k8s.io', uid: expect.any(String) })],
      }),
    );
    const mended = SLIPPED.filter(({ object }) => object.metadata.namespace === 'kube-public');
    for (const { object } of mended) await remove(object);
    const second = await run();
    expect(second.map(({ metadata }) => metadata.namespace).sort()).toEqual(['default', 'kube-system', undefined]);
    await Promise.all(mended.map(store));
  });

  test('metrics of the last scan, scan after scan, until it is told to stop', async () => {
    const running = startScan('--live', '--kubeconfig', own, '--expose-metrics', '127.0.0.1:0', '--interval', '1s');
    const address = await eventually(async () => /http:\/\/[\d.]+:\d+/.exec(running.stderr())?.[0]);
    const metrics = async () => (await fetch(`${address}/metrics`)).text();
    await eventually(async () => (await fetch(`${address}/readyz`)).status === 200 || undefined);
    const text = await eventually(
      async () => /muster_scan_runs_total\{outcome="complete"\} [2-9]/.exec(await metrics())?.input,
    );
    expect(text).toContain('muster_scan_objects{dialect="cluster-claim",outcome="denied"} 3\n');
    expect(text).toContain('muster_scan_findings{rule="inventory/unique-cluster-id",action="warn"} 2\n');
    expect(text).toMatch(/# EOF\n$/);
    running.child.kill('SIGTERM');
    expect(await once(running.child, 'exit')).toEqual([0, null]);
  });
});

describe('the CronJob', () => {
  test('is taken by the API server, with the base and alone', async () => {
    const dryRun = ['apply', '--dry-run=server', '-f', '-'];
    const part = partOf('scan', { image: 'muster:e2e' });
    const { code, stderr } = await controlPlane.kubectl('admin', dryRun, [...part]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringMatching(/unknown field|would violate/) });
    const overlay = await controlPlane.kubectl('admin', ['kustomize', 'manifests/overlays/scan']);
    expect(overlay.stdout).toContain('kind: Deployment');
    expect(overlay.stdout).toContain('kind: CronJob\nmetadata:\n  labels:\n    app.kubernetes.io/component: scan');
  });

  test('runs with its arguments, under the configuration of the server', async () => {
    const [cronJob]: Json[] = partOf('scan', { image: 'muster:e2e' }).filter(({ kind }) => kind === 'CronJob');
    const [config]: Json[] = [...partOf('config', { image: '' })];
    const file = join(controlPlane.folder, 'muster.yaml');
    writeFileSync(file, config.data['muster.yaml']);
    const [, ...given]: string[] = cronJob.spec.jobTemplate.spec.template.spec.containers[0].args;
    const args = given.map((arg) => arg.replace('/etc/muster/muster.yaml', file));
    expect(args).toContain(`--config=${file}`);
    const { code, stdout, stderr } = await scan(...args, '--kubeconfig', own);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain('21 judged: ');
  });
});

describe('many objects', () => {
  beforeAll(async () => {
    const names = Array.from({ length: MANY }, (_, index) => `many-${index}.example.com`);
    const work = async () => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) {
        await store({ object: claim(name, 'x'), rules: [] });
      }
    };
    await Promise.all(Array.from({ length: 32 }, work));
  });

  test('are read in pages', async () => {
    const { calls, client } = counting(openCluster({ kubeconfig: own }));
    const found = await scanCluster({ client, pageSize: 250, clock: Date.now });
    client.close();
    expect(found.errors).toEqual([]);
    expect(found.results).toHaveLength(SLIPPED.length + MANY);
    const pages = calls.filter((path) => path.startsWith(CLAIMS));
    // One of 100, to see how large objects are; then of 250.
    expect(pages).toHaveLength(1 + Math.ceil((MANY + 4 - 100) / 250));
    expect(pages[1]).toContain('limit=250&continue=');
  });

  test('where the history of a list is gone, it begins anew, and counts nothing twice', async () => {
    const { calls, client } = counting(openCluster({ kubeconfig: own }));
    let forgotten = false;
    const forgetful: ApiClient = {
      ...client,
      async call(request) {
        if (!forgotten && request.path.startsWith(`${CLAIMS}?`) && request.path.includes('continue=')) {
          forgotten = true;
          await store({ object: claim('late.k8s.io', 'x'), rules: [] });
          await controlPlane.etcd.compact();
        }
        return client.call(request);
      },
    };
    const found = await scanCluster({ client: forgetful, pageSize: 500, clock: Date.now });
    client.close();
    expect(calls.filter((path) => path.startsWith(`${CLAIMS}?`) && !path.includes('continue='))).toHaveLength(2);
    expect(found.errors).toEqual([]);
    // The second beginning sees what was written after the first.
    expect(found.results).toHaveLength(SLIPPED.length + MANY + 1);
    expect(found.results.find(({ name }) => name === 'late.k8s.io')?.outcome).toBe('denied');
    expect(new Set(found.results.map(({ file }) => file)).size).toBe(found.results.length);
    await remove(claim('late.k8s.io', 'x'));
  });
});

describe('less than all', () => {
  test('a kind that is not installed is noted, and nothing is wrong', async () => {
    for (const name of ['clusterclaims.cluster.open-cluster-management.io', 'clusterproperties.about.k8s.io'])
      await controlPlane.kubectl('admin', ['delete', 'crd', name]);
    const { report, stderr } = await scanned('--live', '--kubeconfig', own);
    expect(stderr.trim().split('\n')).toEqual([
      'note: the cluster serves no clusterclaims.cluster.open-cluster-management.io: nothing of it is scanned',
      'note: the cluster serves no clusterproperties.about.k8s.io: nothing of it is scanned',
    ]);
    expect(report.errors).toEqual([]);
  });

  test('an API server that is away is one error', async () => {
    await controlPlane.stopApiServer('SIGKILL');
    const { code, report } = await scanned('--live', '--kubeconfig', own);
    expect(code).toBe(2);
    expect(report.errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/can't be reached \(ECONNREFUSED\)/),
    ]);
  });
});

const EXPECTED = Object.fromEntries(
  SLIPPED.filter(({ rules }) => rules.length > 0).map(({ object, rules }) => [
    [`${String(object['apiVersion']).split('/')[0]} ${object['kind']}`, object.metadata.namespace, object.metadata.name]
      .filter((part) => part !== undefined)
      .join('/'),
    rules,
  ]),
);

const claim = (name: string, value: string) => ({
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'ClusterClaim',
  metadata: { name },
  spec: { value },
});

/** Creates it, and its status after. */
async function store({ object }: Slipped): Promise<void> {
  const api = controlPlane.api('admin');
  const path = await controlPlane.pathOf(object);
  const made = await api.call('POST', path.slice(0, path.lastIndexOf('/')), object);
  if (made.status > 299) throw new Error(`${path}: ${made.status} ${made.body.message}`);
  if (object['status'] === undefined) return;
  const written = await api.call('PATCH', `${path}/status`, { status: object['status'] });
  if (written.status > 299) throw new Error(`${path}/status: ${written.status} ${written.body.message}`);
}

async function remove(object: object): Promise<void> {
  await controlPlane.api('admin').call('DELETE', await controlPlane.pathOf(object));
}

function counting(client: ApiClient): { readonly calls: string[]; readonly client: ApiClient } {
  const calls: string[] = [];
  const call: ApiClient['call'] = (request) => {
    calls.push(request.path);
    return client.call(request);
  };
  return { calls, client: { ...client, call } };
}

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + 30_000;
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error('it did not come to pass within 30 s');
    await sleep(50);
  }
}

function seesInventories(): object[] {
  const name = 'sees-inventories';
  const RBAC = 'rbac.authorization.k8s.io';
  const rules = [
    { apiGroups: ['multicluster.x-k8s.io'], resources: ['inventoryclusters', 'clusterprofiles'], verbs: ['list'] },
  ];
  const subjects = [{ kind: 'User', name: 'partial', apiGroup: RBAC }];
  return [
    { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name }, rules },
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
      subjects,
    },
  ];
}
