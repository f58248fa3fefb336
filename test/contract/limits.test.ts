/** Deadlines, load, slow senders, crashes, connections, draining: what a server must survive. */
import { Agent } from 'node:https';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createEngine, type Engine } from '../../src/engine/index.ts';
import type { ClusterView } from '../../src/rules/rule.ts';
import type { ViewContext } from '../../src/server/admission.ts';
import { certificateCheck, handshakeCheck } from '../../src/server/health.ts';
import { listen } from '../../src/server/listen.ts';
import { issueCertificates } from '../../src/tls/issue.ts';
import { applyCertificate } from '../../src/tls/reload.ts';
import { claim, reviewOf, UID } from '../server/reviews.ts';
import {
  type Answer,
  exchange,
  responseOf,
  type ServerOptions,
  startServer,
  type TestServer,
  until,
} from './harness.ts';

const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const opened of open.splice(0).reverse()) await opened.close();
});

async function start(options: ServerOptions = {}): Promise<TestServer> {
  const server = await startServer(options);
  open.push(server);
  return server;
}

const id = { ...claim, metadata: { name: 'id.k8s.io' } };
/** Needs the view. */
const changeOfId = { operation: 'UPDATE', object: { ...id, spec: { value: 'two' } }, oldObject: id };
const good = JSON.stringify(reviewOf());

/** A view whose answers wait until `answer` is called. */
function slowView() {
  const contexts: ViewContext[] = [];
  let answer = () => {};
  const waiting = new Promise<{ known: true; value: undefined }>((resolve) => {
    answer = () => resolve({ known: true, value: undefined });
  });
  const view: ClusterView = { get: () => waiting, list: async () => ({ known: true, value: [] }) };
  const views = {
    open: (context: ViewContext) => {
      contexts.push(context);
      return view;
    },
  };
  return { views, contexts, answer: () => answer() };
}

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
    expect(contexts[0]?.deadline).toBeGreaterThanOrEqual(began + 800);
    // The answer came because the deadline had passed, not because the view had answered.
    expect(contexts[0]?.deadline).toBeLessThanOrEqual(Date.now());
  });

  test('an answer in time counts', async () => {
    const { views, answer, contexts } = slowView();
    const server = await start({ views });
    const waiting = server.review(changeOfId, '/validate?timeout=30s');
    await until(() => contexts.length === 1);
    answer();
    expect(await waiting).toMatchObject({ allowed: true });
  });

  test('the caller hangs up: the reads stop', async () => {
    const { views, contexts } = slowView();
    const server = await start({ views });
    const socket = await rawSocket(server);
    socket.write(head(JSON.stringify(reviewOf(changeOfId))));
    await until(() => contexts.length === 1);
    socket.destroy();
    await until(() => contexts[0]?.signal.aborted === true);
  });
});

describe('crashes', () => {
  const broken = (engine: Partial<Engine>): Engine => ({ ...createEngine({ point: 'webhook' }), ...engine });
  const crashing: [string, ServerOptions][] = [
    [
      'an engine that throws',
      {
        engine: () =>
          broken({
            judge: () => {
              throw new Error('secret');
            },
          }),
      },
    ],
    [
      'an engine that rejects',
      {
        engine: () =>
          broken({
            judge: async () => {
              throw new Error('secret');
            },
          }),
      },
    ],
    ['an engine that answers nothing', { engine: () => broken({ judge: async () => undefined as never }) }],
    [
      'no engine',
      {
        engine: () => {
          throw new Error('secret');
        },
      },
    ],
    [
      'no view',
      {
        views: {
          open: () => {
            throw new Error('secret');
          },
        },
      },
    ],
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
    const view: ClusterView = {
      get: async () => {
        throw new Error('secret');
      },
      list: async () => {
        throw new Error('secret');
      },
    };
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

describe('load', () => {
  test('one request too many is shed as HTTP 503 with Retry-After, and no other', async () => {
    const { views, contexts, answer } = slowView();
    const server = await start({ views, limits: { inFlight: 2 } });
    const waiting = [server.review(changeOfId), server.review(changeOfId)];
    await until(() => contexts.length === 2);
    const shed = await server.send({}, good);
    expect(shed).toMatchObject({ status: 503, headers: { 'retry-after': '1', connection: 'close' } });
    expect(server.events).toEqual(['shed: queue_full']);
    answer();
    for (const response of await Promise.all(waiting)) expect(response).toMatchObject({ allowed: true });
    expect(await server.review()).toMatchObject({ allowed: true });
  });

  test('a head that never ends is cut off', async () => {
    const server = await start({ limits: { headMs: 50, requestMs: 100 } });
    const socket = await rawSocket(server);
    socket.write('POST /validate HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 408 /);
    expect(server.decisions).toEqual([]);
  });

  test('a body that never ends is cut off, and counts as nothing', async () => {
    const server = await start({ limits: { headMs: 50, requestMs: 100 } });
    const socket = await rawSocket(server);
    socket.write(head(good).slice(0, -5));
    expect(await text(socket)).toMatch(/^HTTP\/1.1 408 |^$/);
    await until(() => server.events.includes('abandoned'));
    expect(server.decisions).toEqual([]);
  });

  test('a body beyond any measure is answered before its end', async () => {
    const server = await start({ limits: { body: { kept: 1000, read: 5000 } } });
    const socket = await rawSocket(server);
    socket.write(head(good, 1_000_000));
    socket.write('x'.repeat(10_000));
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 200 [\s\S]*connection: close/i);
    expect(answer).toContain(`"uid":"${UID}","allowed":false`);
  });

  test('connections are bounded', async () => {
    const server = await start({ limits: { connections: 2 } });
    await rawSocket(server);
    await rawSocket(server);
    await expect(rawSocket(server)).rejects.toThrow();
  });

  test('huge headers are refused', async () => {
    const server = await start();
    expect(await server.send({ headers: { 'x-big': 'x'.repeat(20_000) } }, good)).toMatchObject({ status: 431 });
  });

  test('thirty at once, good and bad', async () => {
    const server = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 5 });
    const bad = { object: { ...claim, spec: { value: 7 } } };
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        server.review({ uid: `u-${n}`, ...(n % 2 ? bad : {}) }, '/validate', { agent }),
      ),
    );
    expect(answers.map(({ uid, allowed }) => [uid, allowed])).toEqual(
      Array.from({ length: 30 }, (_, n) => [`u-${n}`, n % 2 === 0]),
    );
    agent.destroy();
  });
});

