/** A certificate as an API server would look at it. */
import { X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { isDueForRenewal, readPem, refusalOf } from '../../../src/cli/doctor/certificates.ts';
import { shakeHands } from '../../../src/cli/doctor/handshake.ts';
import { type IssuedCertificates, issueCertificates } from '../../../src/tls/issue.ts';

const DAY = 86_400_000;
const NAME = 'muster.muster-system.svc';
const now = Date.now();

let issued: IssuedCertificates;
let other: IssuedCertificates;
beforeAll(async () => {
  [issued, other] = await Promise.all([
    issueCertificates({ names: [NAME, '127.0.0.1', '::1'] }),
    issueCertificates({ names: [NAME] }),
  ]);
});

const one = (pem: string) => new X509Certificate(pem);
const refusal = (name = NAME, at = now) => refusalOf([one(issued.cert)], [one(issued.ca)], name, at);

describe('whether it is accepted', () => {
  test('for its names, by its CA, in its time', () => {
    expect([refusal(), refusal('127.0.0.1'), refusal('::1')]).toEqual([undefined, undefined, undefined]);
  });

  test('by one CA of several, as during a rotation', () => {
    expect(refusalOf([one(issued.cert)], [one(other.ca), one(issued.ca)], NAME, now)).toBeUndefined();
  });

  test.each([
    ['another name', () => refusal('other.svc'), /not for other\.svc, but for DNS:muster/],
    ['another address', () => refusal('127.0.0.2'), /not for 127\.0\.0\.2/],
    ['too early', () => refusal(NAME, now - DAY), /not valid before/],
    ['too late', () => refusal(NAME, now + 90 * DAY + 3_600_000), /expired at/],
    ['another CA', () => refusalOf([one(issued.cert)], [one(other.ca)], NAME, now), /not among those/],
    ['no CA', () => refusalOf([one(issued.cert)], [], NAME, now), /not among those/],
    ['no certificate', () => refusalOf([], [one(issued.ca)], NAME, now), /no certificate/],
  ])('%s', (_, refused, says) => expect(refused()).toMatch(says));
});

test('it is due for renewal when two thirds of its life are over', () => {
  expect(isDueForRenewal(one(issued.cert), now + 59 * DAY)).toBe(false);
  expect(isDueForRenewal(one(issued.cert), now + 61 * DAY)).toBe(true);
});

test.each([
  ['', 'is empty'],
  [' \n', 'is empty'],
  ['rubbish', 'holds no PEM certificate'],
  ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'its PEM block 1 is no X.509 certificate'],
])('%j is no bundle', (text, problem) => expect(readPem(text).problem).toBe(problem));

describe('a handshake', () => {
  test('shows what is presented, and sends nothing', async () => {
    let received = 0;
    const server = createServer({ cert: issued.cert, key: issued.key }, (socket) => {
      socket.on('data', () => received++).on('error', () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const shaken = await shakeHands({ host: '127.0.0.1', port, name: NAME });
    server.close();
    expect(shaken).toMatchObject({ kind: 'presented', publiclyTrusted: false });
    expect(shaken.kind === 'presented' && shaken.chain.map(({ fingerprint256 }) => fingerprint256)).toEqual([
      one(issued.cert).fingerprint256,
    ]);
    expect(received).toBe(0);
  });

  test('fails where nobody listens, and where nobody speaks', async () => {
    const { createServer: plain } = await import('node:net');
    const mute = plain((socket) => socket.resume().on('error', () => {}));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as AddressInfo;
    const silent = shakeHands({ host: '127.0.0.1', port, name: 'localhost' }, 200);
    expect(await silent).toEqual({ kind: 'failed', reason: 'no answer in time' });
    await new Promise((resolve) => mute.close(resolve));
    expect(await shakeHands({ host: '127.0.0.1', port, name: 'localhost' })).toEqual({
      kind: 'failed',
      reason: 'ECONNREFUSED',
    });
  });
});
