/** The kubeconfig of the hub: how it is found, and how a running server follows the file. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type HubAccess, readHub } from '../../../../src/cli/hub.ts';
import { connectHub, type HubConnection } from '../../../../src/cli/serve/hub-connection.ts';
import type { ApiClient } from '../../../../src/cluster/live/client.ts';
import { loadConfiguration } from '../../../../src/config/load.ts';
import { defaultPolicy } from '../../../../src/engine/index.ts';
import { ruleIds } from '../../../../src/rules/index.ts';
import { createLog } from '../../../../src/server/log/log.ts';
import { createMetrics } from '../../../../src/server/ops/metrics.ts';
import { type ApiStub, startApiStub } from '../../../support/api-stub.ts';
import { HEAD } from '../../../support/configuration.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';
import { until } from '../../../support/until.ts';

const REQUEST = { method: 'GET', path: '/apis/coordination.k8s.io/v1/namespaces/cluster-ids/leases/x' } as const;
let folder: Folder;
let stub: ApiStub;
let hub: HubConnection<ApiClient> | undefined;

beforeEach(async () => {
  folder = newFolder();
  stub = await startApiStub(folder.path);
});
afterEach(async () => {
  await hub?.close();
  await stub.close();
});

/** Reads the hub of a configuration in the stub's folder. */
async function hubIn(registrar: string): Promise<HubAccess | undefined> {
  const file = folder.put('muster.yaml', `${HEAD}${registrar}\n`);
  return readHub(file, await loadConfiguration(file, ruleIds, Date.now()));
}

const registrar = (kubeconfig: string) => `registrar: { kubeconfig: ${kubeconfig}, namespace: cluster-ids }`;
const newMetrics = () => createMetrics({ version: '1', policy: () => defaultPolicy, process: false });

const connect = (access: HubAccess | undefined, metrics = newMetrics()) =>
  connectHub(access, createLog('silent', { write() {} }), metrics, (client) => client);

test('without a registrar there is no client, and nothing is registered', async () => {
  const metrics = newMetrics();
  hub = connect(await hubIn(''), metrics);
  expect([hub.current(), hub.problem()]).toEqual([undefined, undefined]);
  expect((await metrics.text()).text).not.toContain('registrar');
});

test('a client that is replaced stays open for as long as a round may take', () => {
  jest.useFakeTimers();
  try {
    const closed: string[] = [];
    const accessTo = (server: string): HubAccess => ({
      settings: { kubeconfig: server, namespace: 'cluster-ids', whenUnreachable: 'deny' },
      file: folder.put(server, ''),
      text: '',
      client: { server, namespace: '', call: () => Promise.reject(), close: () => closed.push(server) },
    });
    hub = connect(accessTo('old'));
    hub.use(accessTo('new'));
    jest.advanceTimersByTime(19_999);
    expect(closed).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(closed).toEqual(['old']);
  } finally {
    jest.useRealTimers();
  }
});

test('a kubeconfig that was read may vanish before it is used', async () => {
  const access = await hubIn(registrar('kubeconfig'));
  rmSync(stub.kubeconfig);
  hub = connect(access);
  await hub.current()?.call(REQUEST);
  expect(stub.requests).toHaveLength(1);
  await until(() => hub?.problem() !== undefined);
});

test('a path is relative to the folder of the configuration', async () => {
  hub = connect(await hubIn(registrar('kubeconfig')));
  await hub.current()?.call(REQUEST);
  expect([hub.current()?.namespace, stub.requests[0]?.url]).toEqual(['cluster-ids', REQUEST.path]);
});

test.each([
  [
    'that is missing',
    'gone.yaml',
    "gone.yaml\\) can't be read \\(no such file or folder\\); check the path and what it holds",
  ],
  ['that is a pipe', 'pipe.yaml', 'pipe.yaml\\) is a pipe: name a file'],
  ['without a current context', 'moon.yaml', 'has no current-context; set its current-context to one of its contexts'],
])('a kubeconfig %s is refused at its place', async (_, file, message) => {
  const config = JSON.parse(readFileSync(stub.kubeconfig, 'utf8'));
  spawnSync('mkfifo', [join(folder.path, 'pipe.yaml')]);
  folder.put('moon.yaml', JSON.stringify({ ...config, 'current-context': '' }));
  const place = /muster\.yaml:3:26: registrar\.kubeconfig: the kubeconfig of the hub \(.*/;
  await expect(hubIn(registrar(file))).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringMatching(place),
  });
  await expect(hubIn(registrar(file))).rejects.toThrow(new RegExp(message));
});

test('new credentials are used without a restart; unusable ones are refused, and the previous stay in use', async () => {
  const metrics = newMetrics();
  hub = connect(await hubIn(registrar('kubeconfig')), metrics);
  const first = readFileSync(stub.kubeconfig, 'utf8');
  const tokenNow = async () => {
    await hub?.current()?.call(REQUEST);
    return stub.requests.at(-1)?.token;
  };
  expect(await tokenNow()).toBe('Bearer first');

  writeFileSync(stub.kubeconfig, first.replace('"first"', '"second"'));
  await until(async () => (await tokenNow()) === 'Bearer second');
  expect(hub.problem()).toBeUndefined();

  writeFileSync(stub.kubeconfig, '{');
  await until(() => hub?.problem() !== undefined);
  expect(hub.problem()).toMatch(
    /^the hub's kubeconfig on disk is refused, the previous one stays in use: .* can't be read/,
  );
  expect(await tokenNow()).toBe('Bearer second');

  const { text } = await metrics.text();
  expect(text).toContain('muster_registrar_kubeconfig_reloads_total{outcome="applied"} 1');
  expect(text).toContain('muster_registrar_kubeconfig_reloads_total{outcome="refused"} 1');
  expect(text).toMatch(/muster_registrar_call_duration_seconds_count\{verb="get",outcome="ok"\} [1-9]/);
});

test('a new configuration replaces the hub, or takes it away', async () => {
  hub = connect(await hubIn(''));
  hub.use(await hubIn(registrar('kubeconfig')));
  await hub.current()?.call(REQUEST);
  expect(stub.requests).toHaveLength(1);
  hub.use(await hubIn(''));
  expect(hub.current()).toBeUndefined();
});
