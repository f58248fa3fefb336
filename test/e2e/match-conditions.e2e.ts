/**
 * `matchConditions` on a real API server: which writes it calls for. Instead of muster a server records
 * the calls and allows them, under `failurePolicy: Fail` throughout: an expression that fails would refuse the write.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Enforcement } from '../../src/engine/plan.ts';
import { ensureDevelopmentCertificates } from '../../src/tls/development.ts';
import { type ControlPlane, type Json, register, startControlPlane } from './harness/index.ts';

const files = readdirSync('test/fixtures', { recursive: true, encoding: 'utf8' });
const denied = files.filter((name) => name.includes('/deny/') && name.endsWith('.yaml'));

/** All that a configuration can make the API server send. */
const ALL: Enforcement = {
  deletions: { inventory: true, feature: true },
  owners: { claim: 'deny', inventory: 'deny', feature: 'deny' },
  profileLabel: true,
};

let controlPlane: ControlPlane;
let recorder: Server;
const folder = mkdtempSync(join(tmpdir(), 'muster-e2e-'));
/** `/validate UPDATE features/status name`, in the order of the calls. */
let calls: string[] = [];

beforeAll(async () => {
  const { caFile, certFile, keyFile } = await ensureDevelopmentCertificates(folder);
  recorder = await startRecorder(readFileSync(certFile), readFileSync(keyFile));
  controlPlane = await startControlPlane({ crds: 'loose' });
  const namespaces = [...new Set(['tide', 'muster-system', ...namespacesOf(denied)])].map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  }));
  await controlPlane.apply(...namespaces);
  const url = `https://127.0.0.1:${(recorder.address() as AddressInfo).port}`;
  await register(controlPlane, { url, caFile }, { failurePolicy: 'Fail', enforcement: ALL });
});
beforeEach(() => {
  calls = [];
});
afterAll(async () => {
  await controlPlane?.stop();
  recorder?.closeAllConnections();
  recorder?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('every write with a finding is called for', () => {
  test.each(denied)('%s', async (name) => {
    const example = exampleOf(name);
    const { operation, subresource = '', old, object = old } = example;
    if (old) await store(old);
    calls = [];
    const status = await write(operation, object, subresource);
    await remove(object);
    expect(status).toBeLessThan(300);
    expect(calls.find((call) => call.startsWith(`/validate ${operation} `))).toBeDefined();
  });
});

const claim = {
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'ClusterClaim',
  metadata: { name: 'id.k8s.io' },
  spec: { value: 'a' },
};
const property = { ...claim, apiVersion: 'about.k8s.io/v1alpha1', kind: 'ClusterProperty' };
const cluster = {
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'InventoryCluster',
  metadata: { name: 'a', labels: { 'x-k8s.io/cluster-manager': 'm' } },
  spec: { clusterManager: { name: 'm' } },
  status: { conditions: [{ type: 'Joined' }] },
};
const profile = { ...cluster, kind: 'ClusterProfile', metadata: { ...cluster.metadata, namespace: 'tide' } };
const feature = {
  apiVersion: 'features.x-k8s.io/v1alpha1',
  kind: 'Feature',
  metadata: { name: 'a', namespace: 'tide' },
  spec: { desired: 'Enabled' },
  status: { state: 'Off', uses: [] },
};
const kinds: readonly (readonly [string, Json])[] = [
  ['ClusterClaim', claim],
  ['ClusterProperty, in its older version', property],
  ['InventoryCluster', cluster],
  ['ClusterProfile', profile],
  ['Feature', feature],
  ['Feature in kube-system', { ...feature, metadata: { name: 'a', namespace: 'kube-system' } }],
];

describe.each(kinds)('%s', (_, object) => {
  const withStatus = 'status' in object;
  const changed = (more: object) => ({ ...object, metadata: { ...object.metadata, ...more } });

  test('an update that leaves what the rules read as it is is not called for', async () => {
    await store(object);
    calls = [];
    await expectWrite('UPDATE', object);
    await expectWrite('UPDATE', changed({ annotations: { note: 'x' } }));
    if (!('labels' in object.metadata)) await expectWrite('UPDATE', changed({ labels: { any: 'x' } }));
    if (withStatus) await expectWrite('UPDATE', changed({ annotations: { note: 'y' } }), 'status');
    await expectWrite('UPDATE', changed({ finalizers: ['e2e.example.com/hold'] }));
    // On its way out: the finalizer's removal is what lets it go.
    await removeBy(object, 'jane');
    calls = [];
    await expectWrite('UPDATE', changed({ finalizers: [] }));
    expect(calls).toEqual([]);
  });

  test('an update that changes them is called for, once, whatever they become', async () => {
    const resource = await resourceOf(object);
    // Of an inventory object rules read the manager alone: in the first and the last it is missing.
    const isInventory = object.kind === 'InventoryCluster' || object.kind === 'ClusterProfile';
    const odd = [{ value: 7 }, 'text', ['x'], { deep: { a: [1, 2.5, null] } }, undefined];
    const ofInventory = [
      { clusterManager: 7 },
      'text',
      ['x'],
      { clusterManager: { name: [null] } },
      { displayName: 'x' },
    ];
    const specs = isInventory ? ofInventory : odd;
    await store(object);
    for (const spec of specs) {
      calls = [];
      await expectWrite('UPDATE', { ...object, spec });
      expect(calls).toEqual([`/validate UPDATE ${resource} ${object.metadata.name}`]);
      // The same again changes nothing.
      await expectWrite('UPDATE', { ...object, spec });
      expect(calls).toHaveLength(1);
    }
    for (const status of withStatus ? [{ state: 'On' }, null, 'text', undefined] : []) {
      calls = [];
      await expectWrite('UPDATE', { ...object, status }, 'status');
      expect(calls).toEqual([`/validate UPDATE ${resource}/status ${object.metadata.name}`]);
    }
    await remove(object);
  });

  test('objects as large as can be stored', async () => {
    const filled = (letter: string) => ({ value: letter.repeat(1_400_000), clusterManager: letter });
    const large = { ...object, spec: filled('x') };
    await store(large);
    calls = [];
    await expectWrite('UPDATE', { ...large, metadata: { ...object.metadata, annotations: { note: 'x' } } });
    expect(calls).toEqual([]);
    await expectWrite('UPDATE', { ...large, spec: filled('y') });
    expect(calls).toHaveLength(1);
    await remove(object);
  });
});

describe('deletions', () => {
  const named = (name: string) => ({ ...claim, metadata: { name } });

  test('of claims: of ids and memberships alone', async () => {
    const names = ['a.example.com', 'clusterset.k8s.io', 'id.k8s.io', 'z.example.com'];
    for (const name of names) await store(named(name));
    for (const name of names) {
      calls = [];
      await removeBy(named(name), 'jane');
      expect(calls).toEqual(name.endsWith('k8s.io') ? [`/validate DELETE clusterclaims ${name}`] : []);
    }
  });

  test('of claims in a collection, where the request has no name', async () => {
    for (const name of ['a.example.com', 'clusterset.k8s.io', 'id.k8s.io']) await store(named(name));
    calls = [];
    const path = (await controlPlane.pathOf(claim)).replace(/\/[^/]+$/, '');
    expect((await controlPlane.api('jane').call('DELETE', path)).status).toBe(200);
    expect(calls).toEqual([
      '/validate DELETE clusterclaims clusterset.k8s.io',
      '/validate DELETE clusterclaims id.k8s.io',
    ]);
  });

  test.each(['generic-garbage-collector', 'namespace-controller'])(
    'by the %s: of ids and memberships alone',
    async (name) => {
      for (const object of [claim, cluster, profile, feature]) {
        await store(object);
        calls = [];
        const headers = {
          'impersonate-user': `system:serviceaccount:kube-system:${name}`,
          'impersonate-group': 'system:masters',
        };
        const { status } = await controlPlane
          .api('admin')
          .call('DELETE', await controlPlane.pathOf(object), undefined, { headers });
        expect(status).toBe(200);
        expect(calls).toEqual(object === claim ? ['/validate DELETE clusterclaims id.k8s.io'] : []);
      }
    },
  );

  test('by anyone else are called for', async () => {
    for (const object of [cluster, profile, feature]) {
      await store(object);
      calls = [];
      await removeBy(object, 'jane');
      expect(calls).toEqual([`/validate DELETE ${await resourceOf(object)} a`]);
    }
  });
});

describe('the manager label', () => {
  const without = (labels: unknown) => ({
    ...cluster,
    metadata: { name: 'b', ...(labels === undefined ? {} : { labels }) },
  });

  test.each([[undefined], [null], [{}], [{ other: 'x' }]])('is called for where labels are %j', async (labels) => {
    await expectWrite('CREATE', without(labels));
    expect(calls).toEqual(['/mutate CREATE inventoryclusters b', '/validate CREATE inventoryclusters b']);
    await remove(without(labels));
  });

  test.each([[{ 'x-k8s.io/cluster-manager': 'm' }], [{ 'x-k8s.io/cluster-manager': '' }]])(
    'and not where they are %j',
    async (labels) => {
      await expectWrite('CREATE', without(labels));
      expect(calls).toEqual(['/validate CREATE inventoryclusters b']);
      await remove(without(labels));
    },
  );
});

test("nothing is called for in muster's own namespace, and in kube-system only for features", async () => {
  for (const object of [profile, feature])
    for (const namespace of ['muster-system', 'kube-system']) {
      calls = [];
      const here = { ...object, metadata: { ...object.metadata, namespace } };
      await expectWrite('CREATE', here);
      const guarded = object === feature && namespace === 'kube-system';
      expect(calls).toEqual(guarded ? ['/validate CREATE features a'] : []);
      await remove(here);
    }
});

function exampleOf(name: string): Json {
  return parse(readFileSync(`test/fixtures/${name}`, 'utf8'), { version: '1.1' });
}

function namespacesOf(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const { old, object = old } = exampleOf(name);
    return object.metadata.namespace ?? [];
  });
}

