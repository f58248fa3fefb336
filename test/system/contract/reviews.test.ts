/** Reviews against the real engine over TLS. Every operation and subresource: test/unit/engine/review.test.ts */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/base/json.ts';
import { claim, type Fields, inventory, inventoryRequest, UID } from '../../support/reviews.ts';
import { startServer, type TestServer } from '../../support/test-server.ts';

const GROUP = 'multicluster.x-k8s.io';
const ID: JsonObject = {
  apiVersion: `${GROUP}/v1alpha1`,
  kind: 'ClusterClaim',
  metadata: { name: 'id.k8s.io' },
  spec: { value: 'one' },
};
const MEMBER: JsonObject = { ...ID, metadata: { name: 'clusterset.k8s.io' }, spec: { value: 'set' } };
const otherId = { ...ID, spec: { value: 'two' } };
const badValue = { ...claim, spec: { value: 7 } };
const bare = { ...inventory, metadata: { name: 'fleet-1' } };
const badStatus = { ...inventory, status: { conditions: [{ type: 'Joined', status: true }] } };

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ state: [ID, MEMBER] });
});
afterAll(() => server.close());

describe('/validate allows', () => {
  test.each<[string, Fields]>([
    ['CREATE', {}],
    ['CREATE by server-side apply', { options: { kind: 'PatchOptions', fieldManager: 'kubectl', force: true } }],
    ['UPDATE', { operation: 'UPDATE', oldObject: claim }],
    ['DELETE', { operation: 'DELETE', object: null, oldObject: claim }],
    ['CONNECT', { operation: 'CONNECT', object: { kind: 'NodeProxyOptions' } }],
  ])('%s', async (_, over) => {
    const response = await server.review(over);
    expect(response).toMatchObject({ uid: UID, allowed: true });
    expect(Object.keys(response)).not.toContain('patch');
  });
});

describe('/validate refuses', () => {
  test.each<[string, Fields, number, string]>([
    ['CREATE', { object: badValue }, 422, 'claim/value'],
    [
      'UPDATE: on 422 tools would delete and create anew',
      { operation: 'UPDATE', object: badValue, oldObject: claim },
      403,
      'claim/value',
    ],
    [
      'UPDATE of a member’s id',
      { operation: 'UPDATE', object: otherId, oldObject: ID },
      403,
      'claim/id-immutable-in-clusterset',
    ],
    [
      'DELETE of a member’s id',
      { operation: 'DELETE', object: null, oldObject: ID, name: 'id.k8s.io' },
      403,
      'claim/id-present-in-clusterset',
    ],
    [
      'UPDATE of status',
      inventoryRequest(badStatus, { operation: 'UPDATE', oldObject: inventory, subResource: 'status' }),
      422,
      'inventory/conditions',
    ],
  ])('%s', async (_, over, code, rule) => {
    const response = await server.review(over);
    expect(response).toMatchObject({
      uid: UID,
      allowed: false,
      status: { code, message: expect.stringContaining(`[${rule}] `) },
    });
    expect(response.status?.details?.causes).toEqual(
      expect.arrayContaining([expect.objectContaining({ message: expect.stringMatching(`^\\[${rule}\\] `) })]),
    );
    expect(response.auditAnnotations).toEqual({ decision: 'denied', rules: expect.stringContaining(`${rule}:deny`) });
  });

  test('all at once: a line for each finding', async () => {
    const object = { ...ID, metadata: { name: 'my.k8s.io' }, spec: { value: 7 } };
    const response = await server.review({ object });
    expect(response.status).toMatchObject({ code: 403, reason: 'Forbidden' });
    expect(response.status?.message.split('\n').map((line) => /^\[(.*?)\]/.exec(line)?.[1])).toEqual([
      'claim/value',
      'claim/reserved-name',
      undefined,
    ]);
    expect(response.status?.message).toMatch(/\nMore: https:\/\/[^\n]+\/rules\/$/);
  });
});

test('/validate warns, in the words of the finding', async () => {
  const state = await startServer({ state: [ID] });
  const response = await state.review({ operation: 'DELETE', object: null, oldObject: ID });
  await state.close();
  expect(response).toMatchObject({ allowed: true, warnings: [expect.stringMatching(/^\[claim\/id-present\] /)] });
});

test('what can’t be known is 503, to be asked again', async () => {
  const blind = await startServer({ views: { open: () => ({ get: noAnswer, list: noAnswer }) } });
  const response = await blind.review({ operation: 'UPDATE', object: otherId, oldObject: ID });
  await blind.close();
  expect(response).toMatchObject({
    allowed: false,
    status: {
      code: 503,
      message: expect.stringMatching(/^\[claim\/id-immutable-in-clusterset\] /),
      details: { retryAfterSeconds: 1 },
    },
  });
});

describe('/mutate', () => {
  const mutate = (over: Fields) => server.review(over, '/mutate?timeout=2s');

  test('adds the label', async () => {
    const response = await mutate(inventoryRequest(bare));
    expect(response).toMatchObject({ uid: UID, allowed: true, patchType: 'JSONPatch' });
    expect(JSON.parse(Buffer.from(response.patch ?? '', 'base64').toString())).toEqual([
      { op: 'add', path: '/metadata/labels', value: { 'x-k8s.io/cluster-manager': 'some-manager' } },
    ]);
  });

  test.each<[string, Fields]>([
    ['a right label', inventoryRequest(inventory)],
    ['an object that validate refuses', { object: badValue }],
  ])('leaves %s alone', async (_, over) => {
    const { auditAnnotations: _notes, ...response } = await mutate(over);
    expect(response).toEqual({ uid: UID, allowed: true });
  });

  test('refuses only what it can’t read', async () => {
    expect(await mutate({ object: null })).toMatchObject({ uid: UID, allowed: false, status: { code: 400 } });
  });
});

async function noAnswer() {
  return { known: false as const, reason: 'the API server does not answer' };
}
