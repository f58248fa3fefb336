import type { TLSSocket } from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import type { Bound } from '../../../src/server/limits.ts';
import { reviewWith } from '../../support/reviews.ts';
import { responseOf, type TestServer } from '../../support/test-server.ts';
import { until } from '../../support/until.ts';
import { changeOfId, head, slowView, stage, text } from './raw.ts';

const { start, connect } = stage();
const good = JSON.stringify(reviewWith());
const REJECTED = { status: 503, headers: { 'retry-after': '1', connection: 'close' } };
/** Another address than the tests' own. */
const quiet = { localAddress: '127.0.0.2' };

const held = (server: TestServer, name: string): Bound => {
  const bound = server.app.bounds().find((each) => each.name === name);
  if (bound === undefined) throw new Error(`no bound is named ${name}`);
  return bound;
};

/** What has been received of a connection so far. */
function receivedBy(socket: TLSSocket): () => string {
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  return () => received;
}

describe('evaluations that wait for a cluster', () => {
  test('one too many is rejected with HTTP 503 and Retry-After, and no other', async () => {
    const { views, contexts, answer } = slowView();
    // Of four permits one address gets two.
    const server = await start({ views, limits: { permits: 4 } });
    const waiting = [server.review(changeOfId), server.review(changeOfId)];
    await until(() => contexts.length === 2);
    expect(await server.send({}, good)).toMatchObject(REJECTED);
    expect(server.events).toEqual(['rejected: evaluations']);
    expect(held(server, 'concurrent_evaluations')).toEqual({ name: 'concurrent_evaluations', held: 2, limit: 4 });
    expect(responseOf(await server.send(quiet, good))).toMatchObject({ allowed: true });
    answer();
    for (const response of await Promise.all(waiting)) expect(response).toMatchObject({ allowed: true });
    expect(await server.review()).toMatchObject({ allowed: true });
    expect(held(server, 'concurrent_evaluations').held).toBe(0);
  });

  test('a caller that leaves gives its permit back, and the reads stop', async () => {
    const { views, contexts } = slowView();
    const server = await start({ views });
    const socket = await connect(server);
    socket.write(head(JSON.stringify(reviewWith(changeOfId))));
    await until(() => contexts.length === 1);
    expect(held(server, 'concurrent_evaluations').held).toBe(1);
    socket.destroy();
    await until(() => held(server, 'concurrent_evaluations').held === 0);
    await until(() => contexts[0]?.signal.aborted === true);
    expect(server.events.filter((event) => event.startsWith('error'))).toEqual([]);
  });
});

describe('bodies', () => {
  test('an address that holds too much loses the body it has been sending the longest', async () => {
    const body = good.padEnd(3000);
    const server = await start({ limits: { bodyBytes: 10_000 } });
    const slow = await connect(server);
    const answered = text(slow);
    slow.write(head(body).slice(0, -100));
    await until(() => held(server, 'body_bytes').held > 2800);
    expect(responseOf(await server.send({}, body))).toMatchObject({ allowed: true });
    slow.write(head(body).slice(-100));
    expect(await answered).toMatch(/^HTTP\/1.1 503 (?=[\s\S]*retry-after: 1\r\n)(?=[\s\S]*connection: close\r\n)/i);
    expect(server.events).toContain('rejected: body_bytes');
    expect(held(server, 'body_bytes')).toEqual({ name: 'body_bytes', held: 0, limit: 10_000 });
  });

  test('a head that never ends is cut off', async () => {
    const server = await start({ limits: { headMs: 50, requestMs: 100 } });
    const socket = await connect(server);
    socket.write('POST /validate HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 408 /);
    expect(server.decisions).toEqual([]);
    expect(server.events).toEqual(['closed: slow_request']);
  });

  test('a body that never ends is cut off, and counts as nothing', async () => {
    const server = await start({ limits: { headMs: 50, requestMs: 100 } });
    const socket = await connect(server);
    socket.write(head(good).slice(0, -5));
    expect(await text(socket)).toMatch(/^HTTP\/1.1 408 |^$/);
    await until(() => server.app.requestsInFlight() === 0);
    expect(server.decisions).toEqual([]);
    expect(held(server, 'body_bytes').held).toBe(0);
  });
});

describe('one connection', () => {
  test('has a few requests at a time, answered in order; one more is shed', async () => {
    const { views, contexts, answer } = slowView();
    const server = await start({ views, limits: { pipelined: 2 } });
    const socket = await connect(server);
    const received = receivedBy(socket);
    const slow = JSON.stringify(reviewWith(changeOfId));
    socket.write(head(slow) + head(slow) + head(good).repeat(50));
    await until(() => contexts.length === 2 && server.events.includes('rejected: pipelined'));
    answer();
    await until(() => socket.destroyed || socket.readableEnded);
    expect(received().match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 503']);
    expect(received()).toMatch(/503 [\s\S]*retry-after: 1\r\nconnection: close/i);
    expect(server.events.filter((event) => event === 'rejected: pipelined')).toHaveLength(1);
  });

  test('sends thousands without waiting: all but the first few are left unanswered, and others are served', async () => {
    const server = await start();
    const socket = await connect(server);
    const received = receivedBy(socket.on('error', () => {}));
    socket.write('GET /x HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2000));
    await until(() => socket.destroyed || socket.readableEnded);
    expect(received().match(/HTTP\/1.1 \d+/g)?.length).toBeLessThanOrEqual(5);
    expect(server.events).toContain('rejected: pipelined');
    expect(await server.review()).toMatchObject({ allowed: true });
  });
});
