/** Strangers are counted by what they lacked; the server's own probes of itself are not strangers. */
import { connect as connectPlain } from 'node:net';
import { connect } from 'node:tls';
import { afterAll, expect, test } from '@jest/globals';
import { callerCa } from '../../support/callers.ts';
import { endChildren, sampleOf, serveChild } from '../../support/child.ts';
import { newFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';

const { replace: write } = newFolder();
afterAll(endChildren);

test('failed handshakes by cause, refused names, and lines of which most are left out', async () => {
  const ca = callerCa();
  const file = write('ca.crt', ca.pem);
  const served = await serveChild({ args: ['--client-ca-file', file, '--client-name', 'kube-apiserver'] });
  const count = (name: string) => sampleOf(served, name);
  const failed = (cause: string) => count(`muster_handshakes_failed_total{cause="${cause}"}`);
  // Readiness shakes hands without a certificate, which is refused; nobody else did anything yet.
  for (let n = 0; n < 3; n++) await served.ops('/readyz?verbose');
  const causes = ['our_certificate', 'caller_certificate', 'protocol', 'gone'];
  expect(await Promise.all(causes.map(failed))).toEqual([0, 0, 0, 0]);

  const options = { port: served.port, host: '127.0.0.1', servername: 'localhost', ca: served.ca };
  for (let n = 0; n < 5; n++) connect(options).on('error', () => {});
  await until(async () => (await failed('caller_certificate')) === 5, 20_000);
  connectPlain(served.port, '127.0.0.1')
    .on('error', () => {})
    .end('GET / HTTP/1.1\r\n\r\n');
  await until(async () => (await failed('protocol')) === 1, 20_000);
  connect({ ...options, ...ca.issue('somebody-else') }).on('error', () => {});
  await until(async () => (await count('muster_callers_rejected_total')) === 1, 20_000);
  await until(() => served.log().includes('its certificate has other names than --client-name: somebody-else'));
  expect(served.log().match(/a TLS handshake failed/g)).toHaveLength(1);
});
