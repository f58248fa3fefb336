/** Deadlines, crashes, certificates, draining: what a server must survive. Load is in overload.test.ts and connections.test.ts. */
import { Agent } from 'node:https';
import { describe, expect, test } from '@jest/globals';
import { createEngine, type Engine } from '../../src/engine/index.ts';
import type { ClusterView } from '../../src/rules/rule.ts';
import { listen } from '../../src/server/lifecycle/listen.ts';
import { handshakeCheck } from '../../src/server/ops/health.ts';
import { issueCertificates } from '../../src/tls/issue.ts';
import { reviewOf, UID } from '../server/reviews.ts';
import { type Answer, exchange, responseOf, type ServerOptions, startServer, until } from './harness.ts';
import { changeOfId, head, slowView, stage } from './raw.ts';

const { start, connect, open } = stage();
const good = JSON.stringify(reviewOf());

describe('the deadline', () => {
  test('a view that never answers: 503 in time, and its reads are told to stop', async () => {
    const { views, contexts } = slowView();
    const server = await start({ views });
    const began = Date.now();
    const response = await server.review(changeOfId, '/validate?timeout=1s');
    expect(response).toMatchObject({
      uid: UID,
      allowed: false,
      status: { code: 503, details: { retryAfterSeconds: 1 } },
    });
    expect(contexts[0]?.signal.aborted).toBe(true);
    expect(contexts[0]?.at).toBeGreaterThanOrEqual(began + 800);
    // The answer came because the deadline had passed, not because the view had answered.
    expect(contexts[0]?.at).toBeLessThanOrEqual(Date.now());
  });

  test('an answer in time counts', async () => {
    const { views, answer, contexts } = slowView();
    const server = await start({ views });
    const waiting = server.review(changeOfId, '/validate?timeout=30s');
    await until(() => contexts.length === 1);
    answer();
    expect(await waiting).toMatchObject({ allowed: true });
  });
});

describe('crashes', () => {
  const broken = (engine: Partial<Engine>): Engine => ({ ...createEngine({ point: 'webhook' }), ...engine });
  const fail = () => {
    throw new Error('secret');
  };
  const crashing: [string, ServerOptions][] = [
    ['an engine that throws', { engine: () => broken({ evaluate: fail }) }],
    ['an engine that rejects', { engine: () => broken({ evaluate: async () => fail() }) }],
    ['an engine that answers nothing', { engine: () => broken({ evaluate: async () => undefined as never }) }],
    ['no engine', { engine: fail }],
    ['no view', { views: { open: fail } }],
  ];
  test.each(crashing)('%s: 500 with a reference, and the next request is served', async (_, options) => {
    const server = await start(options);
    const response = await server.review();
    expect(response).toMatchObject({ uid: UID, allowed: false, status: { code: 500, reason: 'InternalError' } });
    const reference = server.decisions[0]?.failure?.reference ?? 'none';
    expect(response.status?.message).toContain(reference);
    expect(JSON.stringify(response)).not.toContain('secret');
    expect(await server.review({ operation: 'CONNECT' })).toMatchObject({ allowed: true });
  });

  test('a rule that throws where it could deny', async () => {
    const view: ClusterView = { get: async () => fail(), list: async () => fail() };
    const server = await start({ views: { open: () => view } });
    const response = await server.review(changeOfId);
    expect(response).toMatchObject({
      allowed: false,
      status: { code: 500, message: expect.stringContaining('[claim/id-immutable-in-clusterset] ') },
    });
    const [crash] = server.decisions[0]?.verdict?.crashes ?? [];
    expect(response.status?.message).toContain(crash?.reference ?? 'none');
  });
});

