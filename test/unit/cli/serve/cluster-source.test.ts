/** What the server reports of a live cluster, with an API server that serves no kinds and refuses the Leases. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findClusterSource, type OpenedCluster } from '../../../../src/cli/serve/cluster-source.ts';
import { readOutcomes } from '../../../../src/cluster/live/live-view.ts';
import { lockOutcomes } from '../../../../src/cluster/locks/identity-write.ts';
import { createEngine, defaultPolicy } from '../../../../src/engine/index.ts';
import { createLog } from '../../../../src/server/log/log.ts';
import { createMetrics } from '../../../../src/server/ops/metrics.ts';
import { type ApiStub, json, startApiStub } from '../../../support/api-stub.ts';
import { newFolder } from '../../../support/folder.ts';
import { createMemoryCluster } from '../../../support/memory-cluster.ts';
import { until } from '../../../support/until.ts';
import { inFiveSeconds } from '../../cluster/locks/replica.ts';
import { change, ID } from '../../cluster/locks/writes.ts';

const folder = newFolder();
let stub: ApiStub;
let cluster: OpenedCluster;
const metrics = () => createMetrics({ version: '1', policy: () => defaultPolicy, process: false });
let counts: ReturnType<typeof metrics>;

beforeEach(async () => {
  stub = await startApiStub(folder.path);
  stub.answer = ({ url = '' }, response) => {
    const name = url.split('/').at(-1);
    if (url.includes('/clusterclaims/')) json(response, 404, { kind: 'Status', details: { name } });
    else json(response, url.includes('/leases/') ? 403 : 404, {});
  };
  const flags = { kubeconfig: stub.kubeconfig, port: 0, opsPort: 0, certDir: folder.path, drainSeconds: 0 };
  const source = await findClusterSource({ ...flags, logLevel: 'silent' });
  counts = metrics();
  cluster = source.open({ log: createLog('silent', { write() {} }), metrics: counts, onError: () => {} });
});
afterEach(async () => {
  cluster.close();
  await stub.close();
});

test('each outcome of a read and of a lock is counted from zero on, as alerts need it', async () => {
  const { text } = await counts.text();
  const zeros = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}\\{outcome="(.*)"\\} 0$`, 'gm'))].map((at) => at[1]);
  expect(zeros('muster_cluster_reads_total')).toEqual(readOutcomes);
  expect(zeros('muster_locks_total')).toEqual(lockOutcomes);
});

test('a lock that can not be acquired leads to a check of the cluster within seconds, not a minute', async () => {
  await until(() => cluster.up());
  const checks = () => stub.requests.filter(({ url }) => url === '/apis/multicluster.x-k8s.io').length;
  const before = checks();
  const stored = { metadata: { name: ID, uid: 'u', resourceVersion: '1' }, spec: { value: 'one' } };
  const write = change(createMemoryCluster(), ID, 'two', {}, stored);
  const engine = createEngine({ point: 'webhook', live: true });
  const verdict = await cluster.clusterState.evaluate(write, engine, inFiveSeconds());
  expect(verdict.indeterminate[0]?.message).toContain('may not get the Lease fleet/muster-cluster-claim');
  await until(() => checks() > before);
});
