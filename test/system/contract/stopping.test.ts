/** The end of the process: what may delay it, for how long, and what answers say meanwhile. */
import { connect as connectPlain, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import { json, kubeconfigOf, startApiStub } from '../../support/api-stub.ts';
import { endChildren, type Served, sampleOf, serveChild, startChild, startHangingApi } from '../../support/child.ts';
import { newFolder } from '../../support/folder.ts';
import { reviewWith } from '../../support/reviews.ts';
import { exchange, responseOf, type TestServer } from '../../support/test-server.ts';
import { until } from '../../support/until.ts';
import { changeOfId, head, slowView, stage, text } from './raw.ts';

const { replace: write } = newFolder();
const stages = stage();
afterEach(endChildren);

const review = JSON.stringify(reviewWith());
const needsRead = JSON.stringify(reviewWith(changeOfId));

function tlsTo({ port, ca }: Served): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca });
  return ready(socket, 'secureConnect');
}

function plainTo(port: number): Promise<Socket> {
  return ready(connectPlain(port, '127.0.0.1'), 'connect');
}

function ready<S extends Socket>(socket: S, event: string): Promise<S> {
  stages.open.push({ close: () => void socket.destroy() });
  socket.on('error', () => {});
  return new Promise((resolve) => socket.once(event, () => resolve(socket)));
}

/** Serves with a cluster whose API server never answers. */
async function serveHanging(...args: string[]): Promise<Served> {
  const kubeconfig = write('kubeconfig', kubeconfigOf(`https://127.0.0.1:${await startHangingApi()}`));
  return serveChild({ args: ['--kubeconfig', kubeconfig, '--namespace', 'fleet', ...args] });
}

async function readUnderWay(served: Served): Promise<void> {
  (await tlsTo(served)).write(head(needsRead, undefined, '/validate?timeout=30s'));
  await until(async () => (await sampleOf(served, 'muster_requests_in_flight')) === 1, 20_000);
}

