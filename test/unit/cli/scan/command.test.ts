/** `muster scan` as a command, of a server that answers as a test wants. */
import { once } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { scanCommand } from '../../../../src/cli/scan/run.ts';
import { type ApiStub, json, kubeconfigOf, startApiStub } from '../../../support/api-stub.ts';
import { claim } from '../../../support/command-line.ts';
import { HEAD } from '../../../support/configuration.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';

const GROUP = '/apis/multicluster.x-k8s.io';
const LISTS = { clusterclaims: `${GROUP}/v1alpha1/clusterclaims`, profiles: `${GROUP}/v1alpha1/clusterprofiles` };
const DENIED = { ...claim('mine.k8s.io', 'x'), metadata: { name: 'mine.k8s.io', uid: 'uid-mine' } };

let folder: Folder;
let stub: ApiStub;
let profiles: readonly JsonObject[];
let exitCode: typeof process.exitCode;
beforeEach(async () => {
  ({ exitCode } = process);
  folder = newFolder();
  stub = await startApiStub(folder.path);
  profiles = [];
  stub.answer = serve;
});
afterEach(async () => {
  process.exitCode = exitCode;
  await stub.close();
});

/**
 * A cluster with one claim, which is denied, and the profiles. It has no Events yet, and accepts all that is written.
 */
