import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { certificateCheck, expiryReporter, handshakeCheck } from '../../../src/certificates/readiness-checks.ts';

const DAY = 24 * 3_600_000;

test('the certificate has to be in date', () => {
  const at = (now: number) => certificateCheck(() => [validity], { clock: () => now }).run();
  const validity = { name: 'certificate' as const, notBefore: new Date(DAY), notAfter: new Date(30 * DAY) };
  expect(at(DAY - 1)).toBe('the certificate is not valid before 1970-01-02T00:00:00.000Z');
  expect([at(DAY), at(23 * DAY)]).toEqual([undefined, undefined]);
  expect(at(30 * DAY + 1)).toBe('the certificate expired on 1970-01-31T00:00:00.000Z');
});

test('a certificate that ends soon, and one on disk that is refused, are advice', () => {
  const validity = { name: 'certificate' as const, notBefore: new Date(0), notAfter: new Date(30 * DAY) };
  const check = certificateCheck(() => [validity], { clock: () => 24 * DAY + 1, refused: () => 'refused: why' });
  const advice = 'refused: why; the certificate expires on 1970-01-31T00:00:00.000Z: renew it';
  expect(check.run()).toEqual({ advice });
});

test('a certificate of a short life is advice in the last fifth of it', () => {
  const validity = { name: 'certificate' as const, notBefore: new Date(0), notAfter: new Date(600_000) };
  let now = 479_000;
  const told: string[] = [];
  const report = { warn: (message: string) => told.push(message), expired: () => {} };
  const reportEnds = expiryReporter(
    () => [validity],
    report,
    () => now,
  );
  const check = certificateCheck(() => [validity], { clock: () => now });
  reportEnds();
  expect([check.run(), told]).toEqual([undefined, []]);
  now = 481_000;
  for (const run of [reportEnds, reportEnds]) run();
  expect(check.run()).toEqual({ advice: 'the certificate expires on 1970-01-01T00:10:00.000Z: renew it' });
  expect(told).toHaveLength(1);
});

test('a client CA has an end of its own', () => {
  const certificate = new Date(40 * DAY);
  const clientCa = new Date(30 * DAY);
  const inUse = () => [
    { name: 'certificate' as const, notAfter: certificate },
    { name: 'client CA' as const, notAfter: clientCa },
  ];
  const check = (day: number) => certificateCheck(inUse, { clock: () => day * DAY }).run();
  expect(check(24)).toEqual({ advice: 'the client CA expires on 1970-01-31T00:00:00.000Z: renew it' });
  expect(check(31)).toBe('the client CA expired on 1970-01-31T00:00:00.000Z');
  const told: string[] = [];
  const report = { warn: () => {}, expired: (message: string) => told.push(message) };
  const reportEnds = expiryReporter(inUse, report, () => 31 * DAY);
  for (const run of [reportEnds, reportEnds]) run();
  expect(told).toEqual(['the client CA expired on 1970-01-31T00:00:00.000Z, so no caller is accepted: renew it']);
});

test('the log tells once that a certificate ends soon, on its last day, and when it is over', () => {
  let now = 0;
  let notAfter = new Date(30 * DAY);
  const told: string[] = [];
  const reportEnds = expiryReporter(
    () => [{ name: 'certificate', notAfter }],
    { warn: (message) => told.push(`warn ${message}`), expired: (message) => told.push(`error ${message}`) },
    () => now,
  );
  const toldAt = (day: number) => {
    now = day * DAY;
    for (const run of [reportEnds, reportEnds]) run();
    return told.splice(0).map((message) => message.slice(0, 40));
  };
  expect([0, 23, 24.1, 28, 29.1, 29.9].map(toldAt)).toEqual([
    [],
    [],
    ['warn the certificate expires on 1970-01-'],
    [],
    ['warn the certificate expires on 1970-01-'],
    [],
  ]);
  expect([30.1, 31].map(toldAt)).toEqual([['error the certificate expired on 1970-01'], []]);
  notAfter = new Date(33 * DAY);
  expect(toldAt(31)).toEqual(['warn the certificate expires on 1970-02-']);
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
