import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type ApiClient, openCluster } from '../../../src/cluster/live/client.ts';
import { ClusterError } from '../../../src/cluster/live/errors.ts';
import { type ApiStub, json, kubeconfigOf, startApiStub } from './api-stub.ts';

const folder = mkdtempSync(join(tmpdir(), 'muster-client-'));
let stub: ApiStub;
let client: ApiClient;
beforeEach(async () => {
  stub = await startApiStub(folder);
  client = await openCluster({ kubeconfig: stub.kubeconfig });
});
afterEach(async () => {
  client.close();
  await stub.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const get = (over: object = {}) => client.call({ method: 'GET', path: '/apis/x?y=1', ...over });
const failure = async (call: Promise<unknown>): Promise<ClusterError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ClusterError)) throw new Error(`no ClusterError: ${String(error)}`);
  return error;
};

describe('a call', () => {
  test('has the user’s token, an answer as JSON, and the server’s clock', async () => {
    stub.answer = (_, response) => {
      response.setHeader('date', 'Sat, 21 Nov 2026 14:00:00 GMT');
      json(response, 200, { kind: 'Thing' });
    };
    expect(await get()).toEqual({ status: 200, body: { kind: 'Thing' }, date: Date.parse('2026-11-21T14:00:00Z') });
    expect(stub.requests).toEqual([{ method: 'GET', url: '/apis/x?y=1', token: 'Bearer first', body: '' }]);
    expect(client).toMatchObject({ server: `https://127.0.0.1:${stub.port}`, namespace: 'fleet' });
  });

  test('sends what it is given', async () => {
    await client.call({ method: 'PUT', path: '/a', body: { text: 'ä' } });
    expect(stub.requests[0]).toMatchObject({ method: 'PUT', body: '{"text":"ä"}' });
  });

  test('keeps its connection for the next one', async () => {
    for (let call = 0; call < 5; call++) await get();
    expect(stub.connections).toBe(1);
  });
});

describe('an answer that is a failure', () => {
  const status = (message: string, details = {}) => ({ kind: 'Status', message, details });

  test.each<[number, unknown, Partial<ClusterError>]>([
    [403, status('no right'), { code: 'forbidden', status: 403, message: 'GET /apis/x: no right' }],
    [404, status('"x" not found', { name: 'x' }), { code: 'not-found', absent: 'object' }],
    [404, status('"y" not found', { name: 'y' }), { code: 'not-found', absent: 'kind' }],
    [404, { details: { name: 'x' } }, { code: 'not-found', absent: 'kind' }],
    [404, status('the server could not find the requested resource'), { code: 'not-found', absent: 'kind' }],
    [404, 'no object', { code: 'not-found', absent: 'kind' }],
    [409, status('modified'), { code: 'conflict' }],
    [422, status('invalid'), { code: 'invalid' }],
    [429, status('too many'), { code: 'unavailable' }],
    [500, status('etcd'), { code: 'unavailable' }],
    [503, [], { code: 'unavailable', message: 'GET /apis/x: HTTP 503' }],
    [302, {}, { code: 'unavailable' }],
    [200, 'text', { code: 'unreadable' }],
    [200, [1], { code: 'unreadable' }],
  ])('%s %j', async (code, body, expected) => {
    stub.answer = (_, response) => json(response, code, body);
    expect(await failure(get())).toMatchObject(expected);
  });

  test('its text is one short line', async () => {
    stub.answer = (_, response) => json(response, 500, status(`a\nb\u001b[31m${'x'.repeat(10_000)}`));
    const { message } = await failure(get());
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(message).not.toMatch(/[\u0000-\u001f]/);
    expect(message.length).toBeLessThan(700);
  });
});

describe('an answer that is too long', () => {
  test.each([
    ['and says so', { 'content-length': '2000' }],
    ['and does not', {}],
  ])('%s', async (_, headers) => {
    stub.answer = (request, response) => {
      response.on('error', () => {});
      response.writeHead(200, headers).write('x'.repeat(1500));
      request.socket.on('error', () => {});
    };
    const error = await failure(get({ mostBytes: 1000, timeoutMs: 5000 }));
    expect(error).toMatchObject({ code: 'unreadable', message: expect.stringContaining('longer than 1000 bytes') });
  });
});

describe('a way that breaks', () => {
  test('a reset before the answer', async () => {
    stub.answer = (request) => void request.socket.destroy();
    expect(await failure(get())).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/ECONNRESET|hang up/),
    });
  });

  test('an answer that is cut off', async () => {
    stub.answer = (request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"half"', () => request.socket.destroy());
    };
    expect(await failure(get())).toMatchObject({ code: 'unreachable' });
  });

  test('an answer that never comes, by time and by signal', async () => {
    stub.answer = () => {};
    expect(await failure(get({ timeoutMs: 50.5 }))).toMatchObject({ code: 'timeout' });
    expect(await failure(get({ timeoutMs: -1 }))).toMatchObject({ code: 'timeout' });
    const gone = new AbortController();
    const call = failure(get({ signal: gone.signal }));
    gone.abort();
    expect(await call).toMatchObject({ code: 'timeout' });
    expect(await failure(get({ signal: AbortSignal.abort() }))).toMatchObject({ code: 'timeout' });
  });

  test('an answer that drips', async () => {
    stub.answer = (_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(drip));
    };
    expect(await failure(get({ timeoutMs: 100 }))).toMatchObject({ code: 'timeout' });
  });

  test('a connection that was closed while idle is no failure', async () => {
    await get();
    let first = true;
    stub.answer = (request, response) => {
      if (first) request.socket.destroy();
      else json(response, 200, {});
      first = false;
    };
    expect(await get()).toMatchObject({ status: 200 });
  });

  test('nobody there, and then somebody', async () => {
    const { port } = stub;
    const { kubeconfig } = stub;
    await stub.close();
    expect(await failure(get())).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/ECONNREFUSED|ECONNRESET/),
    });
    stub = await startApiStub(folder, port);
    // Its certificate is a new one: the file is read anew only where credentials are refused.
    client.close();
    client = await openCluster({ kubeconfig });
    expect(await get()).toMatchObject({ status: 200 });
  });

  test('a certificate of another CA', async () => {
    const other = await startApiStub(mkdtempSync(join(folder, 'other-')));
    const file = join(folder, 'wrong-ca');
    try {
      const kubeconfig = kubeconfigOf(`https://127.0.0.1:${stub.port}`, '', 'first');
      writeFileSync(file, kubeconfig);
      const stranger = await openCluster({ kubeconfig: file });
      const error = await failure(stranger.call({ method: 'GET', path: '/' }));
      expect(error).toMatchObject({
        code: 'unreachable',
        message: expect.stringMatching(/CERT|SIGNATURE|ISSUER|SELF/),
      });
      stranger.close();
    } finally {
      await other.close();
    }
  });
});

