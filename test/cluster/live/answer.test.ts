/** Answers that are well-formed and not what was asked for: none may be taken for knowledge, and so let a write pass. */
import { describe, expect, test } from '@jest/globals';
import { clusterClaim } from '../../../src/api/dialects.ts';
import type { ApiClient, ApiRequest, ApiResponse } from '../../../src/cluster/live/client.ts';
import { silent } from '../../../src/cluster/live/observer.ts';
import { createLiveView } from '../../../src/cluster/live/view.ts';
import { createLeases } from '../../../src/cluster/locks/leases.ts';
import type { JsonObject } from '../../../src/rules/rule.ts';
import { ID } from '../locks/writes.ts';
import { createMemoryCluster } from '../memory-cluster.ts';

type Change = (answer: ApiResponse, request: ApiRequest) => object;

const patience = () => ({ at: Date.now() + 5000, signal: new AbortController().signal });
const metadata = (body: JsonObject) => body['metadata'] as JsonObject;

function changing(change: Change) {
  const cluster = createMemoryCluster();
  const call: ApiClient['call'] = async (request) => {
    const answer = await cluster.client.call(request);
    return { ...answer, ...change(answer, request) };
  };
  return { cluster, client: { ...cluster.client, call } };
}

const ODD: [string, Change][] = [
  ['nothing', () => ({ body: {} })],
  ['a Status', () => ({ body: { kind: 'Status', apiVersion: 'v1', status: 'Success' } })],
  ['another kind', ({ body }) => ({ body: { ...body, kind: 'ConfigMap' } })],
  ['another group', ({ body }) => ({ body: { ...body, apiVersion: 'x.example.com/v1' } })],
  ['another object', ({ body }) => ({ body: { ...body, metadata: { ...metadata(body), name: 'other' } } })],
  ['an object of no version', ({ body }) => ({ body: { ...body, metadata: { name: metadata(body)['name'] } } })],
];

describe('in place of a claim', () => {
  test.each(ODD)('%s', async (_, change) => {
    const { cluster, client } = changing(change);
    cluster.put(clusterClaim, ID, 'one');
    const view = createLiveView({ client, observer: silent, ...patience() });
    expect(await view.get({ dialect: clusterClaim, name: ID })).toEqual({
      known: false,
      reason: expect.stringContaining('answered with'),
    });
  });
});

describe('in place of a Lease', () => {
  test.each([...ODD, ['a Lease of no moment', () => ({ date: undefined })] as const])('%s', async (_, change) => {
    const { client } = changing(change);
    await expect(createLeases(client).look(clusterClaim, patience())).rejects.toMatchObject({ code: 'unreadable' });
  });
});

describe('in place of what was written', () => {
  const write = {
    dialect: clusterClaim,
    operation: 'CREATE',
    name: ID,
    owner: 'o',
    uid: 'u',
    resourceVersion: '',
  } as const;
  const take = async (change: Change) => {
    const { cluster, client } = changing((answer, request) =>
      request.method === 'PUT' ? change(answer, request) : {},
    );
    const leases = createLeases(client);
    const seen = await leases.look(clusterClaim, patience());
    return { cluster, seen, taken: leases.take(seen, write, undefined, patience()) };
  };

  test.each<[string, Change]>([
    ...ODD,
    ['what stood there before', (_, { body }) => ({ body: { ...(body as JsonObject), metadata: { name: 'x' } } })],
    ['what was sent', (_, { body }) => ({ body })],
  ])('%s', async (_, change) => {
    const { taken } = await take(change);
    await expect(taken).rejects.toMatchObject({ code: 'unreadable', giveBack: expect.any(Function) });
  });

  test('and what was written is taken for it', async () => {
    const { taken } = await take(() => ({}));
    expect(await taken).toEqual(expect.any(Function));
  });
});
