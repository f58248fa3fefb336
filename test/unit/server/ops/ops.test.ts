/** The operations port under load: probes still get in, and a text of metrics is made once for all who ask together. */
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { type Listening, listen } from '../../../../src/server/lifecycle/listen.ts';
import { createOps } from '../../../../src/server/ops/ops.ts';

const open: { listening: Listening; sockets: Socket[] }[] = [];
afterEach(async () => {
  for (const { listening, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await listening.close();
  }
});

async function start(text: () => Promise<string> = async () => '') {
  const made = async () => ({ contentType: 'text/plain', text: await text() });
  const ops = createOps({ checks: [], metrics: { text: made } });
  const listening = await listen(ops, { host: '127.0.0.1', port: 0 });
  const { port } = listening;
  const sockets: Socket[] = [];
  open.push({ listening, sockets });
  const idle = (localAddress: string) =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, localAddress });
      sockets.push(socket);
      // Its end comes with an error, or without one.
      socket.on('error', reject).once('connect', () => resolve(socket));
      socket.resume();
    });
  return { ops, port, idle };
}

/** The status of a new connection's request. */
function probe(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/livez', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).once('error', reject);
  });
}

test('200 connections of one address keep no probe out, and close no idle connection of another', async () => {
  const { ops, port, idle } = await start();
  const scraper = await idle('127.0.0.3');
  const strangers = await Promise.all(Array.from({ length: 200 }, () => idle('127.0.0.2')));
  for (let n = 0; n < 3; n++) expect(await probe(port)).toBe(200);
  const [bound] = ops.bounds();
  expect(bound).toMatchObject({ name: 'ops_connections', limit: 64 });
  expect(bound?.held).toBeLessThanOrEqual(64);
  expect(strangers.filter(({ destroyed }) => !destroyed).length).toBeLessThan(64);
  expect(scraper.destroyed).toBe(false);
});

test('those who ask for metrics at once get one text, and later ones a new one', async () => {
  let made = 0;
  const { ops } = await start(async () => `${++made}`);
  const ask = async () => (await ops.inject('/metrics')).body;
  expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set(['1']));
  expect(await ask()).toBe('2');
});

test('a text of metrics that can not be made fails those who asked, and nobody after', async () => {
  let fails = true;
  const { ops } = await start(async () => {
    if (fails) throw new Error('not now');
    return 'well';
  });
  expect((await ops.inject('/metrics')).statusCode).toBe(500);
  fails = false;
  expect((await ops.inject('/metrics')).body).toBe('well');
});
