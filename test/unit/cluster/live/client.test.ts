import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import forge from 'node-forge';
import { issueCertificates } from '../../../../src/certificates/issue.ts';
import { type ApiClient, type ApiRequest, openCluster } from '../../../../src/cluster/live/client.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';
import { type ApiStub, json, kubeconfigOf, startApiStub } from '../../../support/api-stub.ts';
import { newFolder } from '../../../support/folder.ts';

const folder = newFolder();
let stub: ApiStub;
let client: ApiClient;
beforeEach(async () => {
  stub = await startApiStub(folder.path);
  client = await openCluster({ kubeconfig: stub.kubeconfig });
});
afterEach(async () => {
  client.close();
  await stub.close();
});

const get = (over: Partial<ApiRequest> = {}) => client.call({ method: 'GET', path: '/apis/x?y=1', ...over });
const failure = async (call: Promise<unknown>): Promise<ClusterError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ClusterError)) throw new Error(`no ClusterError: ${String(error)}`);
  return error;
};

test('a call has the user’s token; its answer is JSON with the server’s clock', async () => {
  stub.answer = (_, response) => {
    response.setHeader('date', 'Sat, 21 Nov 2026 14:00:00 GMT');
    response.setHeader('warning', ['299 - "say \\"a\\""', '299 - "b"']);
    json(response, 200, { kind: 'Thing' });
  };
  const date = Date.parse('2026-11-21T14:00:00Z');
  expect(await get()).toEqual({ body: { kind: 'Thing' }, bytes: 16, date, warnings: ['say "a"', 'b'] });
  await client.call({ method: 'PUT', path: '/a', body: { text: 'ä' } });
  expect(stub.requests).toEqual([
    { method: 'GET', url: '/apis/x?y=1', token: 'Bearer first', body: '' },
    { method: 'PUT', url: '/a', token: 'Bearer first', body: '{"text":"ä"}' },
  ]);
  expect(client).toMatchObject({ server: `https://127.0.0.1:${stub.port}`, namespace: 'fleet' });
  expect(stub.connections).toBe(1);
});

