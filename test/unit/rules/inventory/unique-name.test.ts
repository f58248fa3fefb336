/** What is compared are the member ids of profiles with one name, in the namespaces of one API server. */
import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { inventory, profile, profileAlpha } from '../../../support/bases.ts';
import { type Clusters, conflictsIn, messagesOf } from '../../../support/compared.ts';
import { tweaked } from '../../../support/rule-tester.ts';

const LABEL = '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id';
const at = (namespace: string, memberId: Json | undefined, base = profile): JsonObject =>
  tweaked(base, { '/metadata/namespace': namespace, [LABEL]: memberId });
const named = (name: string, object: JsonObject) => tweaked(object, { '/metadata/name': name });
const found = async (clusters: Clusters, options = {}) =>
  (await conflictsIn(clusters, options)).filter((line) => !line.startsWith(' '));
const FINDING = 'warn inventory/unique-name metadata.name';
const both = [`hub ClusterProfile a/harbour-7k2: ${FINDING}`, `hub ClusterProfile b/harbour-7k2: ${FINDING}`];

describe('allows', () => {
  test.each<[string, Clusters]>([
    ['equal member ids', { hub: [at('a', 'm-1'), at('b', 'm-1')] }],
    ['no member ids', { hub: [at('a', undefined), at('b', undefined)] }],
    ['one without a member id', { hub: [at('a', 'm-1'), at('b', undefined)] }],
    ['one with an empty member id', { hub: [at('a', 'm-1'), at('b', '')] }],
    ['a member id that is no text', { hub: [at('a', 'm-1'), at('b', 7)] }],
    ['other names', { hub: [at('a', 'm-1'), named('b', at('b', 'm-2'))] }],
    ['other API servers', { hub: [at('a', 'm-1')], other: [at('b', 'm-2')] }],
    ['an InventoryCluster', { hub: [at('a', 'm-1'), at('b', 'm-2', inventory)] }],
  ])('%s', async (_, clusters) => expect(await found(clusters)).toEqual([]));
});

describe.each(['check', 'scan'] as const)('reports at %s', (point) => {
  test.each<[string, Clusters, readonly string[]]>([
    ['different member ids', { hub: [at('a', 'm-1'), at('b', 'm-2')] }, both],
    ['those of two versions', { hub: [at('a', 'm-1', profileAlpha), at('b', 'm-2')] }, both],
    [
      'all where one of three differs, another without an id not',
      { hub: [at('a', 'm-1'), at('b', 'm-1'), at('c', 'm-2'), at('d', undefined)] },
      [...both, `hub ClusterProfile c/harbour-7k2: ${FINDING}`],
    ],
  ])('%s', async (_, clusters, expected) => {
    expect(await found(clusters, { point, isAcross: false })).toEqual(expected);
  });

  test('what is new, against what was there before', async () => {
    const before = { hub: [at('a', 'm-1'), at('b', 'm-2')] };
    const options = { point, isAcross: false, before };
    expect(await found(before, options)).toEqual([]);
    const added = `hub ClusterProfile c/harbour-7k2: ${FINDING}`;
    expect(await found({ hub: [...before.hub, at('c', 'm-3')] }, options)).toEqual([added]);
  });
});

test('names the namespace, and no value of the other profile', async () => {
  expect(await messagesOf({ hub: [at('a', 'm-1'), at('b', 'm-2')] })).toEqual([
    'the name "harbour-7k2" is that of another member cluster in the namespace b, for which consumers of both namespaces would take this one; rename one of the two, or correct the label multicluster.x-k8s.io/inventory-member-id',
    '  the profile with the same name and another member id',
    'the name "harbour-7k2" is that of another member cluster in the namespace a, for which consumers of both namespaces would take this one; rename one of the two, or correct the label multicluster.x-k8s.io/inventory-member-id',
    '  the profile with the same name and another member id',
  ]);
});
