/** Who may call: real TLS sockets against `muster serve`, with certificates good, bad and missing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { issueCertificates } from '../../../src/certificates/issue.ts';
import { callerCa, period } from '../../support/callers.ts';
import { endChildren, type Served, sampleOf, serveChild } from '../../support/child.ts';
import { newFolder } from '../../support/folder.ts';
import { reviewWith } from '../../support/reviews.ts';
import { exchange, responseOf } from '../../support/test-server.ts';
import { until } from '../../support/until.ts';

const { replace: write } = newFolder();
const ca = callerCa();
const apiServer = ca.issue('kube-apiserver');
let pair: readonly string[];
let own: Awaited<ReturnType<typeof issueCertificates>>;

beforeAll(async () => {
  own = await issueCertificates({ names: ['localhost', '127.0.0.1'] });
  pair = ['--tls-cert-file', write('tls.crt', own.cert), '--tls-private-key-file', write('tls.key', own.key)];
});
afterAll(endChildren);

function serve(...args: string[]): Promise<Served> {
  return serveChild({ args: ['--host', '127.0.0.1', ...pair, ...args] });
}

/**
 * Whether a review was answered; else with which error. A TLS 1.3 client hears of a refusal only once it is done
 * itself.
 */
async function call({ port }: Served, options: ConnectionOptions = {}): Promise<string> {
  try {
    const { allowed } = responseOf(await exchange({ port, ca: own.ca, ...options }, JSON.stringify(reviewWith())));
    return allowed ? 'allowed' : 'denied';
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'EPROTO' ? message : (code ?? message);
  }
}

/** All that a stranger receives after the handshake. */
function received({ port }: Served, options: ConnectionOptions): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ host: '127.0.0.1', port, ca: own.ca, servername: 'localhost', ...options });
    socket.once('secureConnect', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve(text));
  });
}

const decisions = async ({ ops }: Served) =>
  (await ops('/metrics')).match(/^muster_decisions_total\{.* [1-9]\d*$/gm) ?? [];

describe('with --client-ca-file', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve('--client-ca-file', write('callers.crt', ca.pem));
  });

  test('a certificate of that CA gets an answer, by TLS 1.2 and 1.3', async () => {
    expect(await call(served, apiServer)).toBe('allowed');
    expect(await call(served, { ...apiServer, maxVersion: 'TLSv1.2' })).toBe('allowed');
    expect(served.out()).toMatch(/; callers: certificates under \S+callers\.crt"\}\n/);
  });

  const REFUSED = /^(ECONNRESET|EPIPE|ERR_SSL_\w+)$|alert (handshake failure|certificate required)/;
  const withName = { names: ['kube-apiserver'] };
  test.each<[string, () => ConnectionOptions]>([
    ['none', () => ({})],
    ['one of another CA', () => callerCa().issue('kube-apiserver')],
    ['an expired one', () => ca.issue('kube-apiserver', period(-2, -1))],
    ['one not valid yet', () => ca.issue('kube-apiserver', period(1, 2))],
    ['one for servers', () => ca.issue('kube-apiserver', { client: false, ...withName })],
    ["the server's own", () => ({ cert: own.cert, key: own.key })],
  ])('%s: rejected in the handshake, and nothing is sent', async (_, options) => {
    const before = await decisions(served);
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      expect(await call(served, { ...options(), maxVersion })).toMatch(REFUSED);
      expect(await received(served, { ...options(), maxVersion })).toBe('');
    }
    expect(await decisions(served)).toEqual(before);
  });

  test.each<[string, ConnectionOptions, RegExp]>([
    ['TLS 1.1', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }, /alert protocol version/],
    [
      'a suite without forward secrecy',
      { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256:AES256-SHA' },
      /alert handshake failure/,
    ],
    [
      'a suite of the old kind (CBC)',
      { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384' },
      /alert handshake failure/,
    ],
  ])('%s: refused', async (_, options, alert) => {
    expect(await call(served, { ...apiServer, ...options })).toMatch(alert);
  });

  test('readiness needs no certificate of its own', async () => {
    expect(await served.ops('/readyz?verbose')).toContain('[+]tls-handshake ok');
  });
});

