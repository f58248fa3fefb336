/** What is compared are the member ids of profiles with one name, in the namespaces of one API server. */
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/unique-name.ts';
import { inventory, profile, profileAlpha } from '../../../support/bases.ts';
import { testComparison } from '../../../support/compared.ts';
import { tweaked } from '../../../support/rule-tester.ts';

const LABEL = '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id';
const at = (namespace: string, memberId: Json | undefined, base = profile): JsonObject =>
  tweaked(base, { '/metadata/namespace': namespace, [LABEL]: memberId });
const named = (name: string, object: JsonObject) => tweaked(object, { '/metadata/name': name });
const two = { hub: [at('a', 'm-1'), at('b', 'm-2')] };

testComparison(rule, {
  options: { isAcross: false },
  related: false,
  line: (namespace) => `hub ClusterProfile ${namespace}/harbour-7k2: warn inventory/unique-name metadata.name`,
  findings: ['a', 'b'],
  reports: [
    ['different member ids', two],
    ['those of two versions', { hub: [at('a', 'm-1', profileAlpha), at('b', 'm-2')] }],
    [
      'all where one of three differs, another without an id not',
      { hub: [at('a', 'm-1'), at('b', 'm-1'), at('c', 'm-2'), at('d', undefined)] },
      ['a', 'b', 'c'],
    ],
    ['one that was not there before', { hub: [...two.hub, at('c', 'm-3')] }, ['c'], { before: two }],
  ],
  silent: [
    ['equal member ids', { hub: [at('a', 'm-1'), at('b', 'm-1')] }],
    ['no member ids', { hub: [at('a', undefined), at('b', undefined)] }],
    ['one without a member id', { hub: [at('a', 'm-1'), at('b', undefined)] }],
    ['one with an empty member id', { hub: [at('a', 'm-1'), at('b', '')] }],
    ['a member id that is no text', { hub: [at('a', 'm-1'), at('b', 7)] }],
    ['other names', { hub: [at('a', 'm-1'), named('b', at('b', 'm-2'))] }],
    ['other API servers', { hub: [at('a', 'm-1')], other: [at('b', 'm-2')] }, { isAcross: true }],
    ['an InventoryCluster', { hub: [at('a', 'm-1'), at('b', 'm-2', inventory)] }],
    ['what was there before', two, { before: two }],
  ],
  messages: [
    [
      'names the namespace, and no value of the other profile',
      two,
      [
        'the name "harbour-7k2" is that of another member cluster in the namespace b, for which consumers of both namespaces would take this one; rename one of the two, or correct the label multicluster.x-k8s.io/inventory-member-id',
        '  the profile with the same name and another member id',
        'the name "harbour-7k2" is that of another member cluster in the namespace a, for which consumers of both namespaces would take this one; rename one of the two, or correct the label multicluster.x-k8s.io/inventory-member-id',
        '  the profile with the same name and another member id',
      ],
    ],
  ],
});
