/** What a server accepts, tried with a real handshake. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type SecureVersion } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { issueCertificates } from '../../../src/certificates/issue.ts';
import { tlsOptions } from '../../../src/certificates/server-options.ts';

const { ca, cert, key } = await issueCertificates({ names: ['localhost'], now: new Date() });
const server = createServer({ ...tlsOptions(undefined), cert, key }, (socket) => socket.end());
// A handshake that is refused is an error of the client's, too.
server.on('tlsClientError', () => {});
let port: number;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.close();
});

/** The protocol of a handshake with this version alone, or the code of its error. */
function handshake(version: SecureVersion): Promise<string | null> {
  return new Promise((resolve) => {
    // OpenSSL offers TLS 1.0 and 1.1 on its lowest security level only.
    const ciphers = 'DEFAULT@SECLEVEL=0';
    const options = { port, host: '127.0.0.1', servername: 'localhost', ca, ciphers };
    const socket = connect({ ...options, minVersion: version, maxVersion: version });
    socket.once('secureConnect', () => {
      resolve(socket.getProtocol());
      socket.destroy();
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

test.each([
  ['TLSv1', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'],
  ['TLSv1.1', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'],
  ['TLSv1.2', 'TLSv1.2'],
  ['TLSv1.3', 'TLSv1.3'],
] as const)('a caller of %s gets %s', async (version, answer) => {
  expect(await handshake(version)).toBe(answer);
});

test('the version is named, too: OpenSSL refuses TLS 1.1 by its security level, which a machine may lower', () => {
  expect(tlsOptions(undefined).minVersion).toBe('TLSv1.2');
});