async function expectWrite(operation: string, object: Json, subresource = ''): Promise<void> {
  expect(await write(operation, object, subresource)).toBeLessThan(300);
}

/** As jane, whatever the object's version. */
async function write(operation: string, object: Json, subresource = ''): Promise<number> {
  const api = controlPlane.api('jane');
  const path = await controlPlane.pathOf(object);
  const { name } = object.metadata;
  if (operation === 'DELETE') return (await api.call('DELETE', path)).status;
  if (operation === 'CREATE')
    return (await api.call('POST', name === undefined ? path : path.replace(/\/[^/]+$/, ''), object)).status;
  const current = await api.call('GET', path);
  const { resourceVersion } = current.body.metadata;
  const body = { ...object, metadata: { ...object.metadata, resourceVersion } };
  const { status } = await api.call('PUT', subresource === '' ? path : `${path}/${subresource}`, body);
  return status;
}

/** There, with its status. */
async function store(object: Json): Promise<void> {
  await remove(object);
  expect(await write('CREATE', object)).toBeLessThan(300);
  if ('status' in object) expect(await write('UPDATE', object, 'status')).toBeLessThan(300);
}

async function remove(object: Json): Promise<void> {
  if (object.metadata.name !== undefined) await removeBy(object, 'admin');
}

async function removeBy(object: Json, user: string): Promise<void> {
  await controlPlane.api(user).call('DELETE', await controlPlane.pathOf(object));
}

async function resourceOf(object: Json): Promise<string> {
  return (await controlPlane.pathOf(object)).split('/').at(-2) ?? '';
}

async function startRecorder(cert: Buffer, key: Buffer): Promise<Server> {
  const server = createServer({ cert, key, keepAliveTimeout: 120_000 }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { request: review } = JSON.parse(Buffer.concat(chunks).toString());
    const { uid, operation, resource, subResource, object, oldObject } = review;
    const { name } = (object ?? oldObject).metadata;
    const what = subResource ? `${resource.resource}/${subResource}` : resource.resource;
    calls.push(`${request.url?.split('?')[0]} ${operation} ${what} ${name}`);
    response.setHeader('content-type', 'application/json');
    const answer = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, allowed: true } };
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
