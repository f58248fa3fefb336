/** What a kubeconfig says, as a call shows it to a server: by its connection and its headers. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { loadAccess } from '../../../src/cluster/live/access.ts';
import { openCluster } from '../../../src/cluster/live/client.ts';
import { type IssuedCertificates, issueCertificates } from '../../../src/tls/issue.ts';
import { json } from './api-stub.ts';

type Fields = Record<string, unknown>;

const folder = mkdtempSync(join(tmpdir(), 'muster-access-'));
const base64 = (text: string) => Buffer.from(text).toString('base64');
let issued: IssuedCertificates;
let server: Server;
let seen: { readonly authorization?: string; readonly as?: string; readonly sni: unknown; readonly peer?: string };
let url: string;

beforeAll(async () => {
  issued = await issueCertificates({ names: ['127.0.0.1', 'api.example'] });
  const { cert, key } = issued;
  server = createServer(
    { cert, key, requestCert: true, rejectUnauthorized: false },
    ({ headers, socket }, response) => {
      const tls = socket as TLSSocket & { servername: unknown };
      const { authorization } = headers;
      const as = headers['impersonate-user'];
      const peer = tls.getPeerX509Certificate()?.fingerprint256;
      seen = {
        sni: tls.servername,
        ...(authorization && { authorization }),
        ...(typeof as === 'string' && { as }),
        ...(peer && { peer }),
      };
      json(response, 200, {});
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

function kubeconfig(user: Fields, cluster: Fields = {}, name = 'c'): string {
  const ca = { 'certificate-authority-data': base64(issued.ca) };
  return JSON.stringify({
    clusters: [{ name, cluster: { server: url, ...ca, ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: name, user: 'u' } }],
    'current-context': 'x',
  });
}

function written(text: string, name = 'config'): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

async function shown(user: Fields, cluster?: Fields, calls = 1) {
  const client = openCluster({ kubeconfig: written(kubeconfig(user, cluster)) });
  try {
    for (let call = 0; call < calls; call++) await client.call({ method: 'GET', path: '/' });
    return seen;
  } finally {
    client.close();
  }
}

describe('who calls', () => {
  test('a token, a password, somebody else', async () => {
    expect(await shown({ token: 't' })).toEqual({ authorization: 'Bearer t', sni: false });
    expect(await shown({ username: 'jane', password: 'p' })).toMatchObject({
      authorization: `Basic ${base64('jane:p')}`,
    });
    expect(await shown({ token: 't', as: 'joe' })).toMatchObject({ authorization: 'Bearer t', as: 'joe' });
    expect(await shown({})).toEqual({ sni: false });
  });

  test('a certificate, in the kubeconfig or in files beside it; of both, that in the kubeconfig', async () => {
    const [cert, key] = [issued.cert, issued.key];
    written(cert, 'tls.crt');
    written(key, 'tls.key');
    const inside = { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
    const beside = { 'client-certificate': 'tls.crt', 'client-key': 'tls.key' };
    const nowhere = { 'client-certificate': 'nowhere', 'client-key': 'nowhere' };
    const { peer } = await shown(inside);
    expect(peer).toMatch(/^[0-9A-F:]{95}$/);
    expect(await shown(beside)).toMatchObject({ peer });
    expect(await shown({ ...nowhere, ...inside })).toMatchObject({ peer });
  });

  test('a plugin, asked once until what it made expires', async () => {
    const count = join(folder, 'count');
    const plugin = (status: Fields) => {
      const print = `fs.appendFileSync(${JSON.stringify(count)}, 'x'); console.log(${JSON.stringify(JSON.stringify({ status }))})`;
      return {
        exec: { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: ['-e', print] },
      };
    };
    const asked = () => execFileSync('wc', ['-c', count], { encoding: 'utf8' }).trim().split(' ')[0];
    expect(await shown(plugin({ token: 'made' }), {}, 3)).toMatchObject({ authorization: 'Bearer made' });
    expect(asked()).toBe('1');
    await shown(plugin({ token: 'old', expirationTimestamp: '2020-01-01T00:00:00Z' }), {}, 2);
    expect(asked()).toBe('3');
  });
});

describe('whom', () => {
  test('a CA in a file beside it, another name in the certificate, none that is looked at', async () => {
    written(issued.ca, 'ca.crt');
    const file = { 'certificate-authority-data': undefined, 'certificate-authority': 'ca.crt' };
    await expect(shown({}, file)).resolves.toBeDefined();
    expect(await shown({}, { 'tls-server-name': 'api.example' })).toMatchObject({ sni: 'api.example' });
    const unknown = { 'certificate-authority-data': undefined };
    await expect(shown({}, unknown)).rejects.toMatchObject({ code: 'unreachable' });
    await expect(shown({}, { ...unknown, 'insecure-skip-tls-verify': true })).resolves.toBeDefined();
  });

  test('nobody over http, unless that is said', async () => {
    await expect(shown({ token: 't' }, { server: 'http://127.0.0.1:1' })).rejects.toMatchObject({
      code: 'no-access',
      message: expect.stringContaining('over http: they could be read on the way'),
    });
  });

  test('through a proxy', async () => {
    await expect(shown({ token: 't' }, { 'proxy-url': 'http://127.0.0.1:1' })).rejects.toMatchObject({
      code: 'unreachable',
    });
  });

  test('by a provider that there is not: nobody', async () => {
    expect(await shown({ 'auth-provider': { name: 'none' } })).toEqual({ sni: false });
  });
});

describe('which', () => {
  const before = { ...process.env };
  beforeEach(() => {
    for (const name of ['KUBECONFIG', 'KUBERNETES_SERVICE_HOST']) delete process.env[name];
    process.env['HOME'] = folder;
  });
  afterEach(() => {
    process.env = { ...before };
  });

  test('of several files the first that says something', () => {
    const one = written(kubeconfig({ token: '1' }), 'one');
    const two = written(kubeconfig({ token: '2' }, { server: 'https://two' }, 'd').replaceAll('"x"', '"y"'), 'two');
    process.env['KUBECONFIG'] = ['', one, two].join(delimiter);
    expect(loadAccess({})).toMatchObject({ cluster: { name: 'c', server: url }, user: { token: '1' } });
    expect(loadAccess({ context: 'y' })).toMatchObject({ cluster: { server: 'https://two' }, user: { token: '1' } });
    process.env['KUBECONFIG'] = written(kubeconfig({}).replace('"current-context":"x"', '"a":1'), 'none');
    expect(() => loadAccess({})).toThrow('has no cluster for its current-context; name another one with --context');
    process.env['KUBECONFIG'] += `${delimiter}${two}`;
    expect(loadAccess({})).toMatchObject({ cluster: { server: 'https://two' } });
  });

  test('YAML as kubectl reads it', () => {
    const text = `clusters:\n- name: 'on'\n  cluster: {server: "https://a:1"}\nusers: []\ncontexts:\n- {name: x, context: {cluster: 'on', user: u, namespace: fleet}}\n`;
    const kubeconfig = written(text);
    expect(loadAccess({ kubeconfig, context: 'x' })).toMatchObject({
      cluster: { server: 'https://a:1' },
      namespace: 'fleet',
    });
  });

  test.each([
    ['', 'it is no kubeconfig'],
    ['text', 'it is no kubeconfig'],
    ['users: [{ token: s', 'it is no kubeconfig'],
  ])('a file that holds %j is refused', (text, reason) => {
    const kubeconfig = written(text);
    const said = `--kubeconfig ${kubeconfig} can't be read (${reason}); check the path and what it holds`;
    expect(() => loadAccess({ kubeconfig })).toThrow(said);
  });

  test('none: told where one was looked for', () => {
    expect(() => loadAccess({ kubeconfig: join(folder, 'missing') })).toThrow('(ENOENT)');
    expect(() => loadAccess({})).toThrow('no kubeconfig: give one with --kubeconfig or KUBECONFIG');
  });
});

test('the whole of client-node is not loaded for it: it takes 80 MB', () => {
  const script = `
    import { registerHooks } from 'node:module';
    let count = 0;
    registerHooks({ load: (url, context, next) => { count += url.includes('/client-node/') ? 1 : 0; return next(url, context); } });
    await import('./src/cluster/live/index.ts');
    console.log(count);`;
  const count = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(Number(count)).toBeGreaterThan(0);
  expect(Number(count)).toBeLessThan(5);
});
