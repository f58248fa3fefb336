/** What is compared are the member ids of profiles with the members that their properties name, in one API server. */
import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { profile } from '../../../support/bases.ts';
import { type Clusters, conflictsIn, messagesOf } from '../../../support/compared.ts';
import { tweaked } from '../../../support/rule-tester.ts';

const LABEL = '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id';
const SET = 'clusterset.k8s.io';
const ID = 'cluster.clusterset.k8s.io';
type Properties = readonly (readonly [string, Json])[];
const member = (id: string, set = 'blue'): Properties => [
  [SET, set],
  [ID, id],
];
const listing = (name: string, memberId: Json | undefined, properties: Properties, namespace = name): JsonObject =>
  tweaked(profile, {
    '/metadata/name': name,
    '/metadata/namespace': namespace,
    [LABEL]: memberId,
    '/status/properties': properties.map(([key, value]) => ({ name: key, value })),
  });
const found = async (clusters: Clusters, options = {}) =>
  (await conflictsIn(clusters, { isAcross: false, ...options }))
    .filter((line) => line.includes('inventory/member-id-agrees'))
    .map((line) => line.split(':')[0]?.replace('hub ClusterProfile ', ''));

describe('allows', () => {
  test.each<[string, Clusters]>([
    ['one id for one member', { hub: [listing('a', 'm-1', member('x')), listing('b', 'm-1', member('x'))] }],
    ['two ids for two members', { hub: [listing('a', 'm-1', member('x')), listing('b', 'm-2', member('y'))] }],
    ['one without an id', { hub: [listing('a', undefined, member('x')), listing('b', 'm-1', member('x'))] }],
    ['one with an empty id', { hub: [listing('a', '', member('x')), listing('b', 'm-1', member('x'))] }],
    ['one without properties', { hub: [listing('a', 'm-1', member('x')), listing('b', 'm-1', [])] }],
    ['one without a ClusterSet', { hub: [listing('a', 'm-1', [[ID, 'x']]), listing('b', 'm-2', [[ID, 'x']])] }],
    ['one id in two ClusterSets', { hub: [listing('a', 'm-1', member('x')), listing('b', 'm-2', member('x', 'red'))] }],
    [
      'a member that is listed by both names of its id',
      { hub: [listing('a', 'm-1', [...member('x'), ['id.k8s.io', 'y']]), listing('b', 'm-1', member('y'))] },
    ],
    ['two API servers', { hub: [listing('a', 'm-1', member('x'))], other: [listing('b', 'm-2', member('x'))] }],
  ])('%s', async (_, clusters) => expect(await found(clusters, { isAcross: true })).toEqual([]));
});

describe.each(['check', 'scan'] as const)('reports at %s', (point) => {
  test.each<[string, readonly JsonObject[], readonly string[]]>([
    ['two ids for one member', [listing('a', 'm-1', member('x')), listing('b', 'm-2', member('x'))], ['a/a', 'b/b']],
    [
      'in one namespace, too',
      [listing('a', 'm-1', member('x'), 'n'), listing('b', 'm-2', member('x'), 'n')],
      ['n/a', 'n/b'],
    ],
    [
      'by the older name of the id',
      [
        listing('a', 'm-1', member('x')),
        listing('b', 'm-2', [
          [SET, 'blue'],
          ['id.k8s.io', 'x'],
        ]),
      ],
      ['a/a', 'b/b'],
    ],
    ['one id for two members', [listing('a', 'm-1', member('x')), listing('b', 'm-1', member('y'))], ['a/a', 'b/b']],
    [
      'each once, though both are wrong of it',
      [listing('a', 'm-1', member('x')), listing('b', 'm-2', member('x')), listing('c', 'm-1', member('y'))],
      ['a/a', 'b/b', 'c/c'],
    ],
    [
      'the one that differs of three, and those that it differs from',
      [listing('a', 'm-1', member('x')), listing('b', 'm-1', member('x')), listing('c', 'm-2', member('x'))],
      ['a/a', 'b/b', 'c/c'],
    ],
  ])('%s', async (_, hub, expected) => {
    expect((await found({ hub }, { point })).sort()).toEqual(expected);
  });
});

test('names the other profile, and none of its values', async () => {
  expect(await messagesOf({ hub: [listing('a', 'm-1', member('x')), listing('b', 'm-2', member('x'))] })).toEqual([
    'should be that of "b" in the namespace b, whose properties name the same member cluster, got "m-1"; give both the same id, or correct the properties',
    '  the other profile',
    'should be that of "a" in the namespace a, whose properties name the same member cluster, got "m-2"; give both the same id, or correct the properties',
    '  the other profile',
  ]);
  expect(await messagesOf({ hub: [listing('a', 'm-1', member('x')), listing('b', 'm-1', member('y'))] })).toEqual([
    'should differ from that of "b" in the namespace b, whose properties name another member cluster, got "m-1"; give each cluster an id of its own, or correct the properties',
    '  the other profile',
    'should differ from that of "a" in the namespace a, whose properties name another member cluster, got "m-1"; give each cluster an id of its own, or correct the properties',
    '  the other profile',
  ]);
});
