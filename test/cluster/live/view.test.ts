import { describe, expect, test } from '@jest/globals';
import {
  clusterClaim,
  clusterProfile,
  clusterProperty,
  dialectOf,
  dialects,
  inventoryCluster,
} from '../../../src/api/dialects.ts';
import type { ClusterErrorCode } from '../../../src/cluster/live/errors.ts';
import { createLiveView, type LiveViewOptions } from '../../../src/cluster/live/view.ts';
import type { JsonObject } from '../../../src/rules/rule.ts';
import { describeGets } from '../cluster-view.contract.ts';
import { ID, MEMBERSHIP } from '../locks/writes.ts';
import { createMemoryCluster, failing, type MemoryCluster } from '../memory-cluster.ts';

function viewOf(cluster: MemoryCluster, over: Partial<LiveViewOptions> = {}) {
  const outcomes: string[] = [];
  const observer = { read: (outcome: string) => void outcomes.push(outcome), intent: () => {} };
  const patience = { at: Date.now() + 5000, signal: new AbortController().signal };
  return { view: createLiveView({ client: cluster.client, observer, ...patience, ...over }), outcomes };
}

describeGets((objects) => {
  const cluster = createMemoryCluster();
  for (const { apiVersion, kind, metadata, spec } of objects) {
    const dialect = dialectOf(String(apiVersion).split('/')[0] ?? '', String(kind)) ?? clusterClaim;
    cluster.put(dialect, String((metadata as JsonObject)['name']), String((spec as JsonObject)['value']));
  }
  return viewOf(cluster).view;
});

describe('what is read', () => {
  test('each object once, without a resourceVersion, in the version that is asked for', async () => {
    const cluster = createMemoryCluster();
    const { view } = viewOf(cluster, { version: () => 'v1alpha1' });
    const reference = { dialect: clusterProperty, name: MEMBERSHIP };
    await Promise.all([view.get(reference), view.get(reference), viewOf(cluster).view.get(reference)]);
    expect(cluster.calls).toEqual([
      'GET /apis/about.k8s.io/v1alpha1/clusterproperties/clusterset.k8s.io',
      'GET /apis/about.k8s.io/v1/clusterproperties/clusterset.k8s.io',
    ]);
  });

  test('a version that someone made up can’t leave its place in the path', async () => {
    const cluster = createMemoryCluster();
    const { view } = viewOf(cluster, { version: () => '../../api/v1/secrets?' });
    expect(await view.get({ dialect: clusterClaim, name: ID })).toMatchObject({ known: false });
    expect(cluster.calls).toEqual([
      'GET /apis/multicluster.x-k8s.io/..%2F..%2Fapi%2Fv1%2Fsecrets%3F/clusterclaims/id.k8s.io',
    ]);
  });

  test('nothing but the claims that hold an id or a membership', async () => {
    const cluster = createMemoryCluster();
    const { view } = viewOf(cluster);
    for (const name of ['zone.example.com', 'constructor', '__proto__', '', 'cluster.clusterset.k8s.io']) {
      expect(await view.get({ dialect: clusterClaim, name })).toMatchObject({ known: false });
    }
    for (const dialect of [inventoryCluster, clusterProfile]) {
      expect(await view.get({ dialect, name: ID })).toMatchObject({ known: false });
    }
    for (const dialect of dialects) {
      expect(await view.list(dialect)).toEqual({ known: false, reason: expect.stringContaining('by scan') });
    }
    expect(cluster.calls).toEqual([]);
  });
});

describe('what can’t be told says why', () => {
  const reads = (call: string) => call.startsWith('GET');

  test('a kind without its CRD', async () => {
    const { view, outcomes } = viewOf(createMemoryCluster([clusterProperty]));
    const answer = await view.get({ dialect: clusterClaim, name: ID });
    const reason = 'the API server does not serve clusterclaims "id.k8s.io" (multicluster.x-k8s.io): install its CRD';
    expect(answer).toEqual({ known: false, reason });
    expect(outcomes).toEqual(['no-kind']);
  });

  test.each<[ClusterErrorCode, RegExp, number]>([
    ['forbidden', /^muster may not get clusterclaims "id\.k8s\.io" .*: apply its RBAC/, 1],
    ['unauthorized', /does not know muster's credentials/, 1],
    ['timeout', /can't be read: GET .*as the test has it/, 1],
    ['no-access', /can't be read/, 1],
    ['unreachable', /can't be read/, 2],
    ['unavailable', /can't be read/, 2],
    ['unreadable', /can't be read/, 2],
  ])('%s', async (code, reason, calls) => {
    const cluster = createMemoryCluster();
    cluster.before = failing(code, reads);
    const { view, outcomes } = viewOf(cluster);
    expect(await view.get({ dialect: clusterClaim, name: ID })).toEqual({
      known: false,
      reason: expect.stringMatching(reason),
    });
    expect(outcomes).toEqual([code]);
    expect(cluster.calls).toHaveLength(calls);
  });

  test('a read that broke is repeated once, and not when there is no time', async () => {
    const cluster = createMemoryCluster();
    let failures = 1;
    cluster.before = failing('unavailable', () => failures-- > 0);
    expect(await viewOf(cluster).view.get({ dialect: clusterClaim, name: ID })).toMatchObject({ known: true });
    failures = 1;
    const { view } = viewOf(cluster, { at: Date.now() + 20 });
    expect(await view.get({ dialect: clusterClaim, name: ID })).toMatchObject({ known: false });
  });
});
