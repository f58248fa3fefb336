/** What a kubeconfig leads to, as a server sees it: by the connection and the headers of a call. */
import { getEventListeners } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type IssuedCertificates, issueCertificates } from '../../../../src/certificates/issue.ts';
import { openCluster } from '../../../../src/cluster/live/client.ts';
import { loadAccess } from '../../../../src/cluster/live/credentials.ts';
import { createExecPlugin } from '../../../../src/cluster/live/exec-plugin.ts';
import { type ApiStub, json, startApiStub } from '../../../support/api-stub.ts';
import { newFolder } from '../../../support/folder.ts';
import { until } from '../../../support/until.ts';

type Fields = Record<string, unknown>;

const { path: folder, put } = newFolder();
const written = (text: string, name = 'config') => put(name, text);
const base64 = (text: string) => Buffer.from(text).toString('base64');
let issued: IssuedCertificates;
let stub: ApiStub;

beforeAll(async () => {
  issued = await issueCertificates({ names: ['127.0.0.1', 'api.example'] });
  stub = await startApiStub(folder, issued);
});
afterAll(() => stub.close());
afterEach(() => {
  jest.restoreAllMocks();
});

function kubeconfig(user: Fields, cluster: Fields = {}, context = 'x'): string {
  const server = `https://127.0.0.1:${stub.port}`;
  const ca = { 'certificate-authority-data': base64(issued.ca) };
  return JSON.stringify({
    clusters: [{ name: `of-${context}`, cluster: { server, ...ca, ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: context, context: { cluster: `of-${context}`, user: 'u' } }],
    'current-context': context,
  });
}

const plugin = (script: string) => ({ command: process.execPath, args: ['-e', script] });

/** Makes a call, and returns what the server saw of it. */
async function seenOf(user: Fields, cluster?: Fields): Promise<Fields> {
  const client = await openCluster({ kubeconfig: written(kubeconfig(user, cluster)) });
  let seen: Fields = {};
  stub.answer = ({ socket, headers }, response) => {
    const tls = socket as TLSSocket & { servername: unknown };
    const peer = tls.getPeerX509Certificate()?.fingerprint256;
    seen = { sni: tls.servername, authorization: headers.authorization, as: headers['impersonate-user'], peer };
    json(response, 200, {});
  };
  try {
    await client.call({ method: 'GET', path: '/' });
    return seen;
  } finally {
    client.close();
  }
}

describe('the user', () => {
  test.each<[string, Fields, Fields]>([
    ['a token', { token: 't' }, { authorization: 'Bearer t', sni: false }],
    ['an impersonated user', { token: 't', as: 'joe' }, { authorization: 'Bearer t', as: 'joe' }],
    ['a token file', { tokenFile: written('good\n', 'token') }, { authorization: 'Bearer good' }],
    ['nothing', {}, { authorization: undefined, as: undefined, peer: undefined }],
  ])('has %s', async (_, user, expected) => {
    expect(await seenOf(user)).toMatchObject(expected);
  });

  test('has a certificate, in the kubeconfig or in files beside it', async () => {
    written(issued.cert, 'tls.crt');
    written(issued.key, 'tls.key');
    const inside = { 'client-certificate-data': base64(issued.cert), 'client-key-data': base64(issued.key) };
    const { peer } = await seenOf(inside);
    expect(peer).toMatch(/^[0-9A-F:]{95}$/);
    expect(await seenOf({ 'client-certificate': 'tls.crt', 'client-key': 'tls.key' })).toMatchObject({ peer });
  });

  test.each<[string, Fields, string]>([
    ['a token file that is missing', { tokenFile: 'missing' }, join(folder, 'missing')],
    [
      'a token file that is empty',
      { tokenFile: written(' \n', 'empty') },
      `token file ${join(folder, 'empty')} is empty`,
    ],
    ['a token that fits in no header', { token: 's3cret\nret' }, 'Authorization'],
    [
      'a plugin that fails',
      { exec: plugin('console.error("s3cret"); process.exit(1)') },
      `the exec plugin "${process.execPath}" failed, or printed no credential; run it by hand`,
    ],
    ['a plugin that is missing', { exec: { command: 'no-such' } }, `the exec plugin "no-such" can't be run (ENOENT)`],
  ])('has %s: no call is made, and the error repeats no secret', async (_, user, message) => {
    const calls = stub.requests.length;
    const error = await seenOf(user).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: 'no-access', message: expect.stringContaining(message) });
    expect((error as Error).message).not.toContain('s3cret');
    expect(stub.requests).toHaveLength(calls);
  });

  test.each([
    ['and the cluster, where it should get it', { provideClusterInfo: true }],
    ['and no cluster else', {}],
  ])('has a plugin, which gets the version of its API %s', async (_, more) => {
    const script = `console.log(JSON.stringify({ status: { token: btoa(process.env.KUBERNETES_EXEC_INFO) } }))`;
    const apiVersion = 'client.authentication.k8s.io/v1beta1';
    const { authorization } = await seenOf({ exec: { ...plugin(script), apiVersion, ...more } });
    const info = JSON.parse(Buffer.from(String(authorization).slice('Bearer '.length), 'base64').toString());
    const server = `https://127.0.0.1:${stub.port}`;
    const cluster = { server, 'certificate-authority-data': base64(issued.ca) };
    const spec = { interactive: false, ...('provideClusterInfo' in more && { cluster }) };
    expect(info).toEqual({ apiVersion, kind: 'ExecCredential', spec });
  });

  test.each([
    ['once', 1, undefined],
    ['again when its credential has expired', 2, '2020-01-01T00:00:00Z'],
  ])('has a plugin, which runs %s', async (_, runs, expirationTimestamp) => {
    const log = written('', 'runs');
    const status = JSON.stringify({ status: { token: 't', expirationTimestamp } });
    const exec = plugin(`require('fs').appendFileSync('${log}', '.'); console.log('${status}')`);
    const client = await openCluster({ kubeconfig: written(kubeconfig({ exec })) });
    stub.answer = (_request, response) => json(response, 200, {});
    for (let calls = 0; calls < 2; calls++) await client.call({ method: 'GET', path: '/' });
    client.close();
    expect(readFileSync(log, 'utf8')).toHaveLength(runs);
  });

  test('has a plugin beside the kubeconfig, as in kubectl', async () => {
    chmodSync(written(`#!/bin/sh\necho '{"status":{"token":"t"}}'\n`, 'auth'), 0o700);
    expect(await seenOf({ exec: { command: './auth' } })).toMatchObject({ authorization: 'Bearer t' });
  });

  test('has a plugin that takes longer than a call may', async () => {
    const inTime = AbortSignal.timeout.bind(AbortSignal);
    jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => inTime(ms / 5));
    const exec = plugin(`setTimeout(() => console.log('{"status":{"token":"t"}}'), 2500)`);
    expect(await seenOf({ exec })).toMatchObject({ authorization: 'Bearer t' });
  });

  test('has a plugin that prints no token or certificate', async () => {
    const exec = plugin('console.log(JSON.stringify({ status: { clientKeyData: "k" } }))');
    await expect(seenOf({ exec })).rejects.toMatchObject({
      code: 'no-access',
      message: expect.stringContaining('no credential'),
    });
  });

  test('has a plugin that hangs: its run ends, and the next call starts another one', async () => {
    const marker = join(folder, 'first-run');
    const exec = {
      command: 'sh',
      args: ['-c', `[ -e ${marker} ] && exec echo '{"status":{"token":"t"}}'; : > ${marker}; exec sleep 600`],
    };
    const cluster = { name: 'c', server: '', skipTLSVerify: false };
    const plugin = createExecPlugin(exec, { cluster }, () => AbortSignal.timeout(4000), 500);
    const apply = async () => {
      const options: { headers?: unknown } = {};
      await plugin.applyAuthentication({ name: 'u' }, options);
      return options.headers;
    };
    await expect(apply()).rejects.toMatchObject({ killed: true });
    expect(await apply()).toEqual({ Authorization: 'Bearer t' });
  });

  test.each([
    ['its own time limit', { signal: new AbortController().signal, timeoutMs: 300 }],
    ['the end of the client', { signal: AbortSignal.timeout(2000), timeoutMs: 60_000 }],
  ])('has a plugin that ignores SIGTERM, which ends at %s', async (_, { signal, timeoutMs }) => {
    const pidFile = join(folder, `ignoring-${timeoutMs}`);
    const noted = `require('fs').writeFileSync('${pidFile}', String(process.pid))`;
    const script = `process.on('SIGTERM', () => {}); ${noted}; setInterval(() => {}, 1000)`;
    const target = { cluster: { name: 'c', server: '', skipTLSVerify: false } };
    const { applyAuthentication } = createExecPlugin(plugin(script), target, () => signal, timeoutMs);
    await expect(applyAuthentication({ name: 'u' }, {})).rejects.toBeDefined();
    await until(() => !existsSync(pidFile) || !isRunning(Number(readFileSync(pidFile, 'utf8'))));
  });

  test('has a slow plugin, which ends with the client, and starts again with a later call', async () => {
    const pidFile = written('', 'pid');
    const exec = { command: 'sh', args: ['-c', `echo $$ >${pidFile}; exec sleep 600`] };
    const client = await openCluster({ kubeconfig: written(kubeconfig({ exec })) });
    const pid = () => Number(readFileSync(pidFile, 'utf8'));
    for (const limit of [{ timeoutMs: 50 }, { signal: AbortSignal.timeout(50) }]) {
      written('', 'pid');
      for (let calls = 0; calls < 2; calls++)
        await expect(client.call({ method: 'GET', path: '/', ...limit })).rejects.toMatchObject({ code: 'timeout' });
      await until(() => pid() > 0);
      client.close();
      await until(() => !isRunning(pid()));
    }
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('the API server', () => {
  test('is verified: by a CA in a file, under another name, or not at all', async () => {
    written(issued.ca, 'ca.crt');
    const file = { 'certificate-authority-data': undefined, 'certificate-authority': 'ca.crt' };
    await expect(seenOf({}, file)).resolves.toBeDefined();
    expect(await seenOf({}, { 'tls-server-name': 'api.example' })).toMatchObject({ sni: 'api.example' });
    const unknown = { 'certificate-authority-data': undefined };
    await expect(seenOf({}, unknown)).rejects.toMatchObject({ code: 'unreachable' });
    await expect(seenOf({}, { ...unknown, 'insecure-skip-tls-verify': true })).resolves.toBeDefined();
  });

  test('is not called by an address that is none; the error has no password', async () => {
    const message = expect.stringMatching(/^the cluster's server is not an address/);
    const called = seenOf({ token: 't' }, { server: 'ftp://user:s3cret@host' });
    await expect(called).rejects.toMatchObject({ code: 'no-access', message });
  });

  test('is called without TLS only where the kubeconfig says so', async () => {
    const message = expect.stringMatching(/^the cluster's server http:\/\/host:8001 is not https; write https/);
    const called = seenOf({ token: 't' }, { server: 'http://user:s3cret@host:8001' });
    await expect(called).rejects.toMatchObject({ code: 'no-access', message });
  });
});

describe('the source', () => {
  const before = { ...process.env };
  beforeEach(() => {
    for (const name of ['KUBECONFIG', 'KUBERNETES_SERVICE_HOST']) delete process.env[name];
    process.env['HOME'] = folder;
  });
  afterEach(() => {
    process.env = { ...before };
  });
  const tokenOf = async (flags: Fields) => {
    const access = loadAccess(flags);
    const signal = AbortSignal.timeout(5000);
    const { headers } = await access.credentials(signal);
    // A listener would keep the call in memory until its time is over.
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    return [access.server.host, (headers as Record<string, string>)['Authorization']];
  };

  test('of several files the first that has a name counts', async () => {
    const one = written(kubeconfig({ token: '1' }, { server: 'https://one' }), 'one');
    const two = written(kubeconfig({ token: '2' }, { server: 'https://two' }, 'y'), 'two');
    process.env['KUBECONFIG'] = ['', one, two].join(delimiter);
    expect(await tokenOf({})).toEqual(['one', 'Bearer 1']);
    expect(await tokenOf({ context: 'y' })).toEqual(['two', 'Bearer 1']);
    process.env['KUBECONFIG'] = written(kubeconfig({}).replace('"current-context":"x"', '"a":1'), 'none');
    expect(() => loadAccess({})).toThrow('has no current-context; name another one with --context: it has x');
    expect(() => loadAccess({ context: 'z' })).toThrow('has no context "z"; name another one with --context: it has x');
    expect(() => loadAccess({ context: 'z\n' })).toThrow('has no context "z\\u000a"');
    const lost = written(kubeconfig({}).replace('"cluster":"of-x"', '"cluster":"gone"'), 'lost');
    expect(() => loadAccess({ kubeconfig: lost })).toThrow('has no cluster "gone", which its context "x" names');
    expect(() => loadAccess({ kubeconfig: written('nonsense', 'n') })).toThrow('it has no contexts');
    process.env['KUBECONFIG'] += `${delimiter}${two}`;
    expect(await tokenOf({})).toEqual(['two', undefined]);
  });

  test('of KUBECONFIG, files that do not exist are left out as by kubectl, unless none exists', async () => {
    const missing = join(folder, 'missing');
    const one = written(kubeconfig({ token: '1' }, { server: 'https://one' }), 'one');
    process.env['KUBECONFIG'] = [missing, one].join(delimiter);
    expect(await tokenOf({})).toEqual(['one', 'Bearer 1']);
    process.env['KUBECONFIG'] = missing;
    expect(() => loadAccess({})).toThrow(`KUBECONFIG ${missing} can't be read (no such file or folder)`);
    // A path below a file is an error of another kind.
    process.env['KUBECONFIG'] = [join(one, 'x'), one].join(delimiter);
    expect(() => loadAccess({})).toThrow("can't be read");
  });

  test('is YAML, and a context needs no user', () => {
    const text = `clusters:\n- name: 'on'\n  cluster: {server: "https://a:1"}\nusers: []\ncontexts:\n- {name: x, context: {cluster: 'on', namespace: fleet}}\n`;
    const access = loadAccess({ kubeconfig: written(text), context: 'x' });
    expect([access.server.origin, access.namespace]).toEqual(['https://a:1', 'fleet']);
  });

  test.each(['', 'users: [{ token: s3cret'])('a file that holds %j is refused without its content', (text) => {
    const file = written(text);
    const message = `--kubeconfig ${file} can't be read (it is not a kubeconfig); check the path and what it holds`;
    expect(() => loadAccess({ kubeconfig: file })).toThrow(message);
  });

  test('the error names where none was found', () => {
    expect(() => loadAccess({ kubeconfig: join(folder, 'missing') })).toThrow('(no such file or folder)');
    expect(() => loadAccess({})).toThrow('no kubeconfig: give one with --kubeconfig or KUBECONFIG');
  });
});
