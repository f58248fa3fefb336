/**
 * Reviews against the real engine over TLS. Every operation and subresource: test/unit/engine/review.test.ts; codes and
 * messages: test/unit/server/admission/respond.test.ts.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { claim, inventory, inventoryRequest, UID } from '../../support/reviews.ts';
import { startServer, type TestServer } from '../../support/test-server.ts';

const ID = { ...claim, metadata: { name: 'id.k8s.io' }, spec: { value: 'one' } };
const MEMBER = { ...ID, metadata: { name: 'clusterset.k8s.io' }, spec: { value: 'set' } };
const deleted = { operation: 'DELETE', object: null, oldObject: ID, name: 'id.k8s.io' };

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ state: [ID, MEMBER] });
});
afterAll(() => server.close());

test('/validate allows, without a patch', async () => {
  const response = await server.review();
  expect(response).toMatchObject({ uid: UID, allowed: true });
  expect(Object.keys(response)).not.toContain('patch');
});

test('/validate refuses by the cluster state', async () => {
  expect(await server.review(deleted)).toMatchObject({
    uid: UID,
    allowed: false,
    status: { code: 403, message: expect.stringContaining('[claim/id-present-in-clusterset] ') },
    auditAnnotations: { decision: 'denied', rules: expect.stringContaining('claim/id-present-in-clusterset:deny') },
  });
});

test('/validate refuses for all reasons at once: a line for each finding, and one for their pages', async () => {
  const object = { ...ID, metadata: { name: 'my.k8s.io' }, spec: { value: 7 } };
  const { status } = await server.review({ object });
  expect(status).toMatchObject({ code: 403, reason: 'Forbidden' });
  expect(status?.message.split('\n')).toEqual([
    expect.stringMatching(/^\[claim\/value\] /),
    expect.stringMatching(/^\[claim\/reserved-name\] /),
    expect.stringMatching(/^More: https:\/\/[^\n]+\/rules\/$/),
  ]);
});

test('/validate warns, in the words of the finding', async () => {
  const alone = await startServer({ state: [ID] });
  const response = await alone.review(deleted);
  await alone.close();
  expect(response).toMatchObject({ allowed: true, warnings: [expect.stringMatching(/^\[claim\/id-present\] /)] });
});

test('what can’t be known is 503, to be asked again', async () => {
  const noAnswer = async () => ({ known: false as const, reason: 'the API server does not answer' });
  const blind = await startServer({ views: { open: () => ({ get: noAnswer, list: noAnswer }) } });
  const response = await blind.review(deleted);
  await blind.close();
  expect(response).toMatchObject({ allowed: false, status: { code: 503, details: { retryAfterSeconds: 1 } } });
});

test('/mutate adds the label', async () => {
  const bare = { ...inventory, metadata: { name: 'fleet-1' } };
  const response = await server.review(inventoryRequest(bare), '/mutate?timeout=2s');
  expect(response).toMatchObject({ uid: UID, allowed: true, patchType: 'JSONPatch' });
  expect(JSON.parse(Buffer.from(response.patch ?? '', 'base64').toString())).toEqual([
    { op: 'add', path: '/metadata/labels', value: { 'x-k8s.io/cluster-manager': 'some-manager' } },
  ]);
});
