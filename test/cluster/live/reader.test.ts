import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProfile, clusterProperty, inventoryCluster } from '../../../src/api/dialects.ts';
import { type ApiClient, createClusterReader, openCluster } from '../../../src/cluster/live/index.ts';
import { createTurns } from '../../../src/cluster/live/turns.ts';
import { type ApiStub, json, startApiStub } from './api-stub.ts';

let folder: string;
let stub: ApiStub;
let client: ApiClient;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-reader-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(async () => {
  stub = await startApiStub(folder);
  client = openCluster({ kubeconfig: stub.kubeconfig });
});
afterEach(async () => {
  client.close();
  await stub.close();
});

type Reply = (response: ServerResponse) => void;

const RESOURCES = {
  '/apis/multicluster.x-k8s.io/v1alpha1': ['clusterclaims', 'inventoryclusters'],
  '/apis/multicluster.x-k8s.io/v1alpha2': ['clusterprofiles'],
  '/apis/about.k8s.io/v1alpha1': ['clusterproperties'],
};

/** Answers these paths, and discovery; anything else is an object that does not exist. */
function serve(replies: Readonly<Record<string, Reply>>): void {
  const discovery = Object.entries(RESOURCES).map(([path, names]) => [
    path,
    (response: ServerResponse) => json(response, 200, { resources: names.map((name) => ({ name })) }),
  ]);
  const all: Readonly<Record<string, Reply>> = { ...Object.fromEntries(discovery), ...replies };
  stub.answer = ({ url = '' }, response) => {
    const reply = Object.hasOwn(all, url) ? all[url] : undefined;
    if (reply) reply(response);
    else if (url.split('/').length <= 4) response.writeHead(404).end('404 page not found');
    else json(response, 404, { kind: 'Status', details: { name: 'x' } });
  };
}

const CLAIMS = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
const id = { dialect: clusterClaim, name: 'id.k8s.io' };
const asked = () => stub.requests.map(({ url }) => url).filter((url) => url.split('/').length > 4);
const found: Reply = (response) =>
  json(response, 200, { spec: { value: 'x' }, metadata: { managedFields: [{}], uid: 'u' } });
const fails =
  (status: number, body: object = {}): Reply =>
  (response) =>
    json(response, status, body);

describe('one object', () => {
  test('is read once, consistently, and without what no rule looks at', async () => {
    serve({ [`${CLAIMS}/id.k8s.io`]: found });
    const reader = createClusterReader({ client });
    const answers = await Promise.all([reader.get(id), reader.get(id, 'v1alpha1')]);
    expect(answers[0]).toEqual({ known: true, value: { spec: { value: 'x' }, metadata: { uid: 'u' } } });
    expect(answers[1]).toBe(answers[0]);
    expect(asked()).toEqual([`${CLAIMS}/id.k8s.io`]);
    expect(await reader.get({ ...id, name: 'other' })).toEqual({ known: true, value: undefined });
    expect(reader.problems()).toEqual([]);
  });

  test('in the version of the document where it is served, else in the newest that is', async () => {
    serve({});
    const reader = createClusterReader({ client });
    await reader.get({ dialect: clusterProperty, name: 'a' }, 'v1beta1');
    await reader.get({ dialect: clusterProfile, namespace: 'fleet', name: 'b' }, 'v1alpha1');
    expect(asked()).toEqual([
      '/apis/about.k8s.io/v1alpha1/clusterproperties/a',
      '/apis/multicluster.x-k8s.io/v1alpha2/namespaces/fleet/clusterprofiles/b',
    ]);
  });

  test('a name that no object can have leads nowhere', async () => {
    serve({});
    const reader = createClusterReader({ client });
    for (const name of ['..', '.', 'a/status', 'a%2fstatus', '']) {
      expect(await reader.get({ ...id, name })).toEqual({ known: true, value: undefined });
    }
    const elsewhere = { dialect: clusterProfile, namespace: '..', name: 'a' };
    expect(await reader.get(elsewhere)).toEqual({ known: true, value: undefined });
    expect(stub.requests).toEqual([]);
  });

  test('of a kind that is not served: none, and which kind', async () => {
    stub.answer = (_, response) => response.writeHead(404).end('404 page not found');
    const reader = createClusterReader({ client });
    expect(await reader.get(id)).toEqual({ known: true, value: undefined });
    expect(await reader.list(clusterProfile)).toEqual({ known: true, value: [] });
    expect(reader.missingKinds()).toEqual([clusterClaim, clusterProfile]);
    expect(reader.problems()).toEqual([]);
  });

  test('who may not discover can still read', async () => {
    serve({ '/apis/multicluster.x-k8s.io/v1alpha1': fails(403), [`${CLAIMS}/id.k8s.io`]: found });
    expect(await createClusterReader({ client }).get(id)).toMatchObject({
      known: true,
      value: { spec: { value: 'x' } },
    });
  });
});

