import { describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProfile, clusterProperty, dialects } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { ApiClient, ApiRequest } from '../../../../src/cluster/live/client.ts';
import { type ClusterErrorCode, clusterErrorCodes, statusError } from '../../../../src/cluster/live/errors.ts';
import { createLiveView, type LiveViewOptions, readOutcomes } from '../../../../src/cluster/live/live-view.ts';
import { createLeases } from '../../../../src/cluster/locks/leases.ts';
import { failing } from '../../../support/memory-api.ts';
import { createMemoryCluster, type MemoryCluster } from '../../../support/memory-cluster.ts';
import { inFiveSeconds } from '../locks/replica.ts';
import { ID, MEMBERSHIP } from '../locks/writes.ts';

function viewOf({ client }: Pick<MemoryCluster, 'client'>, over: Partial<LiveViewOptions> = {}) {
  const outcomes: string[] = [];
  const observer = { read: (outcome: string) => void outcomes.push(outcome) };
  return { view: createLiveView({ client, observer, deadline: inFiveSeconds(), ...over }), outcomes };
}

describe('the live view reads', () => {
  test('each object once, without a resourceVersion, in the version that is asked for', async () => {
    const cluster = createMemoryCluster();
    const { view } = viewOf(cluster, { version: () => 'v1alpha1' });
    const reference = { dialect: clusterProperty, name: MEMBERSHIP };
    await Promise.all([view.get(reference), view.get(reference), viewOf(cluster).view.get(reference)]);
    expect(cluster.calls).toEqual([
      'GET /apis/about.k8s.io/v1alpha1/clusterproperties/clusterset.k8s.io',
      'GET /apis/about.k8s.io/v1/clusterproperties/clusterset.k8s.io',
    ]);
  });

  test('no other path, whatever version a request names', async () => {
    const cluster = createMemoryCluster();
    const { view } = viewOf(cluster, { version: () => '../../api/v1/secrets?' });
    expect(await view.get({ dialect: clusterClaim, name: ID })).toMatchObject({ known: false });
    const path = '/apis/multicluster.x-k8s.io/..%2F..%2Fapi%2Fv1%2Fsecrets%3F/clusterclaims/id.k8s.io';
    expect(cluster.calls).toEqual([`GET ${path}`]);
  });

  test('of claims, nothing but those that hold an id or a membership', async () => {
    const cluster = createMemoryCluster();
    const { view } = viewOf(cluster);
    for (const name of ['zone.example.com', 'constructor', '__proto__', '', 'cluster.clusterset.k8s.io'])
      expect(await view.get({ dialect: clusterClaim, name })).toMatchObject({ known: false });
    for (const dialect of dialects)
      expect(await view.list(dialect)).toEqual({ known: false, reason: expect.stringContaining('by scan') });
    expect(cluster.calls).toEqual([]);
  });
});

describe('what other objects refer to is read', () => {
  const profiles = (name: string, namespace = 'fleet-a') => ({ dialect: clusterProfile, namespace, name });

  test('each once, by namespace and name, in the version that the cluster serves', async () => {
    const cluster = createMemoryCluster();
    cluster.before = (call, request) => {
      const name = call.split('/').at(-1) ?? '';
      throw statusError(404, { kind: 'Status', details: { name } }, request);
    };
    const { view, outcomes } = viewOf(cluster, { version: async () => 'v1alpha1' });
    const wanted = [profiles('a'), profiles('a', 'fleet-b'), profiles('a')];
    const answers = await Promise.all(wanted.map((reference) => view.get(reference)));
    expect(answers).toEqual([1, 2, 3].map(() => ({ known: true, value: undefined })));
    expect(cluster.calls).toEqual([
      'GET /apis/multicluster.x-k8s.io/v1alpha1/namespaces/fleet-a/clusterprofiles/a',
      'GET /apis/multicluster.x-k8s.io/v1alpha1/namespaces/fleet-b/clusterprofiles/a',
    ]);
    expect(outcomes).toEqual(['absent', 'absent']);
  });

  test('but not under a name or in a namespace that no object can have', async () => {
    const cluster = createMemoryCluster();
    const { view } = viewOf(cluster);
    for (const reference of [profiles(''), profiles('a/b'), profiles('..'), profiles('a', '..'), profiles('a', '')])
      expect(await view.get(reference)).toEqual({ known: true, value: undefined });
    expect(cluster.calls).toEqual([]);
  });

  test('and never twice: a write may refer to a hundred', async () => {
    const cluster = createMemoryCluster();
    cluster.before = failing('unavailable', () => true);
    expect(await viewOf(cluster).view.get(profiles('a'))).toMatchObject({ known: false });
    expect(cluster.calls).toHaveLength(1);
  });

  const metadata = { name: 'a', namespace: 'fleet-a', resourceVersion: '1', annotations: { text: 'long' } };
  const whole = { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ClusterProfile', metadata, spec: {} };
  const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata };

  test.each<[string, JsonObject, boolean]>([
    ['of an object', partial, true],
    ['with all the rest, if the API server can not leave it out', whole, true],
    ['of another object', { ...partial, metadata: { ...metadata, name: 'b' } }, false],
    ['of another kind', { ...whole, kind: 'ClusterProfileList' }, false],
  ])('the metadata %s, of which nothing is kept but that it exists', async (_, body, known) => {
    const requests: ApiRequest[] = [];
    const call: ApiClient['call'] = async (request) => {
      requests.push(request);
      return { body, date: 0 };
    };
    const { view } = viewOf({ client: { ...createMemoryCluster().client, call } });
    const exists = { known: true, value: { metadata: { name: 'a' } } };
    expect(await view.get(profiles('a'))).toEqual(known ? exists : expect.objectContaining({ known: false }));
    const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json';
    expect(requests).toEqual([expect.objectContaining({ headers: { accept }, mostBytes: 512 * 1024 })]);
  });
});