describe('the certificate', () => {
  test('a new one serves new connections and leaves living ones alone', async () => {
    const server = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await server.review({}, '/validate', { agent });
    const renewed = await issueCertificates({ names: ['localhost'] });
    server.app.server.setSecureContext({ ...renewed, minVersion: 'TLSv1.2' });
    expect(await server.review({}, '/validate', { agent })).toMatchObject({ allowed: true });
    expect(await server.review({}, '/validate', { ca: renewed.ca })).toMatchObject({ allowed: true });
    await expect(server.review()).rejects.toThrow();
    agent.destroy();
  });

  test('the server shakes hands with itself, and remembers for a while', async () => {
    const server = await start();
    let handshakes = 0;
    server.app.server.on('secureConnection', () => {
      handshakes += 1;
    });
    let now = 0;
    const check = handshakeCheck({ address: () => server.listening, clock: () => now, cacheMs: 1000 });
    expect(await check.run()).toBeUndefined();
    expect(await check.run()).toBeUndefined();
    await until(() => handshakes === 1);
    now = 1000;
    expect(await check.run()).toBeUndefined();
    await until(() => handshakes === 2);
  });
});

describe('draining', () => {
  test('keeps serving and asks each connection to close', async () => {
    const server = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await server.send({ agent }, good)).headers['connection']).toBe('keep-alive');
    server.drain.begin();
    for (const request of [{ agent }, {}]) {
      const answer: Answer = await server.send(request, good);
      expect(responseOf(answer)).toMatchObject({ allowed: true });
      expect(answer.headers['connection']).toBe('close');
    }
    agent.destroy();
  });

  test('closing lets a running request end', async () => {
    const { views, contexts, answer } = slowView();
    const server = await startServer({ views });
    const waiting = server.review(changeOfId);
    await until(() => contexts.length === 1);
    const closing = server.listening.close(10_000);
    await until(() => !server.app.server.listening);
    answer();
    expect(await waiting).toMatchObject({ allowed: true });
    await closing;
  });

  test('closing does not wait for a connection that says nothing', async () => {
    const server = await startServer();
    const socket = await connect(server);
    await server.listening.close(50);
    await until(() => socket.destroyed || socket.readableEnded);
  });
});

test('closing waits for half a request no longer than a running server would', async () => {
  const server = await startServer({ limits: { headMs: 300, requestMs: 300 } });
  const [half, slow] = [await connect(server), await connect(server)];
  for (const socket of [half, slow]) socket.on('error', () => {}).resume();
  half.write('POST /validate HTTP/1.1\r\nHo');
  slow.write(head(good, 100_000));
  // Node would look once a second, and not any more once it closes.
  await until(() => server.app.bounds().some(({ name, held }) => name === 'body_bytes' && held > 0));
  const began = performance.now();
  await server.listening.close(20_000);
  expect(performance.now() - began).toBeLessThan(10_000);
});

test('two servers do not share a port: the second says so', async () => {
  const server = await start();
  const app = server.build();
  const { port } = server.listening;
  const problem = `can't listen on 127.0.0.1 port ${port}: the port is in use`;
  await expect(listen(app, { host: '127.0.0.1', port })).rejects.toThrow(problem);
  await app.close();
});

test('localhost is every loopback address there is: one server, on all of them', async () => {
  const server = await start();
  const app = server.build();
  const listening = await listen(app, {
    host: 'localhost',
    port: 0,
    loopbacks: async () => ['127.0.0.1', '127.0.0.2'],
  });
  open.push(listening);
  expect(listening.host).toBe('localhost');
  const ca = server.certificates.ca;
  for (const host of ['127.0.0.1', '127.0.0.2']) {
    const answer = await exchange({ host, port: listening.port, ca }, good);
    expect(responseOf(answer)).toMatchObject({ uid: UID, allowed: true });
  }
  const renewed = await issueCertificates({ names: ['localhost'] });
  app.server.setSecureContext(renewed);
  expect(await exchange({ host: '127.0.0.2', port: listening.port, ca: renewed.ca }, good)).toMatchObject({
    status: 200,
  });
});

test('a client that does not know the CA is not fooled', async () => {
  const server = await start();
  await expect(exchange({ port: server.listening.port }, good)).rejects.toThrow(/certificate/);
});