function serve({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
  const [path = ''] = url.split('?');
  const answers: Readonly<Record<string, object>> = {
    '/version': {},
    [GROUP]: { versions: [{ version: 'v1alpha1' }] },
    [`${GROUP}/v1alpha1`]: { resources: [{ name: 'clusterclaims' }, { name: 'clusterprofiles' }] },
    [LISTS.clusterclaims]: { metadata: {}, items: [DENIED] },
    [LISTS.profiles]: { metadata: {}, items: profiles },
    '/apis/openreports.io/v1alpha1/reports': { metadata: {}, items: [] },
  };
  if (method === 'POST' || (method === 'PATCH' && !path.includes('/events/'))) json(response, 200, {});
  else if (method === 'GET' && answers[path]) json(response, 200, answers[path]);
  else json(response, 404, { kind: 'Status', code: 404, reason: 'NotFound' });
}

/** Scans, and returns the report. */
async function scan(flags: Partial<Parameters<typeof scanCommand>[0]>) {
  const file = `${folder.path}/report.json`;
  const output = [`json=${file}`, `text=${folder.path}/report.txt`];
  await scanCommand({
    pageSize: 500,
    parallel: 4,
    timeout: 600_000,
    interval: 3_600_000,
    failOn: 'denied',
    output,
    kubeconfig: stub.kubeconfig,
    ...flags,
  });
  return JSON.parse(readFileSync(file, 'utf8'));
}
const written = () => stub.requests.filter(({ method }) => method !== 'GET').map(({ body }) => JSON.parse(body));

test.each(['report', 'event'] as const)('with --%s, what is written names the uid of the object', async (flag) => {
  await scan({ live: true, [flag]: true });
  expect(JSON.stringify(written())).toContain('"uid":"uid-mine"');
});

test('a scan that a signal ends writes nothing into the cluster, and the exit code is 0', async () => {
  let lists = 0;
  stub.answer = (request, response) => {
    // The second scan has read the claims, and waits for the profiles.
    if (request.url?.startsWith(LISTS.profiles) && ++lists === 2) process.emit('SIGTERM');
    else serve(request, response);
  };
  await scan({ live: true, report: true, parallel: 1, exposeMetrics: { host: '127.0.0.1', port: 0 }, interval: 1 });
  expect(stub.requests.filter(({ url }) => url.startsWith(LISTS.clusterclaims))).toHaveLength(2);
  expect(written()).toHaveLength(1);
  expect(process.exitCode).toBe(0);
});

test('a signal while findings are written ends the writing', async () => {
  stub.answer = (request, response) => {
    if (request.method !== 'PATCH') return serve(request, response);
    process.emit('SIGTERM');
    return json(response, 429, { kind: 'Status', code: 429 });
  };
  const exposeMetrics = { host: '127.0.0.1', port: 0 };
  await expect(scan({ live: true, event: true, report: true, exposeMetrics })).rejects.toThrow('ENOENT');
  expect(written()).toHaveLength(1);
  expect(process.exitCode).toBe(0);
});

test('writing findings ends with --timeout, too', async () => {
  stub.answer = (request, response) => {
    if (request.method !== 'PATCH') serve(request, response);
  };
  const { errors } = await scan({ live: true, event: true, timeout: 2000 });
  expect(errors).toEqual([
    { about: 'events', message: expect.stringMatching(/did not take all findings within 2 s \(--timeout\)$/) },
  ]);
});

test('with metrics, a report that can not be written does not end the scans', async () => {
  let lists = 0;
  stub.answer = (request, response) => {
    if (request.url?.startsWith(LISTS.profiles) && ++lists === 2) process.emit('SIGTERM');
    serve(request, response);
  };
  const exposeMetrics = { host: '127.0.0.1', port: 0 };
  await scanCommand({
    pageSize: 500,
    parallel: 1,
    timeout: 600_000,
    failOn: 'denied',
    kubeconfig: stub.kubeconfig,
    live: true,
    output: [`json=${folder.path}/missing/report.json`],
    exposeMetrics,
    interval: 1,
  });
  expect(lists).toBe(2);
});

test.each([
  ['a kubeconfig', () => readFileSync(stub.kubeconfig, 'utf8')],
  ['what can not be used as one', () => '{"kind": "Config"}'],
])('a report in the place of the kubeconfig of a hub is refused: %s', async (_, contentOf) => {
  const hub = folder.put('hub', contentOf());
  const config = folder.put('muster.yaml', `${HEAD}registrar: { kubeconfig: hub, namespace: ids }\n`);
  await expect(scan({ live: true, config, output: [`json=${hub}`] })).rejects.toThrow(
    `the report would replace ${hub}, which is read`,
  );
  expect(JSON.parse(readFileSync(hub, 'utf8')).kind).toBe('Config');
});

test('a report in the place of a file that the kubeconfig of a hub names is refused', async () => {
  const token = folder.put('token', 'secret');
  folder.put('hub', JSON.stringify(kubeconfigOf('https://127.0.0.1:1', { tokenFile: token })));
  const config = folder.put('muster.yaml', `${HEAD}registrar: { kubeconfig: hub, namespace: ids }\n`);
  await expect(scan({ state: [folder.path], config, output: [`json=${token}`] })).rejects.toThrow(
    `the report would replace ${token}, which is read`,
  );
  expect(readFileSync(token, 'utf8')).toBe('secret');
});

test('the same cluster under two contexts is refused', async () => {
  const config = JSON.parse(readFileSync(stub.kubeconfig, 'utf8'));
  config.contexts.push({ ...config.contexts[0], name: 'y' });
  const kubeconfig = folder.put('two', JSON.stringify(config));
  await expect(scan({ kubeconfig, context: ['x', 'y'] })).rejects.toThrow(
    'the contexts "x" and "y" lead to the same API server as the same user',
  );
});

test('of a fleet, clusters that can not be opened are counted, and all connections are closed', async () => {
  const plugin = folder.put('plugin', `#!/bin/sh\necho '${JSON.stringify(CREDENTIAL)}'\n`);
  chmodSync(plugin, 0o700);
  const execConfig = { apiVersion: CREDENTIAL.apiVersion, command: plugin };
  const providerFile = folder.put('providers', JSON.stringify({ providers: [{ name: 'p', execConfig }] }));
  const [{ cluster }] = JSON.parse(readFileSync(stub.kubeconfig, 'utf8')).clusters;
  profiles = [profile('member', { accessProviders: [{ name: 'p', cluster }] }), profile('unopened', {})];
  const ends = new Map<Socket, Promise<string>>();
  stub.answer = (request, response) => {
    const { socket } = request;
    if (!ends.has(socket))
      ends.set(socket, Promise.race(['end', 'timeout'].map((event) => once(socket, event).then(() => event))));
    serve(request, response);
  };
  const { clusters } = await scan({ fleet: true, providerFile });
  expect(clusters).toMatchObject([
    { name: 'n/member', summary: { errors: 0 } },
    { name: 'n/unopened', summary: { errors: 1 } },
  ]);
  expect(new Set(stub.requests.map(({ token }) => token))).toEqual(new Set(['Bearer first', 'Bearer member']));
  expect(new Set(await Promise.all(ends.values()))).toEqual(new Set(['end']));
});

test.each(['plugin', 'token'])(
  'a report in the place of a file that a plugin of the fleet needs is refused: %s',
  async (file) => {
    const path = folder.put(file, 'content');
    const provider = {
      name: 'p',
      execConfig: { command: `${folder.path}/plugin` },
      profileSourcedCLIArgsPolicy: 'Append',
    };
    const providerFile = folder.put('providers', JSON.stringify({ providers: [provider] }));
    const name = 'clusterprofiles.multicluster.x-k8s.io/exec/additional-args';
    const extensions = [{ name, extension: [`--token=${folder.path}/token`] }];
    profiles = [
      profile('member', { accessProviders: [{ name: 'p', cluster: { server: 'https://127.0.0.1:1', extensions } }] }),
    ];
    await expect(scan({ fleet: true, providerFile, output: [`json=${path}`] })).rejects.toThrow(
      `the report would replace ${path}, which is read`,
    );
    expect(readFileSync(path, 'utf8')).toBe('content');
  },
);

const CREDENTIAL = {
  apiVersion: 'client.authentication.k8s.io/v1',
  kind: 'ExecCredential',
  status: { token: 'member' },
};
const profile = (name: string, status: JsonObject) => ({ metadata: { name, namespace: 'n' }, status });
