/** The end of the process: what may hold it up, for how long, and what every answer says on the way. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectPlain, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { claim, reviewOf } from '../server/reviews.ts';
import { type Child, endChildren, type Served, sampleOf, serveChild, startChild } from './child.ts';
import { exchange, responseOf, startServer, type TestServer, until } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'muster-stopping-'));
afterAll(() => rmSync(folder, { recursive: true }));
const open: { close(): unknown }[] = [];
afterEach(async () => {
  endChildren();
  for (const opened of open.splice(0)) await opened.close();
});

const review = JSON.stringify(reviewOf());
const id = { ...claim, metadata: { name: 'id.k8s.io' } };
/** Needs a read of another object. */
const changeOfId = reviewOf({ operation: 'UPDATE', object: { ...id, spec: { value: 'two' } }, oldObject: id });

function head(body: string, length = Buffer.byteLength(body), path = '/validate'): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

async function tlsTo({ port, ca }: Pick<Served, 'port' | 'ca'>): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca });
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  open.push({ close: () => socket.destroy() });
  return socket;
}

async function plainTo(port: number): Promise<Socket> {
  const socket = connectPlain(port, '127.0.0.1');
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  open.push({ close: () => socket.destroy() });
  return socket;
}

/** An API server that takes connections and never says a word. */
async function muteApi(): Promise<{ server: Server; port: number; connections: () => number }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1');
  await until(() => server.listening);
  open.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return { server, port: (server.address() as { port: number }).port, connections: () => sockets.length };
}

