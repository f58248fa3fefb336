/** The harness itself: what the other end-to-end tests stand on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ControlPlane, type Muster, register, startControlPlane, startMuster } from './harness/index.ts';

let controlPlane: ControlPlane;
let muster: Muster;

beforeAll(async () => {
  [controlPlane, muster] = await Promise.all([startControlPlane(), startMuster()]);
  await register(controlPlane, muster);
});
afterAll(async () => {
  await controlPlane?.stop();
  await muster?.stop();
});

const claim = (name: string, value: string) => ({
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'ClusterClaim',
  metadata: { name },
  spec: { value },
});

test('a write that breaks a rule is refused with the rule, and not stored', async () => {
  const { code, stderr } = await controlPlane.kubectl('jane', ['create', '-f', '-'], claim('mine.k8s.io', 'a'));
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('[claim/reserved-name]') });
  const { status } = await controlPlane
    .api('jane')
    .call('GET', '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims/mine.k8s.io');
  expect(status).toBe(404);
});

test('a write that breaks none is stored', async () => {
  const { code, stdout } = await controlPlane.kubectl('jane', ['create', '-f', '-'], claim('id.k8s.io', 'a'));
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'clusterclaim.multicluster.x-k8s.io/id.k8s.io created\n' });
});

test('the mutating webhook adds the manager label', async () => {
  const object = {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'InventoryCluster',
    metadata: { name: 'a' },
    spec: { clusterManager: { name: 'm' } },
  };
  const path = '/apis/multicluster.x-k8s.io/v1alpha1/inventoryclusters';
  const { status, body } = await controlPlane.api('bob').call('POST', path, object);
  expect({ status, labels: body.metadata.labels }).toEqual({
    status: 201,
    labels: { 'x-k8s.io/cluster-manager': 'm' },
  });
});

test('users have the rights they are said to have', async () => {
  const may = async (user: string, verb: string, resource: string) =>
    (await controlPlane.kubectl(user, ['auth', 'can-i', verb, resource])).stdout.trim();
  expect(await may('jane', 'delete', 'features.features.x-k8s.io')).toBe('yes');
  expect(await may('jane', 'get', 'secrets')).toBe('no');
  expect(await may('stranger', 'get', 'features.features.x-k8s.io')).toBe('no');
  expect(await may('muster', 'get', 'leases.coordination.k8s.io')).toBe('no');
  expect(await may('admin', '*', '*')).toBe('yes');
});

test('the API server and etcd come back on their ports with their data, and forget history', async () => {
  await controlPlane.etcd.compact();
  await controlPlane.stopApiServer();
  await expect(controlPlane.api('admin').call('GET', '/readyz')).rejects.toThrow();
  await controlPlane.etcd.stop();
  await controlPlane.etcd.start();
  await controlPlane.startApiServer();
  const { stdout } = await controlPlane.kubectl('jane', ['get', 'clusterclaims.multicluster.x-k8s.io', '-o', 'name']);
  expect(stdout).toBe('clusterclaim.multicluster.x-k8s.io/id.k8s.io\n');
});

test('what a test started ends with it, even when it is killed', async () => {
  const daemon = fileURLToPath(new URL('harness/daemon.ts', import.meta.url));
  const script = `
    const { startDaemon } = await import(${JSON.stringify(daemon)});
    const { pid } = startDaemon('sleep', ['300'], { logFile: '/dev/null' });
    console.log(pid);
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(String(line));
  expect(isRunning(pid)).toBe(true);
  parent.kill('SIGKILL');
  const end = Date.now() + 10_000;
  while (isRunning(pid) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isRunning(pid)).toBe(false);
});

test('nothing stays behind', async () => {
  const { folder } = controlPlane;
  await controlPlane.stop();
  expect(existsSync(folder)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