test('--client-name: the common name or an alternative one; others of the CA receive nothing', async () => {
  const file = write('named.crt', ca.pem);
  const served = await serve('--client-ca-file', file, '--client-name', 'kube-apiserver', '--client-name', 'api.test');
  expect(await call(served, apiServer)).toBe('allowed');
  expect(await call(served, ca.issue('x', { names: ['api.test'] }))).toBe('allowed');
  for (const other of [ca.issue('kubelet', { names: ['node.test'] }), ca.issue('kube-apiserver\nx'), ca.issue('')]) {
    expect(await call(served, other)).toMatch(/^(ECONNRESET|EPIPE)$/);
    expect(await received(served, other)).toBe('');
  }
  await until(() => served.log().includes('its certificate has other names than --client-name: kubelet, node.test'));
  expect(await call(served, apiServer)).toBe('allowed');
  expect(await served.ops('/readyz')).toBe('ok\n');
});

/** A clock that is a day ahead from the first SIGUSR2 on. */
const CLOCK = `
const Real = Date;
let ahead = 0;
globalThis.Date = class extends Real {
  constructor(...parts) {
    super(...(parts.length > 0 ? parts : [Real.now() + ahead]));
  }
  static now() {
    return Real.now() + ahead;
  }
};
process.on('SIGUSR2', () => { ahead = 86_400_000; });
`;

test('with a client CA that has expired while it was in use, the server is not ready, and reports no change', async () => {
  const { pem } = callerCa(period(-1, 1 / 24));
  const file = write('ends.crt', pem);
  const args = ['--host', '127.0.0.1', ...pair, '--client-ca-file', file, '--client-name', 'kube-apiserver'];
  const served = await serveChild({ args, preload: CLOCK });
  expect(await served.ops('/readyz?verbose')).toContain('the client CA expires on ');
  const end = Number(await sampleOf(served, 'muster_certificate_expiry_timestamp_seconds'));
  expect(end).toBeLessThan(Date.now() / 1000 + 3700);
  served.signal('SIGUSR2');
  await until(async () => (await served.ops('/readyz')).includes('the client CA expired on '));
  // The file of the one in use is read again, which is no refusal. Another one that has expired is refused.
  write('ends.crt', pem);
  await sleep(1000);
  const past = period(-3, -1);
  write('ends.crt', callerCa(past).pem);
  await until(() => served.log().includes(`the last expired at ${past.notAfter.toISOString().slice(0, 10)}`));
  expect(served.log().match(/is refused/g)).toHaveLength(1);
});

test('the CA is reloaded: a bundle, its successor alone, a session of the old; a bad file changes nothing', async () => {
  const next = callerCa();
  const root = callerCa();
  const newcomer = next.issue('kube-apiserver');
  const served = await serve('--client-ca-file', write('rotated.crt', ca.pem), '--client-name', 'kube-apiserver');
  expect(await call(served, newcomer)).not.toBe('allowed');
  const session = await sessionOf(served, apiServer);
  expect(await call(served, { ...apiServer, session })).toBe('allowed');

  write('rotated.crt', `${ca.pem}${next.pem}`);
  await until(async () => (await call(served, newcomer)) === 'allowed', 15_000);
  expect(await call(served, apiServer)).toBe('allowed');
  write('rotated.crt', next.pem);
  await until(async () => (await call(served, apiServer)) !== 'allowed', 15_000);
  expect(await call(served, { ...apiServer, session })).not.toBe('allowed');
  expect(await call(served, newcomer)).toBe('allowed');
  expect(await call(served, { ...newcomer, maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' })).toMatch(
    /alert handshake failure/,
  );

  write('rotated.crt', 'rubbish');
  await until(() => served.log().includes('client CA is refused; the old one stays'), 15_000);
  expect([await call(served, newcomer), await call(served, apiServer)]).toEqual(['allowed', 'ECONNRESET']);

  const intermediate = root.under('callers below');
  write('rotated.crt', `${intermediate.pem}${root.pem}`);
  await until(async () => (await call(served, intermediate.issue('kube-apiserver'))) === 'allowed', 15_000);
  expect(await call(served, newcomer)).not.toBe('allowed');

  // The server's own certificate is renewed: callers are asked for theirs as before.
  const renewed = await issueCertificates({ names: ['localhost', '127.0.0.1'] });
  write('tls.key', renewed.key);
  write('tls.crt', renewed.cert);
  own = renewed;
  await until(async () => (await call(served, intermediate.issue('kube-apiserver'))) === 'allowed', 15_000);
  for (const stranger of [{}, newcomer]) {
    expect(await call(served, stranger)).toMatch(/^(ECONNRESET|EPIPE|ERR_SSL_\w+)$|alert certificate required/);
  }
});

function sessionOf({ port }: Served, options: ConnectionOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca: own.ca, servername: 'localhost', ...options });
    socket.once('error', reject);
    socket.once('session', (session) => {
      resolve(session);
      socket.destroy();
    });
  });
}
