/**
 * Whatever comes in, a verdict goes out, as HTTP 200: any other status would admit the object under `failurePolicy:
 * Ignore`.
 */
import type { RequestOptions } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { claim, reviewWith, UID } from '../../support/reviews.ts';
import { responseOf, startServer, type TestServer } from '../../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  // On a slow machine, nine megabytes take longer than a request may.
  server = await startServer({ limits: { headMs: 60_000, requestMs: 60_000 } });
});
afterAll(() => server.close());

const badReview = reviewWith({ object: { ...claim, spec: { value: 7 } } });
const bad = JSON.stringify(badReview);
const good = JSON.stringify(reviewWith());
const post = async (body: string | Buffer | Iterable<Buffer>, options: RequestOptions = {}) =>
  responseOf(await server.send(options, body));

describe('bodies that can’t be read', () => {
  test('nine megabytes: answered after all of it was taken, then the connection closes', async () => {
    const body = JSON.stringify(reviewWith({ object: { ...claim, filler: 'x'.repeat(9_000_000) } }));
    const answer = await server.send({}, body);
    expect(responseOf(answer)).toMatchObject({
      uid: UID,
      allowed: false,
      status: { code: 400, message: expect.stringContaining('larger than 8 MiB') },
    });
    expect(answer.headers['connection']).toBe('close');
  });
});

describe('however it is sent, it is evaluated', () => {
  const types = [
    'application/json; charset=utf-8',
    'Application/JSON',
    'text/plain',
    'application/yaml',
    'multipart/form-data',
    ';;;',
    '*/*',
    '',
  ];
  test.each(types)('content type %j', async (type) => {
    expect(await post(good, { headers: { 'content-type': type } })).toMatchObject({ uid: UID, allowed: true });
    expect(await post(bad, { headers: { 'content-type': type } })).toMatchObject({
      uid: UID,
      allowed: false,
      status: { code: 422 },
    });
  });

  test('no content type', async () => {
    expect(await post(bad, { headers: { 'content-type': undefined } })).toMatchObject({ status: { code: 422 } });
  });

  test('chunked, a byte at a time at first', async () => {
    const bytes = Buffer.from(bad);
    const pieces = [...Array.from(bytes.subarray(0, 50), (byte) => Buffer.from([byte])), bytes.subarray(50)];
    expect(await post(pieces)).toMatchObject({ uid: UID, allowed: false, status: { code: 422 } });
  });

  test('chunked with nothing in it', async () => {
    expect(await post([])).toMatchObject({ allowed: false, status: { code: 400 } });
  });

  test('Expect: 100-continue', async () => {
    expect(await post(bad, { headers: { expect: '100-continue' } })).toMatchObject({ status: { code: 422 } });
  });

  test.each(['', '?', '?timeout=1s', '?%zz', '?__proto__[a]=b'])('query %j', async (query) => {
    expect(await post(bad, { path: `/validate${query}` })).toMatchObject({ status: { code: 422 } });
  });
});

describe('what is not served', () => {
  test.each<[string, string, number]>([
    ['GET', '/validate', 405],
    ['HEAD', '/validate', 405],
    ['DELETE', '/validate', 405],
    ['PUT', '/mutate?timeout=1s', 405],
    ['POST', '/', 404],
    ['POST', '/validate/', 404],
    ['POST', '/VALIDATE', 404],
    ['POST', '/x/../nope', 404],
    ['POST', '/metrics', 404],
    ['GET', '/metrics', 404],
    ['GET', '/readyz', 404],
  ])('%s %s', async (method, path, status) => {
    const body = method === 'POST' || method === 'PUT' ? good : '';
    expect(await server.send({ method, path }, body)).toMatchObject({ status });
  });
});

test('the observer gets each request once', async () => {
  const before = server.decisions.length;
  await post(good);
  await post('junk');
  expect(server.decisions.slice(before).map(({ outcome }) => outcome)).toEqual(['allowed', 'unreadable']);
  expect(server.events).toEqual([]);
});
