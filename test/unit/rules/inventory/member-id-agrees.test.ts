/** What is compared are the member ids of profiles with the members that their properties name, in one API server. */
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/member-id-agrees.ts';
import { profile } from '../../../support/bases.ts';
import { testComparison } from '../../../support/compared.ts';
import { tweaked } from '../../../support/rule-tester.ts';

const LABEL = '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id';
const SET = 'clusterset.k8s.io';
const ID = 'cluster.clusterset.k8s.io';
type Properties = readonly (readonly [string, Json])[];
const member = (id: string, set = 'blue'): Properties => [
  [SET, set],
  [ID, id],
];
const olderOnly: Properties = [
  [SET, 'blue'],
  ['id.k8s.io', 'x'],
];
const listing = (name: string, memberId: Json | undefined, properties: Properties, namespace = name): JsonObject =>
  tweaked(profile, {
    '/metadata/name': name,
    '/metadata/namespace': namespace,
    [LABEL]: memberId,
    '/status/properties': properties.map(([key, value]) => ({ name: key, value })),
  });
const X1 = listing('a', 'm-1', member('x'));
const across = { isAcross: true };

testComparison(rule, {
  options: { isAcross: false },
  related: false,
  line: (name) =>
    `hub ClusterProfile ${name}: warn ${rule.id} metadata.labels[multicluster.x-k8s.io/inventory-member-id]`,
  findings: ['a/a', 'b/b'],
  reports: [
    ['two ids for one member', { hub: [X1, listing('b', 'm-2', member('x'))] }],
    [
      'in one namespace, too',
      { hub: [listing('a', 'm-1', member('x'), 'n'), listing('b', 'm-2', member('x'), 'n')] },
      ['n/a', 'n/b'],
    ],
    ['by the older name of the id', { hub: [X1, listing('b', 'm-2', olderOnly)] }],
    ['one id for two members', { hub: [X1, listing('b', 'm-1', member('y'))] }],
    [
      'each once, though both are wrong of it',
      { hub: [X1, listing('b', 'm-2', member('x')), listing('c', 'm-1', member('y'))] },
      ['a/a', 'b/b', 'c/c'],
    ],
    [
      'the one that differs of three, and those that it differs from',
      { hub: [X1, listing('b', 'm-1', member('x')), listing('c', 'm-2', member('x'))] },
      ['a/a', 'b/b', 'c/c'],
    ],
    [
      'one id for two members, one of which has two profiles and is listed by both names of its id in one of them',
      {
        hub: [X1, listing('b', 'm-1', [...member('x'), ['id.k8s.io', 'x']]), listing('c', 'm-1', member('y'))],
      },
      ['a/a', 'b/b', 'c/c'],
    ],
  ],
  silent: [
    ['one id for one member', { hub: [X1, listing('b', 'm-1', member('x'))] }],
    ['two ids for two members', { hub: [X1, listing('b', 'm-2', member('y'))] }],
    ['one without an id', { hub: [listing('a', undefined, member('x')), listing('b', 'm-1', member('x'))] }],
    ['one with an empty id', { hub: [listing('a', '', member('x')), listing('b', 'm-1', member('x'))] }],
    ['one without properties', { hub: [X1, listing('b', 'm-1', [])] }],
    ['one without a ClusterSet', { hub: [listing('a', 'm-1', [[ID, 'x']]), listing('b', 'm-2', [[ID, 'x']])] }],
    ['one id in two ClusterSets', { hub: [X1, listing('b', 'm-2', member('x', 'red'))] }],
    [
      'a member that is listed by both names of its id',
      { hub: [listing('a', 'm-1', [...member('x'), ['id.k8s.io', 'y']]), listing('b', 'm-1', member('y'))] },
    ],
    ['two API servers', { hub: [X1], other: [listing('b', 'm-2', member('x'))] }, across],
  ],
  messages: [
    [
      'names the other profile of the same member, and none of its values',
      { hub: [X1, listing('b', 'm-2', member('x'))] },
      [
        'should be that of "b" in the namespace b, whose properties name the same member cluster, got "m-1"; give both the same id, or correct the properties',
        '  the other profile',
        'should be that of "a" in the namespace a, whose properties name the same member cluster, got "m-2"; give both the same id, or correct the properties',
        '  the other profile',
      ],
    ],
    [
      'names the other profile with the same id, and none of its values',
      { hub: [X1, listing('b', 'm-1', member('y'))] },
      [
        'should differ from that of "b" in the namespace b, whose properties name another member cluster, got "m-1"; give each cluster an id of its own, or correct the properties',
        '  the other profile',
        'should differ from that of "a" in the namespace a, whose properties name another member cluster, got "m-1"; give each cluster an id of its own, or correct the properties',
        '  the other profile',
      ],
    ],
  ],
});