describe('connections', () => {
  test('outlive the 90 s for which the API server keeps them', async () => {
    const server = await start();
    expect(server.app.server.keepAliveTimeout).toBeGreaterThanOrEqual(100_000);
  });

  test('serve one request after another, whatever the verdicts', async () => {
    const server = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<unknown>();
    server.app.server.on('secureConnection', (socket) => ports.add(socket.remotePort));
    for (const body of [good, 'junk', good, '{', good]) responseOf(await server.send({ agent }, body));
    expect(ports.size).toBe(1);
    agent.destroy();
  });

  test('pipelined requests are answered in order', async () => {
    const server = await start();
    const socket = await rawSocket(server);
    const bodies = ['u-1', 'u-2', 'u-3'].map((uid) => JSON.stringify(reviewOf({ uid })));
    socket.write(bodies.map((body) => head(body)).join(''));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    await until(() => received.includes('u-3'));
    expect([...received.matchAll(/"uid":"(u-\d)"/g)].map(([, uid]) => uid)).toEqual(['u-1', 'u-2', 'u-3']);
  });
});

describe('the certificate', () => {
  test('TLS 1.1 is refused, 1.2 and 1.3 are served', async () => {
    const server = await start();
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await rawSocket(server, { minVersion: version, maxVersion: version });
      expect(socket.getProtocol()).toBe(version);
    }
    await expect(rawSocket(server, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })).rejects.toThrow();
  });

  test('a new one serves new connections and leaves living ones alone', async () => {
    const server = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await server.review({}, '/validate', { agent });
    const renewed = await issueCertificates({ names: ['localhost'] });
    applyCertificate(server.app.server, renewed, { minVersion: 'TLSv1.2' });
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
    const { notBefore, notAfter } = server.certificates;
    const validity = { notBefore: notBefore.getTime(), notAfter: notAfter.getTime() };
    expect(certificateCheck(() => validity).run()).toBeUndefined();
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
    const socket = await rawSocket(server);
    await server.listening.close(50);
    await until(() => socket.destroyed || socket.readableEnded);
  });
});

/** A request's head and body as bytes; `length` may lie. */
function head(body: string, length = Buffer.byteLength(body)): string {
  return `POST /validate HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

function rawSocket(server: TestServer, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const { port } = server.listening;
  const weak = options.maxVersion === 'TLSv1.1' ? { ciphers: 'DEFAULT@SECLEVEL=0' } : {};
  return new Promise((resolve, reject) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername: 'localhost',
      ca: server.certificates.ca,
      ...weak,
      ...options,
    });
    open.push({ close: () => void socket.destroy() });
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });
}

/** All that comes until the other side ends. */
function text(socket: TLSSocket): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.once('error', () => resolve(received));
    socket.once('close', () => resolve(received));
  });
}

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
  applyCertificate(app.server, renewed);
  expect(await exchange({ host: '127.0.0.2', port: listening.port, ca: renewed.ca }, good)).toMatchObject({
    status: 200,
  });
});

test('a client that does not know the CA is not fooled', async () => {
  const server = await start();
  await expect(exchange({ port: server.listening.port }, good)).rejects.toThrow(/certificate/);
});
