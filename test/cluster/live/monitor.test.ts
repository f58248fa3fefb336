import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { clusterClaim, clusterProperty, type Dialect, ocmClusterClaim } from '../../../src/api/dialects.ts';
import { type ClusterWatch, watchCluster } from '../../../src/cluster/live/monitor.ts';
import { createMemoryCluster, failing, type MemoryCluster } from '../memory-cluster.ts';

const watches: ClusterWatch[] = [];
afterEach(() => {
  for (const watch of watches.splice(0)) watch.close();
});

function watching(cluster: MemoryCluster, longestMs = 40) {
  const told: (readonly string[])[] = [];
  const watch = watchCluster({
    client: cluster.client,
    onChange: (problems) => void told.push(problems),
    firstMs: 5,
    longestMs,
  });
  watches.push(watch);
  return { watch, told };
}

/** Whose clock is that of this machine. */
function clusterOf(served?: readonly Dialect[]): MemoryCluster {
  const cluster = createMemoryCluster(served);
  cluster.now = Date.now();
  return cluster;
}

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 4000;
  while (!holds()) {
    if (Date.now() > end) throw new Error('not within 4 s');
    await sleep(2);
  }
}

test('all is well: nothing is told, nothing written', async () => {
  const cluster = clusterOf();
  const before = structuredClone(cluster.lease(clusterClaim));
  const { watch, told } = watching(cluster);
  expect(watch.up()).toBe(false);
  await until(() => watch.up());
  expect([watch.problems(), told]).toEqual([[], []]);
  expect(cluster.calls.filter((call) => call.startsWith('PUT')).every((call) => call.endsWith('?dryRun=All'))).toBe(
    true,
  );
  expect(cluster.lease(clusterClaim)).toEqual(before);
});

test('each thing that is missing, in a line of its own; told once, and when it is mended', async () => {
  const cluster = clusterOf([clusterClaim, clusterProperty]);
  cluster.setLease(clusterClaim, undefined);
  cluster.setLease(ocmClusterClaim, undefined);
  cluster.before = failing('forbidden', (call) => call.startsWith('PUT') && call.includes('cluster-property'));
  const { watch, told } = watching(cluster);
  await until(() => cluster.calls.length > 30);
  expect(told).toEqual([
    [
      "the Lease muster-system/muster-cluster-claim does not exist: apply muster's manifests, or name the namespace with --namespace",
      'muster may not update the Lease muster-system/muster-cluster-property: apply its RBAC (muster manifests)',
    ],
  ]);
  expect(watch.problems()).toEqual(told[0]);
  cluster.before = () => {};
  cluster.setLease(clusterClaim, { metadata: {} });
  await until(() => watch.up());
  expect(told).toHaveLength(2);
  expect(told[1]).toEqual([]);
});

test('a kind of our own that is not served is named, a foreign one is not', async () => {
  const { watch } = watching(clusterOf([ocmClusterClaim]));
  await until(() => watch.problems().length > 0);
  expect(watch.problems()).toEqual([
    'the API server does not serve clusterclaims (multicluster.x-k8s.io): install its CRD (muster manifests --only crds)',
  ]);
});

test('reads without permission', async () => {
  const cluster = clusterOf();
  cluster.before = failing('forbidden', (call) => call.includes('cluster.open-cluster-management.io'));
  const { watch } = watching(cluster);
  await until(() => watch.problems().length > 0);
  expect(watch.problems()).toEqual([
    expect.stringMatching(/^muster may not get clusterclaims "clusterset\.k8s\.io" \(cluster\.open/),
  ]);
});

test('an API server that is away is one problem', async () => {
  const cluster = clusterOf();
  cluster.before = () => failing('unreachable', () => true)('GET /', { method: 'GET', path: '' });
  const { watch } = watching(cluster);
  await until(() => watch.problems().length > 0);
  expect(watch.problems()).toEqual(['GET /: as the test has it']);
});

test('a failure of its own is told, and ends nothing', async () => {
  const cluster = clusterOf();
  cluster.before = () => {
    throw new Error('a bug');
  };
  const { watch } = watching(cluster);
  await until(() => watch.problems().length > 0);
  expect(watch.problems()).toEqual(['a bug in muster: Error: a bug']);
  cluster.before = () => {};
  await until(() => watch.up());
});

test('a request that met trouble has it look sooner; a closed one looks no more', async () => {
  const cluster = clusterOf();
  const { watch } = watching(cluster, 3_600_000);
  await until(() => watch.up());
  const calls = cluster.calls.length;
  watch.nudge();
  watch.nudge();
  await until(() => cluster.calls.length === 2 * calls);
  watch.nudge();
  watch.close();
  watch.nudge();
  await sleep(30);
  expect(cluster.calls).toHaveLength(2 * calls);
});

test.each([
  [9, undefined],
  [30, 'seconds behind'],
  [-300, 'minutes ahead of'],
  [90_000, 'hours or more behind'],
])('a clock of the API server %d s from ours', async (seconds, said) => {
  const cluster = clusterOf();
  cluster.now += seconds * 1000;
  const { watch, told } = watching(cluster);
  if (said === undefined) await until(() => watch.up());
  else await until(() => cluster.calls.length > 30);
  expect(told).toEqual(
    said === undefined ? [] : [[expect.stringContaining(`this machine's clock is ${said} the API server's`)]],
  );
});
