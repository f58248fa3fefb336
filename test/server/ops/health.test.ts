import { createServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { type Check, createOps } from '../../../src/server/ops/ops.ts';
import { certificateCheck, handshakeCheck } from '../../../src/tls/checks.ts';

const good: Check = { name: 'good', run: () => undefined };
const bad: Check = { name: 'bad', run: async () => 'it broke' };
const throwing: Check = {
  name: 'throwing',
  run: () => {
    throw new Error('it threw');
  },
};
const metrics = { text: async () => ({ contentType: 'text/plain', text: '' }) };
const opsOf = (...checks: Check[]) => createOps({ checks, metrics });

describe('checks', () => {
  test('the certificate has to be in date', () => {
    const validity = { notBefore: new Date(1000), notAfter: new Date(2000) };
    const at = (now: number) =>
      certificateCheck(
        () => validity,
        () => now,
      ).run();
    expect(at(999)).toBe('the certificate is not valid before 1970-01-01T00:00:01.000Z');
    expect([at(1000), at(2000)]).toEqual([undefined, undefined]);
    expect(at(2001)).toBe('the certificate expired on 1970-01-01T00:00:02.000Z');
  });

  test('without a listener there is no handshake with itself', async () => {
    expect(await handshakeCheck({ address: () => undefined }).run()).toBe('not listening yet');
  });

  test('a handshake with itself fails where nothing answers in time', async () => {
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
    const cluster: Check = { name: 'cluster', advisory: true, run: () => 'no Lease' };
    expect(await opsOf(good, cluster).inject('/readyz')).toMatchObject({ statusCode: 200, body: 'ok\n' });
    expect(await opsOf(good, cluster).inject('/readyz?verbose')).toMatchObject({
      statusCode: 200,
      body: '[+]good ok\n[!]cluster advisory: no Lease\nreadyz check passed\n',
    });
  });

  test.each(['/readyz', '/readyz?verbose', '/readyz?verbose=1'])('%s is 503 and names what failed', async (url) => {
    expect(await opsOf(good, bad, throwing).inject(url)).toMatchObject({
      statusCode: 503,
      body: '[+]good ok\n[-]bad failed: it broke\n[-]throwing failed: it threw\nreadyz check failed\n',
    });
  });
});

test.each(['/', '/validate', '/healthz'])('%s is not there', async (url) => {
  expect((await opsOf().inject(url)).statusCode).toBe(404);
});