describe('other objects with a label are listed', () => {
  const label = { key: 'multicluster.x-k8s.io/inventory-member-id', value: 'east_1.a', limit: 2 };
  /** A view of a cluster that gives `body` for each list. */
  const listing = (body: JsonObject) => {
    const paths: string[] = [];
    const call: ApiClient['call'] = async ({ path, headers, mostBytes }) => {
      paths.push(path);
      expect(headers?.['accept']).toMatch(/^application\/json;as=PartialObjectMetadataList;/);
      expect(mostBytes).toBe(2 * 512 * 1024);
      return { body, date: 0 };
    };
    return { ...viewOf({ client: { ...createMemoryCluster().client, call } }), paths };
  };
  const profile = (name: string): JsonObject => ({ metadata: { name, namespace: 'fleet-a' } });

  test('in one namespace, by a selector, and no more than are needed', async () => {
    const { view, outcomes, paths } = listing({ items: [profile('a'), profile('b')] });
    const value = [profile('a'), profile('b')];
    expect(await view.list(clusterProfile, 'fleet-a', label)).toEqual({ known: true, value });
    const [address, query] = (paths[0] ?? '').split('?');
    expect(address).toMatch(/^\/apis\/multicluster\.x-k8s\.io\/v1alpha\d\/namespaces\/fleet-a\/clusterprofiles$/);
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
      labelSelector: 'multicluster.x-k8s.io/inventory-member-id=east_1.a',
      limit: '2',
    });
    expect([paths.length, outcomes]).toEqual([1, ['found']]);
  });

  test('none is an answer, too', async () => {
    const { view, outcomes } = listing({ items: [] });
    expect(await view.list(clusterProfile, 'fleet-a', label)).toEqual({ known: true, value: [] });
    expect(outcomes).toEqual(['absent']);
  });

  test.each(['a,b', 'a in (b)', '', '-a', 'x'.repeat(64)])(
    '%s is no value of a label: nothing is read',
    async (value) => {
      const { view, paths } = listing({ items: [] });
      expect(await view.list(clusterProfile, 'fleet-a', { ...label, value })).toMatchObject({ known: false });
      expect(paths).toEqual([]);
    },
  );

  test.each<[ClusterErrorCode, RegExp]>([
    ['forbidden', /^muster may not list clusterprofiles with the label .*: apply its RBAC/],
    ['timeout', /can't be read/],
    ['unavailable', /can't be read/],
  ])('%s: unknown, with a reason', async (code, reason) => {
    const cluster = createMemoryCluster();
    cluster.before = failing(code, () => true);
    const { view, outcomes } = viewOf(cluster);
    const answer = await view.list(clusterProfile, 'fleet-a', label);
    expect(answer).toEqual({ known: false, reason: expect.stringMatching(reason) });
    expect(outcomes).toEqual([code]);
  });

  test('an answer that is no list: unknown', async () => {
    const { view, outcomes } = listing({ kind: 'Status' });
    const reason = expect.stringContaining('the answer is not a list');
    expect(await view.list(clusterProfile, 'fleet-a', label)).toEqual({ known: false, reason });
    expect(outcomes).toEqual(['unreadable']);
  });
});

