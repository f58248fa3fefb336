/** An API server that takes a call and never answers: how much of the time of a request its calls may take. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clusterProfile } from '../../../src/api/dialects.ts';
import { type ApiClient, openCluster } from '../../../src/cluster/live/client.ts';
import { ClusterError } from '../../../src/cluster/live/errors.ts';
import { createLiveClusterState } from '../../../src/cluster/live-cluster-state.ts';
import { createEngine, defaultPolicy, type Policy } from '../../../src/engine/index.ts';
import type { Subject } from '../../../src/rules/rule.ts';
import { type ApiStub, json, startApiStub } from '../../support/api-stub.ts';
import { decisionsOf, placement } from '../../support/bases.ts';
import { newFolder } from '../../support/folder.ts';
import type { MemoryCluster } from '../../support/memory-cluster.ts';
import { bytesOf, decideBytes, reviewWith } from '../../support/reviews.ts';
import { createReplica } from './locks/replica.ts';
import { change, creation, deletion, ID, MEMBERSHIP } from './locks/writes.ts';

const leave = (cluster: MemoryCluster) =>
  deletion(cluster, MEMBERSHIP, {}, { metadata: { name: MEMBERSHIP, uid: 'u' } });
const toTwo = (cluster: MemoryCluster) => change(cluster, ID, 'two');

/** Milliseconds of the request, and the most of one call; a tenth of the request is left for the answer. */
test.each<[string, (cluster: MemoryCluster) => Subject, string, number, number, Partial<Policy>?]>([
  ['what the object alone denies', (cluster) => change(cluster, ID, 'Not_A_Label'), 'denied', 60_000, 500],
  ['a change', toTwo, 'indeterminate', 1000, 900],
  ['a join', () => creation(MEMBERSHIP, 'fleet'), 'indeterminate', 1000, 900],
  ['a change in mode warn', toTwo, 'allowed', 1000, 900, { mode: 'warn' }],
  ['leaving', leave, 'allowed', 1000, 900],
  ['leaving, with much time', leave, 'allowed', 30_000, 3000],
])('%s is decided in time: %s', async (_, write, expected, budget, most, policy = {}) => {
  const { cluster, evaluate } = createReplica(policy);
  const subject = write(cluster);
  const limits: number[] = [];
  cluster.before = (call, { timeoutMs = 10_000 }) => {
    limits.push(timeoutMs);
    throw new ClusterError('timeout', `${call}: no answer in time`);
  };
  const { outcome, indeterminate } = await evaluate(subject, { at: Date.now() + budget });
  expect(outcome).toBe(expected);
  if (expected === 'indeterminate') expect(JSON.stringify(indeterminate)).toContain('no answer in time');
  expect(Math.max(...limits)).toBeLessThanOrEqual(most);
});

let stub: ApiStub;
let client: ApiClient;
const folder = newFolder();
beforeAll(async () => {
  stub = await startApiStub(folder.path);
  client = await openCluster({ kubeconfig: stub.kubeconfig });
});
afterAll(async () => {
  client.close();
  await stub.close();
});

/** A review of a decision with a hundred references, each of which is read. */
const review = () => {
  const kind = { group: 'multicluster.x-k8s.io', version: 'v1alpha1', kind: 'PlacementDecision' };
  const resource = { group: kind.group, version: kind.version, resource: 'placementdecisions' };
  const names = Array.from({ length: 100 }, (_, nth) => `profile-${nth}`);
  const object = { ...placement, decisions: decisionsOf(...names) };
  return bytesOf(reviewWith({ kind, requestKind: kind, resource, name: 'crane-0', namespace: 'fleet-a', object }));
};

test.each([
  ['none of its calls', 1, () => false],
  ['the calls that find the version', 66, (url: string) => !url.includes('/namespaces/')],
])('a process that stood still until the end of the request decides: the API server answers %s', async (...given) => {
  const [, calls, answers] = given;
  const version = clusterProfile.versions[0];
  const versions = [{ groupVersion: `${clusterProfile.group}/${version}`, version }];
  stub.answer = ({ url = '' }, response) => answers(url) && json(response, 200, { versions, resources: [] });
  const before = stub.requests.length;
  const engine = createEngine({ policy: defaultPolicy, point: 'webhook', live: true });
  const options = { current: { engine }, clusterState: createLiveClusterState({ client }) };
  const end = performance.now() + 2500;
  const deciding = decideBytes(options, review(), 'validate', 2000);
  while (stub.requests.length < before + calls && performance.now() < end) await sleep(10);
  while (performance.now() < end);
  expect((await deciding).outcome).toBe('allowed');
});

test('a read finds that a version is not served any more, and the request reads in another', async () => {
  const group = `/apis/${clusterProfile.group}`;
  let served = '';
  stub.answer = ({ url = '' }, response) => {
    const versions = [{ groupVersion: `${clusterProfile.group}/${served}`, version: served }];
    const name = url.startsWith(`${group}/${served}/namespaces/`) ? url.split('/').at(-1) : undefined;
    if (url === group) return json(response, 200, { kind: 'APIGroup', versions });
    if (url === `${group}/${served}`) return json(response, 200, { resources: [{ name: clusterProfile.plural }] });
    return json(response, 404, { kind: 'Status', details: { name } });
  };
  const policy = { ...defaultPolicy, actions: new Map([['placement/profile-exists', { webhook: 'deny' }]] as const) };
  const engine = createEngine({ policy, point: 'webhook', live: true });
  const options = { current: { engine }, clusterState: createLiveClusterState({ client }) };
  const seen: unknown[] = [];
  for (served of ['v1alpha2', 'v1alpha2', 'v1alpha1', 'v1alpha1']) {
    const before = stub.requests.length;
    const { outcome } = await decideBytes(options, review(), 'validate', 5000);
    const discoveries = stub.requests.slice(before).filter(({ url }) => url === group).length;
    seen.push([served, outcome, discoveries]);
  }
  // The profiles do not exist: denied, where a version that is not served would leave them unknown.
  expect(seen).toEqual([
    ['v1alpha2', 'denied', 1],
    ['v1alpha2', 'denied', 0],
    ['v1alpha1', 'denied', 1],
    ['v1alpha1', 'denied', 0],
  ]);
});