/** Whether a new connection is refused. */
function isRefused({ port }: Served): Promise<boolean> {
  const socket = connectPlain(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('error', () => resolve(true));
    socket.once('connect', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

const hanging: Record<string, (served: Served) => Promise<unknown>> = {
  'a read that the API server never answers': readUnderWay,
  'a body that never ends': async (served) => (await tlsTo(served)).write(head(review, 100_000)),
  'a head that never ends': async (served) => (await tlsTo(served)).write('POST /validate HTTP/1.1\r\nHost: local'),
  'answers that nobody reads': async (served) => (await tlsTo(served)).pause().write(head(review).repeat(500)),
  'an idle connection': async (served) => {
    const socket = await tlsTo(served);
    socket.write(head(review));
    await new Promise((resolve) => socket.once('data', resolve));
  },
  'half a handshake': async (served) => (await plainTo(served.port)).write(Buffer.from('160301020001', 'hex')),
  'a connection without a byte': (served) => plainTo(served.port),
  'a scrape that nobody reads': async (served) =>
    (await plainTo(served.opsPort)).pause().write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100)),
  'a probe that is never complete': async (served) =>
    (await plainTo(served.opsPort)).write('GET /readyz HTTP/1.1\r\nHost: l'),
};

/** As at a terminal: there the limit is 2 s, and works in the same way after a drain. */
async function endWith(kind: string): Promise<[string, object]> {
  const served = await serveHanging();
  await hanging[kind]?.(served);
  await sleep(500);
  served.signal('SIGINT');
  const { code, after } = await served.ended;
  return [kind, { code, inTime: after < 10_000 }];
}

describe('what hangs does not delay the end', () => {
  // Some at a time: a process takes a second of a core to start.
  test.each([0, 3, 6])(
    'none of it, each in a process of its own (from %s on)',
    async (from) => {
      const kinds = Object.keys(hanging).slice(from, from + 3);
      const ends = await Promise.all(kinds.map(endWith));
      expect(ends).toEqual(kinds.map((kind) => [kind, { code: 0, inTime: true }]));
    },
    90_000,
  );

  test('a request under way gets its answer, within its own deadline, before the server ends', async () => {
    const api = await startApiStub(dirname(write('empty', '')));
    stages.open.push(api);
    // No Lease is answered, and a Lease is read once: a connection that is closed too early changes the answer.
    api.answer = ({ url = '' }, response) => {
      const name = url.split('/').at(-1);
      if (!url.includes('/leases/')) json(response, 404, { kind: 'Status', details: { name } });
    };
    const served = await serveChild({ args: ['--kubeconfig', api.kubeconfig, '--drain-seconds', '0.2'] });
    const waiting = exchange({ port: served.port, ca: served.ca, path: '/validate?timeout=4s' }, needsRead);
    await until(async () => (await sampleOf(served, 'muster_requests_in_flight')) === 1, 20_000);
    served.signal('SIGTERM');
    await until(() => isRefused(served));
    // Probes and scrapes are answered to the last, on connections that close.
    const probe = await fetch(`http://127.0.0.1:${served.opsPort}/readyz?verbose`);
    expect([await probe.text(), probe.headers.get('connection')]).toEqual([
      expect.stringContaining('[-]not-draining failed'),
      'close',
    ]);
    const answer = await waiting;
    const message = expect.stringContaining('did not answer in time');
    expect(responseOf(answer)).toMatchObject({ allowed: false, status: { code: 503, message } });
    expect(answer.headers['connection']).toBe('close');
    const { code, after } = await served.ended;
    expect({ code, inTime: after < 8000 }).toEqual({ code: 0, inTime: true });
  });

  test.each<[NodeJS.Signals, NodeJS.Signals]>([
    ['SIGTERM', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
    ['SIGINT', 'SIGINT'],
  ])('%s, and then %s: at once, with exit code 1', async (first, second) => {
    const served = await serveHanging('--drain-seconds', '600');
    await readUnderWay(served);
    served.signal(first);
    await until(() => served.log().includes(`${first}: not ready any more`));
    // The same one at once is passed on by npm: it counts once.
    if (second === first) {
      served.signal(second);
      await sleep(600);
      expect(served.log()).not.toContain('a second signal');
    }
    served.signal(second);
    const { code, after } = await served.ended;
    expect({ code, inTime: after < 3000 }).toEqual({ code: 1, inTime: true });
    expect(served.log()).toContain(`a second signal, ${second}: stopping at once`);
  });

  test('a port in use ends a start at once with exit code 2, although the API server hangs', async () => {
    const port = await startHangingApi();
    const kubeconfig = write('kubeconfig', kubeconfigOf(`https://127.0.0.1:${port}`));
    const child = startChild({ args: ['--kubeconfig', kubeconfig, '--host', '127.0.0.1', '--ops-port', String(port)] });
    await until(() => child.log().includes("can't listen"), 20_000);
    child.signal('SIGCONT');
    const { code, after } = await child.ended;
    expect({ code, inTime: after < 2000 }).toEqual({ code: 2, inTime: true });
  });
});

describe('while draining, every answer asks to close its connection', () => {
  const CLOSES = /^HTTP\/1.1 (\d+) [\s\S]*?\r\nconnection: close\r\n/i;
  const send = async (server: TestServer, request: string): Promise<string> => {
    const socket = await stages.connect(server);
    const answer = text(socket);
    socket.write(request);
    return answer;
  };

  test.each<[string, string, string]>([
    ['a verdict', head(review), '200'],
    ['a review that can’t be read', head('{'), '200'],
    ['another path', head(review, undefined, '/nowhere'), '404'],
    ['another method', 'GET /validate HTTP/1.1\r\nHost: localhost\r\n\r\n', '405'],
    ['a path that is none', 'GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n', '400'],
    ['a version that is none', 'GET / HTTP/7.0\r\nHost: localhost\r\n\r\n', '400'],
    ['a head too large', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
  ])('%s', async (_, request, status) => {
    const server = await stages.start();
    server.app.drain();
    expect(CLOSES.exec(await send(server, request))?.[1]).toBe(status);
  });

  test('that of a request begun before', async () => {
    const { views, contexts, answer } = slowView();
    const server = await stages.start({ views });
    const sent = send(server, head(needsRead));
    await until(() => contexts.length === 1);
    server.app.drain();
    answer();
    expect(CLOSES.exec(await sent)?.[1]).toBe('200');
  });
});