describe('what can’t be read is unknown, with a reason', () => {
  test('a kind without its CRD', async () => {
    const { view, outcomes } = viewOf(createMemoryCluster([clusterProperty]));
    const reason = 'the API server does not serve clusterclaims "id.k8s.io" (multicluster.x-k8s.io): install its CRD';
    expect(await view.get({ dialect: clusterClaim, name: ID })).toEqual({ known: false, reason });
    expect(outcomes).toEqual(['no-kind']);
  });

  test.each<[ClusterErrorCode, RegExp, number]>([
    ['forbidden', /^muster may not get clusterclaims "id\.k8s\.io" .*: apply its RBAC/, 1],
    ['unauthorized', /does not know muster's credentials/, 1],
    ['timeout', /can't be read: GET .*as the test has it/, 1],
    ['unreachable', /can't be read/, 2],
    ['unreadable', /can't be read/, 2],
  ])('%s', async (code, reason, calls) => {
    const cluster = createMemoryCluster();
    cluster.before = failing(code, () => true);
    const { view, outcomes } = viewOf(cluster);
    const answer = await view.get({ dialect: clusterClaim, name: ID });
    expect(answer).toEqual({ known: false, reason: expect.stringMatching(reason) });
    expect(outcomes).toEqual([code]);
    expect(cluster.calls).toHaveLength(calls);
  });

  test.each(clusterErrorCodes.filter((code) => code !== 'not-found' && code !== 'conflict'))(
    '%s has a zero among the outcomes, before the first',
    async (code) => {
      const cluster = createMemoryCluster();
      cluster.before = failing(code, () => true);
      const { view, outcomes } = viewOf(cluster);
      await view.get({ dialect: clusterClaim, name: ID });
      expect(readOutcomes).toEqual(expect.arrayContaining(outcomes));
    },
  );

  test('but a read that may heal is repeated once, if there is time', async () => {
    const cluster = createMemoryCluster();
    let failures = 1;
    cluster.before = failing('unavailable', () => failures-- > 0);
    expect(await viewOf(cluster).view.get({ dialect: clusterClaim, name: ID })).toMatchObject({ known: true });
    failures = 1;
    const { view } = viewOf(cluster, { deadline: { ...inFiveSeconds(), at: Date.now() + 20 } });
    expect(await view.get({ dialect: clusterClaim, name: ID })).toMatchObject({ known: false });
  });
});

describe('an answer that is well-formed and not what was asked for is not believed', () => {
  type Change = (body: JsonObject, sent: JsonObject) => JsonObject;
  const changed = (change: Change, method = 'GET') => {
    const cluster = createMemoryCluster();
    cluster.put(clusterClaim, ID, 'one');
    const call: ApiClient['call'] = async (request) => {
      const answer = await cluster.client.call(request);
      return request.method === method ? { ...answer, body: change(answer.body, request.body as JsonObject) } : answer;
    };
    return { client: { ...cluster.client, call } };
  };
  const named = (body: JsonObject, metadata: JsonObject) => ({ ...body, metadata });

  test.each<[string, Change]>([
    ['another kind', (body) => ({ ...body, kind: 'ConfigMap' })],
    ['another group', (body) => ({ ...body, apiVersion: 'x.example.com/v1' })],
    ['another object', (body) => named(body, { name: 'other', resourceVersion: '1' })],
    ['an object of no version', (body) => named(body, { name: ID })],
  ])('%s', async (_, change) => {
    const answer = await viewOf(changed(change)).view.get({ dialect: clusterClaim, name: ID });
    expect(answer).toEqual({ known: false, reason: expect.stringContaining('answered with') });
    await expect(createLeases(changed(change).client).read(clusterClaim, inFiveSeconds())).rejects.toMatchObject({
      code: 'unreadable',
    });
  });

  test.each<[string, Change]>([
    ['what was stored before', (body) => named(body, { name: 'x' })],
    ['what was sent', (_, sent) => sent],
  ])('%s, for a Lease that was written: the lock may be stored', async (_, change) => {
    const leases = createLeases(changed(change, 'PUT').client);
    const write = { operation: 'CREATE', name: ID, writer: 'w', uid: 'u', resourceVersion: '' } as const;
    const state = await leases.read(clusterClaim, inFiveSeconds());
    const acquired = leases.acquire(state, { dialect: clusterClaim, ...write }, undefined, inFiveSeconds());
    await expect(acquired).rejects.toMatchObject({ code: 'unreadable', release: expect.any(Function) });
  });
});