function kubeconfigOf(port: number): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: `https://127.0.0.1:${port}` } }],
    users: [{ name: 'u', user: { token: 'secret-token' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
}

/** A live view of an API server that never answers. */
async function serveMute(...args: string[]): Promise<Served> {
  const { port } = await muteApi();
  const file = join(folder, `mute-${port}.json`);
  writeFileSync(file, kubeconfigOf(port));
  return serveChild({ args: ['--kubeconfig', file, '--namespace', 'fleet', ...args] });
}

const hung: Record<string, (served: Served) => Promise<void>> = {
  'a read that the API server never answers': async (served) => {
    (await tlsTo(served)).write(head(JSON.stringify(changeOfId), undefined, '/validate?timeout=30s'));
    await until(async () => (await sampleOf(served, 'muster_requests_in_flight')) === 1, 20_000);
  },
  'a body that never ends': async (served) => {
    (await tlsTo(served)).write(head(review, 100_000));
  },
  'a head that never ends': async (served) => {
    (await tlsTo(served)).write('POST /validate HTTP/1.1\r\nHost: local');
  },
  'answers that nobody reads': async (served) => {
    const socket = await tlsTo(served);
    socket.pause();
    for (let n = 0; n < 500; n++) socket.write(head(review));
  },
  'an idle connection': async (served) => {
    const socket = await tlsTo(served);
    socket.write(head(review));
    await new Promise((resolve) => socket.once('data', resolve));
  },
  'half a handshake': async (served) => {
    (await plainTo(served.port)).write(Buffer.from('160301020001', 'hex'));
  },
  'a connection that says nothing': async (served) => void (await plainTo(served.port)),
  'a scrape that nobody reads': async (served) => {
    const socket = await plainTo(served.opsPort);
    socket.pause();
    for (let n = 0; n < 100; n++) socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n');
  },
  'a probe that is never complete': async (served) => {
    (await plainTo(served.opsPort)).write('GET /readyz HTTP/1.1\r\nHost: l');
  },
};

/** As at a terminal: the patience is 2 s there, and works the same way after a drain. */
async function endWith(kind: string): Promise<{ code: unknown; inTime: boolean }> {
  const served = await serveMute();
  await hung[kind]?.(served);
  await new Promise((resolve) => setTimeout(resolve, 500));
  served.signal('SIGINT');
  const { code, after } = await served.ended;
  return { code, inTime: after < 10_000 };
}

describe('what hangs can’t hold the end', () => {
  // Some at a time: a process takes a second of a core to start.
  test.each([0, 3, 6])(
    'none of it, each in a process of its own (from %s on)',
    async (from) => {
      const kinds = Object.keys(hung).slice(from, from + 3);
      const ends = await Promise.all(kinds.map(endWith));
      expect(kinds.map((kind, n) => [kind, ends[n]])).toEqual(kinds.map((kind) => [kind, { code: 0, inTime: true }]));
    },
    90_000,
  );

  test('a request under way gets its answer, within its own deadline, before the server is gone', async () => {
    const served = await serveMute('--drain-seconds', '0.2');
    const waiting = exchange(
      { port: served.port, ca: served.ca, path: '/validate?timeout=2s' },
      JSON.stringify(changeOfId),
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    served.signal('SIGTERM');
    const answer = await waiting;
    expect(responseOf(answer)).toMatchObject({ allowed: false, status: { code: 503 } });
    expect(answer.headers['connection']).toBe('close');
    const { code, after } = await served.ended;
    expect({ code, inTime: after < 8000 }).toEqual({ code: 0, inTime: true });
  });

  test.each<[NodeJS.Signals, NodeJS.Signals]>([
    ['SIGTERM', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
    ['SIGINT', 'SIGINT'],
  ])('%s, and then %s: at once, with exit code 1', async (first, second) => {
    const served = await serveMute('--drain-seconds', '600');
    await hung['a read that the API server never answers']?.(served);
    served.signal(first);
    await until(() => served.log().includes(`${first}: not ready any more`));
    served.signal(second);
    const { code, after } = await served.ended;
    expect({ code, inTime: after < 1500 }).toEqual({ code: 1, inTime: true });
    expect(served.log()).toContain(`${second} again: stopping at once`);
  });

  test('a port that is taken ends a start at once, though the API server hangs', async () => {
    const api = await muteApi();
    const file = join(folder, `mute-${api.port}.json`);
    writeFileSync(file, kubeconfigOf(api.port));
    const child: Child = startChild({
      args: ['--kubeconfig', file, '--host', '127.0.0.1', '--ops-port', String(api.port)],
    });
    await until(() => child.log().includes("can't listen"), 20_000);
    child.signal('SIGCONT');
    const { code, after } = await child.ended;
    expect({ code, inTime: after < 2000 }).toEqual({ code: 2, inTime: true });
  });
});

describe('while draining, every answer asks to close its connection', () => {
  let server: TestServer;
  const start = async (options: Parameters<typeof startServer>[0] = {}) => {
    server = await startServer(options);
    open.push(server);
    return server;
  };
  const raw = async (text: string): Promise<string> => {
    const socket = await tlsTo({ port: server.listening.port, ca: server.certificates.ca });
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.write(text);
    await ended;
    return answer;
  };

  test.each<[string, string, string]>([
    ['a verdict', head(review), '200'],
    ['a review that can’t be read', head('{'), '200'],
    ['another path', head(review, undefined, '/nowhere'), '404'],
    ['another method', 'GET /validate HTTP/1.1\r\nHost: localhost\r\n\r\n', '405'],
    ['a path that is none', 'GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n', '4\\d\\d'],
    ['a version that is none', 'GET / HTTP/7.0\r\nHost: localhost\r\n\r\n', '400'],
    ['a head too large', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
  ])('%s', async (_, text, status) => {
    await start();
    server.drain.begin();
    expect(await raw(text)).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*?\\r\\nconnection: close\\r\\n`, 'i'));
  });

  test('that of a request begun before', async () => {
    let answer = () => {};
    const waiting = new Promise<{ known: true; value: undefined }>((resolve) => {
      answer = () => resolve({ known: true, value: undefined });
    });
    let asked = false;
    const get = () => {
      asked = true;
      return waiting;
    };
    await start({ views: { open: () => ({ get, list: async () => ({ known: true, value: [] }) }) } });
    const sent = raw(head(JSON.stringify(changeOfId)));
    await until(() => asked);
    server.drain.begin();
    answer();
    expect(await sent).toMatch(/^HTTP\/1.1 200 [\s\S]*?\r\nconnection: close\r\n/i);
  });

  test('and new connections are taken', async () => {
    await start();
    server.drain.begin();
    for (let n = 0; n < 3; n++) expect((await server.send({}, review)).status).toBe(200);
  });
});
