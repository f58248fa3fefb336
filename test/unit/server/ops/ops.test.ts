/** The operations port: its answers; and under load probes still get in, and one text of metrics serves all who ask. */
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Listening, listen } from '../../../../src/server/lifecycle/listen.ts';
import { createOps, type ReadinessCheck } from '../../../../src/server/ops/ops.ts';

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
  const ask = async () => (await ops.fastify.inject('/metrics')).body;
  expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set(['1']));
  expect(await ask()).toBe('2');
});

test('a text of metrics that can not be made fails those who asked, and nobody after', async () => {
  let fails = true;
  const { ops } = await start(async () => {
    if (fails) throw new Error('not now');
    return 'well';
  });
  expect((await ops.fastify.inject('/metrics')).statusCode).toBe(500);
  fails = false;
  expect((await ops.fastify.inject('/metrics')).body).toBe('well');
});

const good: ReadinessCheck = { name: 'good', run: () => undefined };
const bad: ReadinessCheck = { name: 'bad', run: async () => 'it broke' };
const throwing: ReadinessCheck = {
  name: 'throwing',
  run: () => {
    throw new Error('it threw\n[+]forged ok');
  },
};
const metrics = { text: async () => ({ contentType: 'text/plain', text: '' }) };
const opsOf = (...checks: ReadinessCheck[]) => createOps({ checks, metrics }).fastify;

test('/livez answers whatever the checks say', async () => {
  expect(await opsOf(bad).inject('/livez')).toMatchObject({ statusCode: 200, body: 'ok\n' });
});

describe('/readyz', () => {
  test('says ok, and with ?verbose each check', async () => {
    expect(await opsOf(good).inject('/readyz')).toMatchObject({ statusCode: 200, body: 'ok\n' });
    expect(await opsOf(good).inject('/readyz?verbose')).toMatchObject({
      statusCode: 200,
      body: '[+]good ok\nreadyz check passed\n',
    });
  });

  test('stays ready on an advisory problem, and shows it', async () => {
    const cluster: ReadinessCheck = { name: 'cluster', advisory: true, run: () => 'no Lease' };
    const certificate: ReadinessCheck = { name: 'certificate', run: () => ({ advice: 'renew it' }) };
    expect(await opsOf(good, cluster, certificate).inject('/readyz')).toMatchObject({ statusCode: 200, body: 'ok\n' });
    expect(await opsOf(good, cluster, certificate).inject('/readyz?verbose')).toMatchObject({
      statusCode: 200,
      body: '[+]good ok\n[!]cluster advisory: no Lease\n[!]certificate advisory: renew it\nreadyz check passed\n',
    });
  });

  test.each(['/readyz', '/readyz?verbose', '/readyz?verbose=1'])('%s is 503 and names what failed', async (url) => {
    expect(await opsOf(good, bad, throwing).inject(url)).toMatchObject({
      statusCode: 503,
      body: '[+]good ok\n[-]bad failed: it broke\n[-]throwing failed: it threw\\u000a[+]forged ok\nreadyz check failed\n',
    });
  });
});

test.each(['/', '/validate', '/healthz'])('%s is not there', async (url) => {
  expect((await opsOf().inject(url)).statusCode).toBe(404);
});