describe('a list', () => {
  const LIST = '/apis/multicluster.x-k8s.io/v1alpha1/inventoryclusters?limit=2';
  const page = (names: string[], next = ''): Reply =>
    fails(200, { metadata: { continue: next }, items: names.map((name) => ({ metadata: { name } })) });
  const names = async (reader = createClusterReader({ client, pageSize: 2 })) => {
    const answer = await reader.list(inventoryCluster);
    return answer.known ? answer.value.map((object) => (object['metadata'] as { name: string }).name) : answer.reason;
  };

  test('page by page', async () => {
    serve({ [LIST]: page(['a', 'b'], 't/1'), [`${LIST}&continue=t%2F1`]: page(['c']) });
    expect(await names()).toEqual(['a', 'b', 'c']);
  });

  test('anew when the API server has forgotten where it was; not for ever', async () => {
    let left = 1;
    const forgets: Reply = (response) => (left-- > 0 ? fails(410)(response) : page(['c'])(response));
    serve({ [LIST]: page(['a', 'b'], 't'), [`${LIST}&continue=t`]: forgets });
    expect(await names()).toEqual(['a', 'b', 'c']);
    left = 100;
    const reader = createClusterReader({ client, pageSize: 2 });
    expect(await names(reader)).toContain("inventoryclusters (multicluster.x-k8s.io) can't be read");
    expect(left).toBe(97);
  });

  test('of one namespace', async () => {
    serve({});
    await createClusterReader({ client }).list(clusterProfile, 'fleet');
    expect(asked()).toEqual(['/apis/multicluster.x-k8s.io/v1alpha2/namespaces/fleet/clusterprofiles?limit=500']);
  });
});

describe('what can not be read', () => {
  const many = Array.from({ length: 100 }, (_, index) => ({ dialect: clusterClaim, name: `c${index}` }));

  test('no right: one problem for all objects of a kind', async () => {
    serve({});
    stub.answer = ({ url = '' }, response) =>
      url.includes('clusterclaims')
        ? json(response, 403, {})
        : json(response, 200, { resources: [{ name: 'clusterclaims' }] });
    const reader = createClusterReader({ client });
    const answers = await Promise.all(many.map((reference) => reader.get(reference)));
    expect(answers.every(({ known }) => !known)).toBe(true);
    expect(reader.problems()).toEqual([
      'you may not get clusterclaims (multicluster.x-k8s.io): ask for that right, or name another --context',
    ]);
  });

  test('a way that is broken is tried once more and then no more', async () => {
    serve({});
    const reader = createClusterReader({ client });
    await reader.get(id);
    let calls = 0;
    stub.answer = (request) => {
      calls += 1;
      request.socket.destroy();
    };
    await Promise.all(many.map((reference) => reader.get(reference)));
    expect(reader.problems()).toEqual([
      expect.stringMatching(/^the API server at \S+ can't be reached .*--context\?$/),
    ]);
    // Those under way, each on a connection that may have been idle, and each once more.
    expect(calls).toBeLessThanOrEqual(16 * 4);
  });

  test('one failure of a busy API server is no problem', async () => {
    let calls = 0;
    const busyOnce: Reply = (response) => (calls++ === 0 ? fails(503)(response) : found(response));
    serve({ [`${CLAIMS}/id.k8s.io`]: busyOnce });
    const reader = createClusterReader({ client });
    expect(await reader.get(id)).toMatchObject({ known: true, value: { spec: { value: 'x' } } });
    expect(reader.problems()).toEqual([]);
  });
});

test('so many calls at a time, and a failed one gives its turn on', async () => {
  const turn = createTurns(3);
  let running = 0;
  let most = 0;
  const call = async (index: number) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (index % 2 === 0) throw new Error('even');
    return index;
  };
  const all = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => turn(() => call(index))));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  expect({ most, running }).toEqual({ most: 3, running: 0 });
});
