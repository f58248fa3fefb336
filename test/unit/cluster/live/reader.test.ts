import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProfile, clusterProperty, inventoryCluster } from '../../../../src/api/dialects.ts';
import { service } from '../../../../src/api/supporting-kinds.ts';
import { type ApiClient, openCluster } from '../../../../src/cluster/live/client.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';
import { type ClusterReader, createClusterReader } from '../../../../src/cluster/live/reader.ts';
import { type ApiStub, json, startApiStub } from '../../../support/api-stub.ts';
import { newFolder } from '../../../support/folder.ts';

const folder = newFolder();
let stub: ApiStub;
let client: ApiClient;
let reader: ClusterReader;
beforeEach(async () => {
  stub = await startApiStub(folder.path);
  client = await openCluster({ kubeconfig: stub.kubeconfig });
  reader = createClusterReader(client);
});
afterEach(async () => {
  client.close();
  await stub.close();
});

type Reply = (response: ServerResponse) => void;

const reply =
  (status: number, body: object = {}): Reply =>
  (response) =>
    json(response, status, body);
const resources = (...names: string[]) => reply(200, { resources: names.map((name) => ({ name })) });
const versions = (...names: string[]) => reply(200, { versions: names.map((version) => ({ version })) });
const DISCOVERY: Readonly<Record<string, Reply>> = {
  '/apis/multicluster.x-k8s.io': versions('v1alpha1', 'v1alpha2'),
  '/apis/multicluster.x-k8s.io/v1alpha1': resources('clusterclaims', 'inventoryclusters'),
  '/apis/multicluster.x-k8s.io/v1alpha2': resources('clusterprofiles'),
  '/apis/about.k8s.io': versions('v1alpha1'),
  '/apis/about.k8s.io/v1alpha1': resources('clusterproperties'),
};

/** Serves these paths, and discovery; any other is an object that does not exist. */
function serve(replies: Readonly<Record<string, Reply>>): void {
  const all = { ...DISCOVERY, ...replies };
  stub.answer = ({ url = '' }, response) => {
    if (Object.hasOwn(all, url)) all[url]?.(response);
    else if (url.split('/').length <= 4) response.writeHead(404).end('404 page not found');
    else json(response, 404, { kind: 'Status', details: { name: url.split('/').at(-1) } });
  };
}

const CLAIMS = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
const id = { dialect: clusterClaim, name: 'id.k8s.io' };
const objectCalls = () => stub.requests.map(({ url }) => url).filter((url) => url.split('/').length > 4);
const stored = {
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'ClusterClaim',
  spec: { value: 'x' },
  metadata: { name: 'id.k8s.io', uid: 'u', resourceVersion: '1' },
};
const found = reply(200, { ...stored, metadata: { ...stored.metadata, managedFields: [{}] } });

describe('one object', () => {
  test('is read once, consistently, and without what no rule reads', async () => {
    serve({ [`${CLAIMS}/id.k8s.io`]: found });
    const answers = await Promise.all([reader.get(id), reader.get(id, 'v1alpha1')]);
    expect(answers[0]).toEqual({ known: true, value: stored });
    expect(answers[1]).toEqual(answers[0]);
    expect(objectCalls()).toEqual([`${CLAIMS}/id.k8s.io`]);
    expect(await reader.get({ ...id, name: 'other' })).toEqual({ known: true, value: undefined });
    expect(reader.problems()).toEqual([]);
  });

  test('of the core group is read, too', async () => {
    const web = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', resourceVersion: '1' } };
    serve({ '/api/v1/namespaces/shop/services/web': reply(200, web) });
    const answer = await reader.get({ dialect: service, namespace: 'shop', name: 'web' });
    expect([answer, reader.problems()]).toEqual([{ known: true, value: web }, []]);
  });

  test('is unknown where the answer is another one', async () => {
    serve({ [`${CLAIMS}/id.k8s.io`]: reply(200, { items: [] }), [`${CLAIMS}/b`]: found });
    for (const name of ['id.k8s.io', 'b'])
      expect(await reader.get({ dialect: clusterClaim, name })).toMatchObject({ known: false });
  });

  test('a refused caller is told the right that it lacks; an anonymous one, that its credentials are missing', async () => {
    const refuse = (user: string) =>
      reply(403, { kind: 'Status', message: `clusterclaims is forbidden: User "${user}" cannot get resource` });
    serve({ [`${CLAIMS}/a`]: refuse('jane'), [`${CLAIMS}/b`]: refuse('system:anonymous') });
    for (const name of ['a', 'b']) await reader.get({ dialect: clusterClaim, name });
    expect(reader.problems()).toEqual([
      expect.stringMatching(/^you may not get clusterclaims \(multicluster\.x-k8s\.io\): ask for that right/),
      expect.stringMatching(
        /^the API server takes you for system:anonymous, .* give the user of the kubeconfig a token/,
      ),
    ]);
  });

  test('is read in the version of the document where it is served, else in the newest that is', async () => {
    serve({
      '/apis/about.k8s.io': versions('v1beta1', 'v1alpha1'),
      '/apis/about.k8s.io/v1beta1': resources('clusterproperties'),
    });
    await reader.get({ dialect: clusterProperty, name: 'a' }, 'v1alpha1');
    await reader.get({ dialect: clusterProfile, namespace: 'fleet', name: 'b' }, 'v1alpha1');
    expect(objectCalls()).toEqual([
      '/apis/about.k8s.io/v1alpha1/clusterproperties/a',
      '/apis/multicluster.x-k8s.io/v1alpha2/namespaces/fleet/clusterprofiles/b',
    ]);
  });

  test('without the right to discover, is found in whichever version is served, and absent only where none is', async () => {
    const refuse = reply(403, { kind: 'Status', message: 'forbidden' });
    const unserved: Reply = (response) => response.writeHead(404).end('404 page not found');
    const property = { ...stored, apiVersion: 'about.k8s.io/v1alpha1', kind: 'ClusterProperty' };
    const pathIn = (version: string) => `/apis/about.k8s.io/${version}/clusterproperties/id.k8s.io`;
    serve({
      '/apis/about.k8s.io': refuse,
      '/version': reply(200),
      [pathIn('v1')]: unserved,
      [pathIn('v1beta1')]: unserved,
      [pathIn('v1alpha1')]: reply(200, property),
      '/apis/multicluster.x-k8s.io': refuse,
      [`${CLAIMS}/id.k8s.io`]: unserved,
    });
    expect(await reader.get({ ...id, dialect: clusterProperty })).toEqual({ known: true, value: property });
    expect(await reader.get(id)).toEqual({ known: true, value: undefined });
    expect([reader.problems(), reader.missingKinds()]).toEqual([[], [clusterClaim]]);
  });

  test('is absent without a call, where no object can have its name or namespace', async () => {
    serve({});
    for (const name of ['..', '.', 'a/status', 'a%2fstatus', ''])
      expect(await reader.get({ ...id, name })).toEqual({ known: true, value: undefined });
    const elsewhere = { dialect: clusterProfile, namespace: '..', name: 'a' };
    expect(await reader.get(elsewhere)).toEqual({ known: true, value: undefined });
    expect(stub.requests).toEqual([]);
  });
});

