import { once } from 'node:events';
import { Agent, createServer, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { Incoming, type Taker } from '../../../src/server/admission/incoming.ts';

type Handler = (incoming: Incoming, response: ServerResponse) => void;

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections();
});

/** The port of a server whose requests are as ours. */
async function serve(handler: Handler): Promise<number> {
  const server = createServer({ IncomingMessage: Incoming }, handler);
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** One body, as it was heard. */
class Heard implements Taker {
  text = '';
  pieces = 0;
  readonly ends: string[] = [];
  readonly #most: number;

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  piece(bytes: Buffer): boolean {
    this.text += bytes.toString();
    this.pieces += 1;
    return this.text.length < this.#most;
  }

  end(): void {
    this.ends.push('end');
  }

  gone(): void {
    this.ends.push('gone');
  }
}

async function post(port: number, pieces: readonly string[], agent?: Agent): Promise<string> {
  const sent = request({ port, host: '127.0.0.1', method: 'POST', ...(agent && { agent }) });
  const answered = once(sent, 'response');
  sent.flushHeaders();
  for (const piece of pieces) {
    await sleep(5);
    sent.write(piece);
  }
  sent.end();
  const [response] = await answered;
  let text = '';
  for await (const chunk of response) text += chunk;
  return text;
}

/** Waits until it holds; the test's own limit ends a wait for what never comes. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(2);
}

test('a taker hears the body in its pieces, then its end, and the connection goes on', async () => {
  const all: { heard: Heard; incoming: Incoming }[] = [];
  const sockets = new Set<unknown>();
  const port = await serve((incoming, response) => {
    const heard = new Heard();
    heard.end = () => response.end(`${incoming.complete} ${heard.text}`);
    all.push({ heard, incoming });
    sockets.add(incoming.socket);
    expect(incoming.handTo(heard)).toBe(true);
  });
  const agent = new Agent({ keepAlive: true });
  expect(await post(port, ['one', ' and ', 'two'], agent)).toBe('true one and two');
  expect(await post(port, ['three'], agent)).toBe('true three');
  agent.destroy();
  expect(all.map(({ heard }) => heard.pieces)).toEqual([3, 1]);
  expect(all.map(({ incoming }) => incoming.readableEnded)).toEqual([true, true]);
  expect(sockets.size).toBe(1);
});

test('a body without bytes ends at once', async () => {
  const port = await serve((incoming, response) => {
    const heard = new Heard();
    heard.end = () => response.end(`"${heard.text}" in ${heard.pieces}`);
    incoming.handTo(heard);
  });
  expect(await post(port, [])).toBe('"" in 0');
});

test('what is asked for too late is a stream with all its bytes', async () => {
  const port = await serve(async (incoming, response) => {
    await until(() => incoming.readableLength > 0);
    const taken = incoming.handTo(new Heard());
    let text = '';
    for await (const chunk of incoming) text += chunk;
    response.end(`${taken} ${text}`);
  });
  expect(await post(port, ['one', ' and ', 'two'])).toBe('false one and two');
});

test('a body is taken once', async () => {
  const second = new Heard();
  const port = await serve((incoming, response) => {
    const first = new Heard();
    first.end = () => response.end(first.text);
    incoming.handTo(first);
    expect(incoming.handTo(second)).toBe(false);
  });
  expect(await post(port, ['one'])).toBe('one');
  expect(second).toMatchObject({ text: '', ends: [] });
});

test('a connection that ends within the body is told once, and nothing after it', async () => {
  const heard = new Heard();
  let told: Incoming | undefined;
  const port = await serve((incoming) => {
    told = incoming;
    incoming.handTo(heard);
  });
  const socket = connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345');
  await until(() => heard.text === '12345');
  socket.destroy();
  await until(() => heard.ends.length > 0);
  told?.destroy();
  await sleep(20);
  expect(heard.ends).toEqual(['gone']);
  expect(told).toMatchObject({ complete: false, destroyed: true });
});

test('one that ends behind the body is no matter of the taker', async () => {
  const heard = new Heard();
  let closed = false;
  const port = await serve((incoming, response) => {
    incoming.handTo(heard);
    response.on('close', () => {
      closed = true;
    });
  });
  const socket = connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12345');
  await until(() => heard.ends.length > 0);
  socket.destroy();
  await until(() => closed);
  expect(heard.ends).toEqual(['end']);
});

test('a request that was given up is not taken, and hands its taker nothing more', async () => {
  const [early, late] = [new Heard(), new Heard()];
  const taken: boolean[] = [];
  const port = await serve((incoming) => {
    if (incoming.url === '/early') incoming.destroy();
    taken.push(incoming.handTo(incoming.url === '/early' ? early : late));
    if (incoming.url === '/late') incoming.destroy();
  });
  for (const path of ['/early', '/late']) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12345`);
    await once(socket, 'close');
  }
  expect(taken).toEqual([false, true]);
  expect([early, late]).toMatchObject([
    { text: '', ends: [] },
    { text: '', ends: ['gone'] },
  ]);
});

test('who wants no more is sent no more: the connection is not read', async () => {
  const size = 64 * 1024 * 1024;
  const heard = new Heard(1);
  const port = await serve((incoming) => void incoming.handTo(heard));
  const socket = connect(port, '127.0.0.1');
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n`);
  socket.write(Buffer.alloc(size, 'a'));
  await until(() => heard.pieces > 0);
  await sleep(100);
  expect(heard.text.length).toBeLessThan(1024 * 1024);
  expect(heard.ends).toEqual([]);
  socket.destroy();
});

test('what nobody asks for is dropped, and the next request is heard', async () => {
  const port = await serve((_incoming, response) => void response.end('done'));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await post(port, ['one', 'two'], agent)).toBe('done');
  expect(await post(port, ['three'], agent)).toBe('done');
  agent.destroy();
});
