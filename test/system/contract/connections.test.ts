import { connect as connectPlain, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { reviewWith } from '../../support/reviews.ts';
import type { TestServer } from '../../support/test-server.ts';
import { until } from '../../support/until.ts';
import { head, stage, text } from './raw.ts';

const { start, connect, open } = stage();
const good = JSON.stringify(reviewWith());
const ended = (socket: Socket) => socket.destroyed || socket.readableEnded;

/** A TCP connection without TLS. */
function plain(server: TestServer): Promise<Socket> {
  const socket = connectPlain({ host: '127.0.0.1', port: server.listening.port });
  open.push({ close: () => void socket.destroy() });
  socket.on('error', () => {});
  return new Promise((resolve) => socket.once('connect', () => resolve(socket)));
}

/** A connection that a verdict was given to. */
async function proven(server: TestServer, options = {}) {
  const socket = await connect(server, options);
  socket.write(head(good));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.resume();
  return socket;
}

describe('living', () => {
  test('one that was dialled for later waits for its first request, and no end waits for it', async () => {
    const server = await start({ limits: { headMs: 50, requestMs: 100 } });
    const spare = await connect(server);
    const unused = await connect(server);
    // Node looks once a second.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect([ended(spare), ended(unused)]).toEqual([false, false]);
    spare.write(head(good));
    expect(String(await new Promise((resolve) => spare.once('data', resolve)))).toMatch(/^HTTP\/1.1 200 /);
    await server.listening.close(60_000);
    await until(() => ended(unused));
    expect(server.events).toEqual([]);
  });

  test('one that stays without a request ends', async () => {
    const server = await start({ limits: { keepAliveMs: 300 } });
    const unused = await connect(server);
    const used = await proven(server);
    await until(() => ended(unused) && ended(used));
    expect(server.events).toEqual([]);
  });

  test('whoever ends its side along with a request has the answer', async () => {
    const server = await start();
    const answers: string[] = [];
    for (let time = 0; time < 20; time += 1) {
      const socket = await connect(server);
      socket.end(head(good));
      answers.push((await text(socket)).slice(0, 15));
    }
    expect(answers).toEqual(Array(20).fill('HTTP/1.1 200 OK'));
  });

  test('one that is reset within a request ends, and nothing of it is kept', async () => {
    const server = await start();
    const held = () => server.app.bounds().filter(({ held }) => held > 0);
    const resets = Array.from({ length: 200 }, async () => {
      const raw = await plain(server);
      const socket = await connect(server, { socket: raw });
      socket.on('error', () => {});
      socket.write(head(good.slice(0, -20), good.length), () => raw.resetAndDestroy());
      await new Promise((resolve) => raw.once('close', resolve));
    });
    await Promise.all(resets);
    await until(() => held().length === 0);
    expect(held()).toEqual([]);
  });
});

describe('when there are too many', () => {
  test('the newcomer is served, and the oldest that never got a verdict goes', async () => {
    const server = await start({ limits: { connections: 3 } });
    const first = await connect(server);
    const second = await connect(server);
    const known = await proven(server);
    expect(await server.review()).toMatchObject({ allowed: true });
    await until(() => ended(first));
    expect([ended(second), ended(known)]).toEqual([false, false]);
    expect(server.events).toEqual(['closed: connections']);
  });
});

describe('before TLS', () => {
  test('who says nothing is cut off, and so is who never ends the handshake', async () => {
    const server = await start({ limits: { silentMs: 100, handshakeMs: 100 } });
    const silent = await plain(server);
    const half = await plain(server);
    half.write(Buffer.from([22, 3, 1, 2, 0, 1]));
    await until(() => server.events.length === 2);
    await until(() => ended(silent) && ended(half));
    expect(server.events).toEqual(['closed: slow_handshake', 'closed: slow_handshake']);
  });

  test('who says more than a hello is cut off', async () => {
    const server = await start();
    const socket = await plain(server);
    socket.write(Buffer.alloc(1_000_000, 22));
    await until(() => ended(socket));
    expect(await server.review()).toMatchObject({ allowed: true });
  });

  test('closing does not wait for them', async () => {
    const server = await start({ limits: { silentMs: 60_000, handshakeMs: 60_000 } });
    const silent = await plain(server);
    const half = await plain(server);
    half.write(Buffer.from([22, 3, 1, 2, 0, 1]));
    const connections = () => server.app.bounds().find(({ name }) => name === 'connections')?.held;
    await until(() => connections() === 2);
    await server.listening.close(60_000);
    await until(() => ended(silent) && ended(half));
  });
});