test('a list has the objects of all pages, of one namespace or of all', async () => {
  const LIST = '/apis/multicluster.x-k8s.io/v1alpha1/inventoryclusters?limit=';
  const page = (names: string[], next = '') =>
    reply(200, { metadata: { continue: next }, items: names.map((name) => ({ metadata: { name } })) });
  serve({ [`${LIST}100`]: page(['a', 'b'], 't/1'), [`${LIST}500&continue=t%2F1`]: page(['c']) });
  const answer = await reader.list(inventoryCluster);
  expect(answer).toEqual({ known: true, value: ['a', 'b', 'c'].map((name) => ({ metadata: { name } })) });
  await reader.list(clusterProfile, 'fleet');
  const path = '/apis/multicluster.x-k8s.io/v1alpha2/namespaces/fleet/clusterprofiles?limit=100';
  expect(objectCalls().at(-1)).toBe(path);
});

test('a page of a list that fails for a moment is asked for again once, and smaller', async () => {
  const LIST = '/apis/multicluster.x-k8s.io/v1alpha1/inventoryclusters?limit=';
  serve({ [`${LIST}100`]: reply(503), [`${LIST}50`]: reply(200, { items: [] }) });
  expect(await reader.list(inventoryCluster)).toEqual({ known: true, value: [] });
  expect(objectCalls()).toEqual([`${LIST}100`, `${LIST}50`]);
});

test('so is a page whose connection breaks', async () => {
  const LIST = '/apis/multicluster.x-k8s.io/v1alpha1/inventoryclusters?limit=';
  serve({ [`${LIST}100`]: ({ socket }) => socket?.destroy(), [`${LIST}50`]: reply(200, { items: [] }) });
  expect(await reader.list(inventoryCluster)).toEqual({ known: true, value: [] });
  expect(objectCalls().at(-1)).toBe(`${LIST}50`);
});

test('a page that is not answered in time is not asked for again, and nothing else is read', async () => {
  serve({});
  const lists: string[] = [];
  const call: ApiClient['call'] = async (request) => {
    if (!request.path.startsWith(`${CLAIMS}?`)) return client.call(request);
    lists.push(request.path);
    throw new ClusterError('timeout', 'no answer in time');
  };
  const hanging = createClusterReader({ ...client, call });
  const reason = 'no answer in time: is it up, and is this the right --kubeconfig and --context?';
  expect(await hanging.list(clusterClaim)).toEqual({ known: false, reason });
  expect(await hanging.list(clusterProfile)).toEqual({ known: false, reason });
  expect([lists, hanging.problems()]).toEqual([[`${CLAIMS}?limit=100`], [reason]]);
});

test('an address without an API server, as of a wrong path, is no cluster without objects', async () => {
  stub.answer = (_, response) => response.writeHead(404).end('404 page not found');
  expect(await reader.get(id)).toMatchObject({ known: false });
  const problem = expect.stringContaining("can't be read: no API server is at the address of the cluster");
  expect([reader.problems(), reader.missingKinds()]).toEqual([[problem], []]);
});

test('a cluster that can’t be reached is one problem, and is not called again', async () => {
  serve({});
  await reader.get(id);
  stub.answer = (request) => request.socket.destroy();
  expect(await reader.get({ ...id, name: 'other' })).toMatchObject({ known: false });
  const calls = stub.requests.length;
  expect(await reader.list(clusterProfile)).toMatchObject({ known: false });
  expect(stub.requests).toHaveLength(calls);
  expect(reader.problems()).toEqual([expect.stringMatching(/^the API server at \S+ can't be reached .*--context\?$/)]);
});