/** Issues certificates by a CA that has the same name each time, and without key identifiers. */
function issueWithoutKeyIdentifiers() {
  const keys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [ofCa, ofServer] = [keys(), keys()];
  const certify = (name: string, key: KeyObject, extensions: object[]) => {
    const certificate = forge.pki.createCertificate();
    certificate.publicKey = forge.pki.publicKeyFromPem(key.export({ type: 'spki', format: 'pem' }).toString());
    certificate.validity.notAfter = new Date(Date.now() + 3_600_000);
    certificate.setSubject([{ name: 'commonName', value: name }]);
    certificate.setIssuer([{ name: 'commonName', value: 'kubernetes' }]);
    certificate.setExtensions(extensions);
    // node-forge would take seconds for the signature alone.
    const signer = { sign: () => sign('sha256', bytesOf(certificate), ofCa.privateKey).toString('latin1') };
    certificate.sign(signer as unknown as forge.pki.rsa.PrivateKey, forge.md.sha256.create());
    return forge.pki.certificateToPem(certificate);
  };
  const cert = certify('server', ofServer.publicKey, [
    { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
  ]);
  return {
    ca: certify('kubernetes', ofCa.publicKey, [{ name: 'basicConstraints', cA: true }]),
    cert,
    key: pem(ofServer.privateKey),
  };
}
/** What is signed of a certificate. */
const bytesOf = ({ tbsCertificate }: forge.pki.Certificate) =>
  Buffer.from(forge.asn1.toDer(tbsCertificate).getBytes(), 'latin1');
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

test.each([
  ['with key identifiers', () => issueCertificates({ names: ['127.0.0.1'] })],
  ['of the same name, without key identifiers', issueWithoutKeyIdentifiers],
])('a kubeconfig with another CA %s is read again, once a second at most', async (_, issue) => {
  const { ca } = await issue();
  await stub.close();
  stub = await startApiStub(folder.path, await issue());
  const rightText = readFileSync(stub.kubeconfig, 'utf8');
  const cluster = { 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  const old = kubeconfigOf(`https://127.0.0.1:${stub.port}`, { token: 'first' }, cluster);
  const kubeconfig = folder.put('rotated.conf', JSON.stringify(old));
  const rotated = await openCluster({ kubeconfig });
  const ask = () => rotated.call({ method: 'GET', path: '/a' });
  // Whole, so that the difference to a second later is exact.
  const start = Math.ceil(performance.now());
  const clock = jest.spyOn(performance, 'now').mockReturnValue(start);
  expect((await failure(ask())).message).toContain('certificate-authority did not issue its certificate');
  writeFileSync(kubeconfig, rightText);
  clock.mockReturnValue(start + 999);
  await failure(ask());
  await failure(ask());
  clock.mockReturnValue(start + 1000);
  await failure(ask());
  expect(await ask()).toHaveProperty('body');
  clock.mockRestore();
  rotated.close();
});

describe('the error of an answer', () => {
  const status = (message: string, details = {}) => ({ kind: 'Status', message, details });

  test.each<[number, unknown, Partial<ClusterError>]>([
    [403, status('no right'), { code: 'forbidden', status: 403, message: 'GET /apis/x: no right' }],
    [404, status('"x" not found', { name: 'x' }), { code: 'not-found', absent: 'object' }],
    [404, status('"y" not found', { name: 'y' }), { code: 'not-found', absent: 'kind' }],
    [404, { details: { name: 'x' } }, { code: 'not-found', absent: 'kind' }],
    [404, status('no n', { name: 'n', kind: 'namespaces' }), { code: 'not-found', absent: undefined }],
    [404, status('the server could not find the requested resource'), { code: 'not-found', absent: 'kind' }],
    [404, 'no object', { code: 'not-found', absent: 'kind' }],
    [409, status('modified'), { code: 'conflict' }],
    [422, status('invalid'), { code: 'invalid' }],
    [503, [], { code: 'unavailable', message: 'GET /apis/x: HTTP 503' }],
    [302, {}, { code: 'unavailable' }],
    [200, 'text', { code: 'unreadable' }],
    [200, [1], { code: 'unreadable' }],
  ])('%s %j', async (code, body, expected) => {
    stub.answer = (_, response) => json(response, code, body);
    expect(await failure(get())).toMatchObject(expected);
  });

  test('is one short line', async () => {
    stub.answer = (_, response) => json(response, 500, status(`a\nb\u001b[31m${'x'.repeat(10_000)}`));
    const { message } = await failure(get());
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(message).not.toMatch(/[\u0000-\u001f]/);
    expect(message.length).toBeLessThan(700);
  });
});

describe('an answer that never comes in full', () => {
  test.each<[string, ApiStub['answer'], Partial<ApiRequest>, object]>([
    [
      'one that is too long',
      (_, response) => {
        response.on('error', () => {});
        response.writeHead(200).write('x'.repeat(1500));
      },
      { mostBytes: 1000 },
      { code: 'unreadable', message: expect.stringContaining('longer than 1000 bytes') },
    ],
    ['no time', () => {}, { timeoutMs: -1 }, { code: 'timeout' }],
    ['an ended request', () => {}, { signal: AbortSignal.abort() }, { code: 'timeout' }],
  ])('is an error: %s', async (_, answer, request, expected) => {
    stub.answer = answer;
    expect(await failure(get(request))).toMatchObject(expected);
  });

  test('is not asked for again on a new connection: what was sent may have arrived', async () => {
    stub.answer = ({ socket }) => socket.destroy();
    const error = await failure(client.call({ method: 'POST', path: '/a', body: {} }));
    expect([error.code, stub.requests.length]).toEqual(['unreachable', 1]);
  });

  test('is none where only an idle connection was closed', async () => {
    await get();
    let first = true;
    stub.answer = (request, response) => {
      if (first) request.socket.destroy();
      else json(response, 200, {});
      first = false;
    };
    expect(await get()).toHaveProperty('body');
  });
});

test('after a call without an answer no idle connection is used: it may lead to the same server, which hangs', async () => {
  const hung = new Set<unknown>();
  const { promise: both, resolve } = Promise.withResolvers<void>();
  stub.answer = async ({ socket }, response) => {
    if (hung.add(socket).size === 2) resolve();
    await both;
    json(response, 200, {});
  };
  await Promise.all([get(), get()]);
  stub.answer = ({ socket }, response) => {
    if (!hung.has(socket)) json(response, 200, {});
  };
  expect((await failure(get({ timeoutMs: 100 }))).code).toBe('timeout');
  expect(await get({ timeoutMs: 5000 })).toHaveProperty('body');
});

test('idle connections stay open if the time of a call was over before it began', async () => {
  stub.answer = (_, response) => json(response, 200, {});
  await get();
  expect((await failure(get({ timeoutMs: 0 }))).code).toBe('timeout');
  await get();
  expect(stub.connections).toBe(1);
});
