import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { clusterClaim, clusterProperty, type Dialect, ocmClusterClaim } from '../../../src/api/dialects.ts';
import { type ClusterMonitor, monitorCluster } from '../../../src/cluster/cluster-monitor.ts';
import { failing } from '../../support/memory-api.ts';
import { createMemoryCluster, type MemoryCluster } from '../../support/memory-cluster.ts';
import { until } from '../../support/until.ts';

const claims = [clusterClaim, ocmClusterClaim, clusterProperty];
const monitors: ClusterMonitor[] = [];
afterEach(() => {
  for (const monitor of monitors.splice(0)) monitor.close();
});

function monitoring(cluster: MemoryCluster, longestMs = 40) {
  const changes: (readonly string[])[] = [];
  const onChange = (problems: readonly string[]) => void changes.push(problems);
  const monitor = monitorCluster({ client: cluster.client, onChange, firstMs: 5, longestMs });
  monitors.push(monitor);
  return { monitor, changes };
}

/** With the clock of this machine. */
function clusterOf(served?: readonly Dialect[]): MemoryCluster {
  const cluster = createMemoryCluster(served);
  cluster.now = Date.now();
  return cluster;
}

test('a cluster in order has no problems, and nothing is written', async () => {
  const cluster = clusterOf();
  const before = structuredClone(cluster.lease(clusterClaim));
  const { monitor, changes } = monitoring(cluster);
  expect(monitor.up()).toBe(false);
  await until(() => monitor.up());
  expect([monitor.problems(), changes]).toEqual([[], []]);
  const puts = cluster.calls.filter((call) => call.startsWith('PUT'));
  expect(new Set(puts.map((call) => call.endsWith('?dryRun=All')))).toEqual(new Set([true]));
  expect(cluster.lease(clusterClaim)).toEqual(before);
});

test('each problem is reported once, and when it is fixed', async () => {
  const cluster = clusterOf([clusterClaim, clusterProperty]);
  cluster.setLease(clusterClaim, undefined);
  cluster.setLease(ocmClusterClaim, undefined);
  cluster.before = failing('forbidden', (call) => call.startsWith('PUT') && call.includes('cluster-property'));
  const { monitor, changes } = monitoring(cluster);
  await until(() => cluster.calls.length > 60);
  const expected = [
    "the Lease muster-system/muster-cluster-claim does not exist: apply muster's manifests, or name the namespace with --namespace",
    'muster may not update the Lease muster-system/muster-cluster-property: apply its RBAC (muster manifests)',
  ];
  expect(changes).toEqual([expected]);
  expect(monitor.problems()).toEqual(expected);
  cluster.before = () => {};
  cluster.setLease(clusterClaim, { metadata: {} });
  await until(() => monitor.up());
  expect(changes).toEqual([expected, []]);
});

test('a lock that is acquired between read and write is no problem: the Lease can be written', async () => {
  const cluster = clusterOf();
  cluster.before = (call) => {
    if (call.startsWith('PUT')) for (const one of claims) cluster.setLease(one, cluster.lease(one));
  };
  const { monitor, changes } = monitoring(cluster);
  await until(() => monitor.problems().length > 0 || monitor.up());
  expect([monitor.problems(), changes]).toEqual([[], []]);
});

test('a kind that is not served is no problem: nobody writes it', async () => {
  const { monitor } = monitoring(clusterOf([]));
  await until(() => monitor.up());
  expect(monitor.problems()).toEqual([]);
});

test('without the right to discover, a kind that is not served is no problem, either', async () => {
  const cluster = clusterOf([clusterClaim]);
  cluster.setLease(clusterClaim, undefined);
  cluster.before = failing('forbidden', (call) => /^GET \/apis\/[^/]+(\/[^/]+)?$/.test(call));
  const { monitor } = monitoring(cluster);
  await until(() => monitor.problems().length > 0);
  expect(monitor.problems()).toEqual([
    expect.stringContaining('the Lease muster-system/muster-cluster-claim does not'),
  ]);
});

test('credentials that are not accepted are one problem, with its fix', async () => {
  const cluster = clusterOf();
  cluster.before = failing('unauthorized', () => true);
  const { monitor } = monitoring(cluster);
  await until(() => monitor.problems().length > 0);
  expect(monitor.problems()).toEqual([expect.stringMatching(/does not know muster's credentials: renew those of/)]);
});

test('a bug is a problem, and ends nothing', async () => {
  const cluster = clusterOf();
  cluster.before = () => {
    throw new Error('a bug');
  };
  const { monitor } = monitoring(cluster);
  await until(() => monitor.problems().length > 0);
  expect(monitor.problems()).toEqual(['a bug in muster: Error: a bug']);
  cluster.before = () => {};
  await until(() => monitor.up());
});

test('checkSoon leads to an earlier check; after close there is none', async () => {
  const cluster = clusterOf();
  const { monitor } = monitoring(cluster, 3_600_000);
  await until(() => monitor.up());
  const calls = cluster.calls.length;
  monitor.checkSoon();
  monitor.checkSoon();
  await until(() => cluster.calls.length === 2 * calls);
  monitor.checkSoon();
  monitor.close();
  monitor.checkSoon();
  await sleep(30);
  expect(cluster.calls).toHaveLength(2 * calls);
});

test.each([
  [9, undefined],
  [30, 'seconds behind'],
  [-300, 'minutes ahead of'],
  [90_000, 'hours or more behind'],
])('an API server’s clock %d s from ours: %s', async (seconds, difference) => {
  const cluster = clusterOf();
  cluster.now += seconds * 1000;
  const { monitor, changes } = monitoring(cluster);
  if (difference === undefined) await until(() => monitor.up());
  else await until(() => cluster.calls.length > 60);
  const message = expect.stringContaining(`this machine's clock is ${difference} the API server's`);
  expect(changes).toEqual(difference === undefined ? [] : [[message]]);
});
