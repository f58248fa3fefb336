/**
 * Writes of ServiceExports and ServiceImports on an API server with upstream's CRDs: which are sent, and what users see.
 * What the rules find: test/unit/rules/import and export.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { requiredEnforcement } from '../../../src/manifests/requirements.ts';
import { policyFrom } from '../../support/configuration.ts';
import { newNamespace } from '../../support/objects.ts';
import { type Guarded, type Json, startGuarded } from './harness/index.ts';
import { serviceDefinitions } from './upstream/index.ts';

const CONFIG = {
  rules: { 'import/manager': 'deny' },
  services: { closedNamespaces: ['kube-system', 'default'], importManagers: [{ user: 'bob' }] },
};

let guarded: Guarded;

beforeAll(async () => {
  guarded = await startGuarded({
    crds: 'none',
    objects: [...serviceDefinitions(), newNamespace('shop')],
    muster: { config: CONFIG },
    registration: { enforcement: requiredEnforcement(policyFrom(CONFIG)) },
  });
});
afterAll(() => guarded?.stop());

const MANAGER = 'bob';
const path = (plural: string, { version = 'v1beta1', namespace = 'shop', name = '' }) =>
  `/apis/multicluster.x-k8s.io/${version}/namespaces/${namespace}/${plural}${name && `/${name}`}`;

function create(
  kind: string,
  name: string,
  { user = 'jane', version = 'v1beta1', namespace = 'shop', ...parts }: Json,
) {
  const object = { apiVersion: `multicluster.x-k8s.io/${version}`, kind, metadata: { name }, ...parts };
  return guarded.controlPlane.api(user).call('POST', path(`${kind.toLowerCase()}s`, { version, namespace }), object);
}
const importAs = (name: string, spec: object, user = MANAGER, version = 'v1beta1') =>
  create('ServiceImport', name, { user, version, spec: { type: 'ClusterSetIP', ports: [{ port: 80 }], ...spec } });
const patch = (name: string, change: object, user = MANAGER, subresource = '') =>
  guarded.controlPlane.api(user).call('PATCH', path('serviceimports', { name: name + subresource }), change);
const silent = { warnings: [] };
const refused = { status: 403, body: { message: expect.stringContaining('[import/manager] ') } };

test.each(['v1alpha1', 'v1beta1'])('nothing is exported from a closed namespace (%s)', async (version) => {
  for (const namespace of ['kube-system', 'default'])
    expect(await create('ServiceExport', version, { version, namespace })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining(`[export/namespace] metadata.namespace: nothing may be exported`) },
    });
  expect(await create('ServiceExport', version, { version })).toMatchObject({ status: 201, ...silent });
});

describe('what is wrong with an import warns', () => {
  test('addresses that change, in either version', async () => {
    expect(await importAs('moving', { ips: ['10.0.0.3'] }, MANAGER, 'v1alpha1')).toMatchObject({
      status: 201,
      ...silent,
    });
    expect(await patch('moving', { spec: { ips: ['10.0.0.3', 'fd00::3'] } })).toMatchObject({ status: 200, ...silent });
    const warned = [
      expect.stringContaining('[import/addresses-stable] spec.ips: no longer has the address "10.0.0.3"'),
    ];
    expect(await patch('moving', { spec: { ips: ['fd00::3'] } })).toMatchObject({ status: 200, warnings: warned });
    expect(await patch('moving', { spec: { type: 'Headless', ips: null } })).toMatchObject({ status: 200, ...silent });
  });

  test('a cluster of the status that no DNS name can have', async () => {
    const clusters = [{ cluster: 'east' }, { cluster: 'West_1' }];
    const warned = [expect.stringContaining('[import/clusters] status.clusters[1].cluster: ')];
    const written = await patch('moving', { status: { clusters } }, MANAGER, '/status');
    expect(written).toMatchObject({ status: 200, warnings: warned });
  });
});

describe('an import manager alone writes imports', () => {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: '2f6d2a52-9a0b-4a3e-8f0e-7b1f2b0c9d11' };

  test('others are refused to create, change, label, own, hold, report and delete', async () => {
    expect(await importAs('web', {}, 'jane')).toMatchObject(refused);
    expect(await importAs('web', {})).toMatchObject({ status: 201, ...silent });
    for (const change of [
      { spec: { ports: [] } },
      { metadata: { labels: { a: 'b' } } },
      { metadata: { annotations: { a: 'b' } } },
      { metadata: { ownerReferences: [owner] } },
      { metadata: { finalizers: ['example.com/hold'] } },
    ])
      expect(await patch('web', change, 'jane')).toMatchObject(refused);
    expect(await patch('web', { status: { clusters: [{ cluster: 'a' }] } }, 'jane', '/status')).toMatchObject(refused);
    expect(await patch('web', {}, 'jane')).toMatchObject({ status: 200 });
    const remove = guarded.controlPlane.api('jane').call('DELETE', path('serviceimports', { name: 'web' }));
    expect(await remove).toMatchObject(refused);
  });

  test('a finalizer is removed by anyone, before the deletion and after', async () => {
    const hold = { metadata: { finalizers: ['example.com/a', 'example.com/b'] } };
    expect(await patch('web', hold)).toMatchObject({ status: 200 });
    const one = { metadata: { finalizers: ['example.com/b'] } };
    expect(await patch('web', one, 'jane')).toMatchObject({ status: 200 });
    await guarded.controlPlane.api(MANAGER).call('DELETE', path('serviceimports', { name: 'web' }));
    expect(await patch('web', { metadata: { finalizers: [] } }, 'jane')).toMatchObject({ status: 200 });
    const { status } = await guarded.controlPlane.api('jane').call('GET', path('serviceimports', { name: 'web' }));
    expect(status).toBe(404);
  });
});

test('while muster is away, exports of other namespaces than the closed ones pass', async () => {
  await guarded.muster.stop();
  expect(await create('ServiceExport', 'away', { namespace: 'default' })).toMatchObject({ status: 500 });
  expect(await create('ServiceExport', 'away', {})).toMatchObject({ status: 201, ...silent });
});
