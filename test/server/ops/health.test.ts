import { createServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import {
  type Check,
  certificateCheck,
  clusterCheck,
  configurationCheck,
  createHealth,
  drainCheck,
  handshakeCheck,
} from '../../../src/server/ops/health.ts';
import { createOps } from '../../../src/server/ops/ops.ts';

const good: Check = { name: 'good', run: () => undefined };
const bad: Check = { name: 'bad', run: async () => 'it broke' };
const throwing: Check = {
  name: 'throwing',
  run: () => {
    throw new Error('it threw');
  },
};
const metrics = { contentType: 'application/openmetrics-text', text: async () => '# EOF\n' };
const opsOf = (...checks: Check[]) => createOps({ health: createHealth(checks), metrics });

describe('checks', () => {
  test('configuration', () => {
    expect(configurationCheck(() => true).run()).toBeUndefined();
    expect(configurationCheck(() => false).run()).toBe('no configuration is loaded');
  });

  test('certificate', () => {
    const at = (now: number) =>
      certificateCheck(
        () => ({ notBefore: 1000, notAfter: 2000 }),
        () => now,
      ).run();
    expect(at(999)).toBe('the certificate is not valid before 1970-01-01T00:00:01.000Z');
    expect(at(1000)).toBeUndefined();
    expect(at(2000)).toBeUndefined();
    expect(at(2001)).toBe('the certificate expired on 1970-01-01T00:00:02.000Z');
  });

  test('draining', () => {
    expect(drainCheck(() => false).run()).toBeUndefined();
    expect(drainCheck(() => true).run()).toBe('the server is shutting down');
  });

  test('a check that throws has failed', async () => {
    expect(await createHealth([good, throwing]).look()).toEqual([
      { name: 'good', problem: undefined },
      { name: 'throwing', problem: 'it threw' },
    ]);
  });
});

describe('a TLS handshake with itself', () => {
  test('before it listens', async () => {
    expect(await handshakeCheck({ address: () => undefined }).run()).toBe('not listening yet');
  });

  test('where nothing answers in time', async () => {
    const sockets: { destroy(): void }[] = [];
    const mute = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await new Promise((resolve) => mute.once('listening', resolve));
    const { port } = mute.address() as { port: number };
    const check = handshakeCheck({ address: () => ({ host: '127.0.0.1', port }), timeoutMs: 50 });
    expect(await check.run()).toBe('no TLS handshake within 50 ms');
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => mute.close(resolve));
    expect(await check.run()).toMatch(/^the TLS handshake failed: .*ECONNREFUSED/);
  });
});

describe('the ops port', () => {
  test('livez', async () => {
    expect(await opsOf(bad).inject('/livez')).toMatchObject({ statusCode: 200, body: 'ok\n' });
  });

  test('readyz, all well', async () => {
    expect(await opsOf(good).inject('/readyz')).toMatchObject({ statusCode: 200, body: 'ok\n' });
    expect(await opsOf(good).inject('/readyz?verbose')).toMatchObject({
      statusCode: 200,
      body: '[+]good ok\nreadyz check passed\n',
    });
  });

  test('an advisory check is told, and makes nobody unready', async () => {
    const cluster = clusterCheck(() => ['no Lease', 'no CRD']);
    expect(await opsOf(good, cluster).inject('/readyz')).toMatchObject({ statusCode: 200, body: 'ok\n' });
    expect(await opsOf(good, cluster).inject('/readyz?verbose')).toMatchObject({
      statusCode: 200,
      body: '[+]good ok\n[!]cluster advisory: no Lease; no CRD\nreadyz check passed\n',
    });
    expect((await opsOf(clusterCheck(() => [])).inject('/readyz?verbose')).body).toContain('[+]cluster ok');
  });

  test.each(['/readyz', '/readyz?verbose', '/readyz?verbose=1'])('%s names what failed', async (url) => {
    expect(await opsOf(good, bad, throwing).inject(url)).toMatchObject({
      statusCode: 503,
      body: '[+]good ok\n[-]bad failed: it broke\n[-]throwing failed: it threw\nreadyz check failed\n',
    });
  });

  test('metrics', async () => {
    const answer = await opsOf().inject('/metrics');
    expect(answer).toMatchObject({ statusCode: 200, body: '# EOF\n' });
    expect(answer.headers['content-type']).toMatch(/^application\/openmetrics-text/);
  });

  test.each(['/', '/validate', '/healthz'])('%s is not there', async (url) => {
    expect((await opsOf().inject(url)).statusCode).toBe(404);
  });
});