describe('credentials', () => {
  const only = (token: string) => {
    stub.answer = (request, response) =>
      json(response, request.headers.authorization === `Bearer ${token}` ? 200 : 401, { message: 'Unauthorized' });
  };

  test('that were rotated are read again, once', async () => {
    only('second');
    stub.writeToken('second');
    expect(await get()).toMatchObject({ status: 200 });
    expect(stub.requests.map(({ token }) => token)).toEqual(['Bearer first', 'Bearer second']);
    await get();
    expect(stub.requests).toHaveLength(3);
  });

  describe('in a file', () => {
    const file = join(folder, 'token');
    const open = async (tokenFile: string) => {
      const config = JSON.parse(readFileSync(stub.kubeconfig, 'utf8'));
      config.users[0].user = { token: 'a file beats it', tokenFile };
      writeFileSync(stub.kubeconfig, JSON.stringify(config));
      client.close();
      client = await openCluster({ kubeconfig: stub.kubeconfig });
    };

    test('are read again when they are refused, by a path relative to the kubeconfig, without a last line break', async () => {
      writeFileSync(file, 'one\n');
      await open('token');
      await get();
      only('two');
      writeFileSync(file, 'two');
      await get();
      expect(stub.requests.map(({ token }) => token)).toEqual(['Bearer one', 'Bearer one', 'Bearer two']);
    });

    test.each<[string, () => void, string]>([
      ['missing', () => rmSync(file, { force: true }), file],
      ['empty', () => writeFileSync(file, ' \n'), `token file ${file} is empty`],
    ])('that is %s is named by the error, and no call is made without a token', async (_, spoil, message) => {
      spoil();
      await open(file);
      expect(await failure(get())).toMatchObject({ code: 'no-access', message: expect.stringContaining(message) });
      expect(stub.requests).toEqual([]);
      writeFileSync(file, 'good');
      expect(await get()).toMatchObject({ status: 200 });
      expect(stub.requests.map(({ token }) => token)).toEqual(['Bearer good']);
    });
  });

  test('that a plugin takes too long to make end with the call, by time and by signal', async () => {
    const config = JSON.parse(readFileSync(stub.kubeconfig, 'utf8'));
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, interactiveMode: 'Never' };
    const over = join(folder, 'over');
    const waiting =
      'setInterval(() => fs.existsSync(process.argv[1]) && process.exit(), 50); setTimeout(process.exit, 5000)';
    const args = ['-e', waiting, over];
    config.users[0].user = { exec: { ...exec, args } };
    writeFileSync(stub.kubeconfig, JSON.stringify(config));
    const slow = await openCluster({ kubeconfig: stub.kubeconfig });
    const began = performance.now();
    const errors = await Promise.all([
      failure(slow.call({ method: 'GET', path: '/version', timeoutMs: 50 })),
      failure(slow.call({ method: 'GET', path: '/version', signal: AbortSignal.timeout(50) })),
      failure(slow.call({ method: 'GET', path: '/version', signal: AbortSignal.abort() })),
    ]);
    const took = performance.now() - began;
    writeFileSync(over, '');
    slow.close();
    expect(took).toBeLessThan(4000);
    expect(errors.map(({ code }) => code)).toEqual(['timeout', 'timeout', 'timeout']);
    expect(stub.requests).toEqual([]);
  });

  test('that fit in no header are an error without what they are', async () => {
    stub.writeToken('sec\nret');
    const other = await openCluster({ kubeconfig: stub.kubeconfig });
    const error = await failure(other.call({ method: 'GET', path: '/version' }));
    other.close();
    expect(error).toMatchObject({ code: 'no-access', message: expect.stringContaining('Authorization') });
    expect(error.message).not.toContain('ret"');
    expect(error.message).not.toContain('sec');
    expect(stub.requests).toEqual([]);
  });

  test('that stay wrong are an error, until they are fixed', async () => {
    only('second');
    expect(await failure(get())).toMatchObject({ code: 'unauthorized' });
    expect(stub.requests).toHaveLength(2);
    writeFileSync(stub.kubeconfig, '{ half of a file');
    expect(await failure(get())).toMatchObject({ code: 'no-access' });
    stub.writeToken('second');
    expect(await get()).toMatchObject({ status: 200 });
  });
});
