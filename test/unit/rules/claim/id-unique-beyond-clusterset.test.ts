/** Members of different ClusterSets with one id. */
import { expect } from '@jest/globals';
import { rule } from '../../../../src/rules/claim/id-unique-beyond-clusterset.ts';
import { id, membership, ocm, property } from '../../../support/bases.ts';
import { testComparison } from '../../../support/compared.ts';
import { tweaked } from '../../../support/rule-tester.ts';

const member = (value = 'north-1', set = 'blue') => [
  tweaked(id, { '/spec/value': value }),
  tweaked(membership, { '/spec/value': set }),
];
const inRed = { '/spec/value': 'red' };
const others = (cluster: string) =>
  `should be unique beyond the ClusterSet, got "a", which is also the id of the cluster ${cluster} (and 9 more) of ` +
  'another ClusterSet; give one of them another id';

testComparison(rule, {
  related: false,
  line: (claim) => `${claim}: warn ${rule.id} spec.value`,
  findings: ['east ClusterClaim id.k8s.io', 'west ClusterClaim id.k8s.io'],
  reports: [
    ['two ClusterSets', { east: member(), west: member('north-1', 'red') }],
    [
      'each of three, two of which share a ClusterSet',
      { east: member(), north: member(), west: member('north-1', 'red') },
      ['east', 'north', 'west'].map((cluster) => `${cluster} ClusterClaim id.k8s.io`),
    ],
    [
      'ids of ClusterProperty',
      { east: [property.id, property.membership], west: [property.id, tweaked(property.membership, inRed)] },
      ['east', 'west'].map((cluster) => `${cluster} ClusterProperty cluster.clusterset.k8s.io`),
    ],
  ],
  silent: [
    ['different ids', { east: member('a'), west: member('b', 'red') }],
    ['one ClusterSet, of which another rule denies it', { east: member(), west: member() }],
    ['a cluster in no ClusterSet', { east: member(), west: [id] }],
    ['a ClusterSet without a name', { east: member(), west: member('north-1', ' ') }],
    ['claims of two APIs', { east: member(), west: [ocm.id, tweaked(ocm.membership, inRed)] }],
  ],
  messages: [
    [
      'the others, and how many more there are',
      Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`c${index}`, member('a', `s${index}`)])),
      Array.from({ length: 11 }, (_, index) => [
        index === 0 ? others('c1') : expect.stringContaining('got "a"'),
        ...Array.from({ length: 8 }, () => '  the same id in another ClusterSet'),
      ]).flat(),
    ],
  ],
});
