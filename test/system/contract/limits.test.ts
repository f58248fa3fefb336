import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { createEngine, type Engine } from '../../../src/engine/index.ts';
import { listen } from '../../../src/server/lifecycle/listen.ts';
import type { AdmissionTracing, RequestSpan } from '../../../src/server/observer.ts';
import { reviewWith, UID } from '../../support/reviews.ts';
import { exchange, responseOf, type ServerOptions, startServer } from '../../support/test-server.ts';
import { until } from '../../support/until.ts';
import { head, stage } from './raw.ts';

const { start, connect, open } = stage();
const good = JSON.stringify(reviewWith());

describe('tracing that throws', () => {
  const fail = () => {
    throw new Error('no span');
  };
  const span: RequestSpan = {
    run: (work) => work(),
    ids: { trace_id: '', span_id: '' },
    exemplar: undefined,
    end: fail,
  };
  test.each<[string, AdmissionTracing, object, string[]]>([
    ['where a span begins: 500', { start: fail }, { allowed: false, status: { code: 500 } }, []],
    [
      'where it ends, after the answer',
      { start: () => span },
      { allowed: true },
      Array(2).fill('error: Error: no span'),
    ],
  ])('%s; the decision is logged, and nothing stays held', async (_, tracing, response, events) => {
    const server = await start({ tracing });
    for (let n = 0; n < 2; n++) expect(await server.review()).toMatchObject({ uid: UID, ...response });
    const held = () => server.app.bounds().filter((bound) => bound.name !== 'connections' && bound.held > 0);
    await until(() => server.decisions.length === 2 && held().length === 0);
    expect(server.events).toEqual(events);
  });
});

describe('crashes', () => {
  const broken = (engine: Partial<Engine>): Engine => ({ ...createEngine({ point: 'webhook' }), ...engine });
  const fail = () => {
    throw new Error('secret');
  };
  const noEngine = {
    get engine() {
      return fail();
    },
  };
  const crashing: [string, ServerOptions][] = [
    ['an engine that throws', { current: { engine: broken({ evaluate: fail }) } }],
    ['an engine that rejects', { current: { engine: broken({ evaluate: async () => fail() }) } }],
    ['an engine that answers nothing', { current: { engine: broken({ evaluate: async () => undefined as never }) } }],
    ['no engine', { current: noEngine }],
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
});

test('closing waits for half a request no longer than a running server would', async () => {
  const server = await startServer({ limits: { headMs: 300, requestMs: 300 } });
  const half = await connect(server);
  const slow = await connect(server);
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
  await app.fastify.close();
});

test('a port that another program has on one loopback address is in use', async () => {
  const other = createServer();
  open.push({ close: () => void other.close() });
  // Addresses that nothing else uses: on 127.0.0.1, a test that runs beside this one could have the same port.
  const loopbacks = ['127.0.0.5', '127.0.0.6', '127.0.0.7'];
  await new Promise<void>((resolve) => other.listen({ host: '127.0.0.7', port: 0 }, resolve));
  const { port } = other.address() as AddressInfo;
  const app = (await start()).build();
  const listening = listen(app, { host: 'localhost', port, loopbacks: async () => loopbacks });
  await expect(listening).rejects.toThrow(`can't listen on 127.0.0.7 port ${port}: the port is in use`);
  // The port of the other addresses is free again.
  for (const host of loopbacks.slice(0, 2)) open.push(await listen(app, { host, port }));
});

test('localhost is every loopback address there is: one server, on all of them', async () => {
  const server = await start();
  const app = server.build();
  const listening = await listen(app, {
    host: 'localhost',
    port: 0,
    loopbacks: async () => ['127.0.0.8', '127.0.0.9'],
  });
  open.push(listening);
  expect(listening.host).toBe('localhost');
  const ca = server.certificates.ca;
  for (const host of ['127.0.0.8', '127.0.0.9']) {
    const answer = await exchange({ host, port: listening.port, ca }, good);
    expect(responseOf(answer)).toMatchObject({ uid: UID, allowed: true });
  }
});
