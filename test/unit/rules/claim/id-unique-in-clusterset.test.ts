/** What is compared are the claims of one API, in clusters that are members of one ClusterSet. */
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/claim/id-unique-in-clusterset.ts';
import { DYING, id, membership, ocm, property } from '../../../support/bases.ts';
import { messagesOf, testComparison } from '../../../support/compared.ts';
import { tweaked } from '../../../support/rule-tester.ts';

const valued = (object: JsonObject, value: string | number | null): JsonObject =>
  tweaked(object, { '/spec/value': value });
const { id: newer, olderId: older, membership: set } = property;
const east = [id, membership];
const two = { east, west: east };
/** In both clusters with the place in the other. */
const both = (a = 'ClusterClaim id.k8s.io', b = a) => [
  `east ${a}: deny ${rule.id} spec.value`,
  `  west ${b} spec.value`,
  `west ${b}: deny ${rule.id} spec.value`,
  `  east ${a} spec.value`,
];
const message = (cluster: string) =>
  `must be unique within the ClusterSet, got "north-1", which is the id of the cluster ${cluster} too; give one of ` +
  'them another id (a member leaves the ClusterSet first: delete clusterset.k8s.io)';

testComparison(rule, {
  findings: both(),
  reports: [
    ['one id', { west: [membership, id], east }],
    ['members that are being deleted', { east: [tweaked(id, DYING), tweaked(membership, DYING)], west: east }],
    [
      'an id under either name',
      { east: [newer, set], west: [older, set] },
      both('ClusterProperty cluster.clusterset.k8s.io', 'ClusterProperty id.k8s.io'),
    ],
    [
      'an id under both names, once, at the newer',
      { east: [older, newer, set], west: [older, newer, set] },
      both('ClusterProperty cluster.clusterset.k8s.io'),
    ],
    [
      'one of two ids of a cluster',
      { east: [newer, valued(older, 'south-1'), set], west: [valued(newer, 'south-1'), set] },
      both('ClusterProperty id.k8s.io', 'ClusterProperty cluster.clusterset.k8s.io'),
    ],
    ['an id that differed before', two, undefined, { before: { east: [valued(id, 'x'), membership], west: east } }],
    ['a cluster that was no member before', two, undefined, { before: { east, west: [id] } }],
    ['clusters that were not there before', two, undefined, { before: {} }],
    ['the claims of Open Cluster Management', { east: [ocm.id, ocm.membership], west: [ocm.membership, ocm.id] }],
  ],
  silent: [
    ['two ids', { east, west: [valued(id, 'south-1'), membership] }],
    ['two ClusterSets', { east, west: [id, valued(membership, 'red-fleet')] }],
    ['a cluster that is no member', { east, west: [id] }],
    ['two that are none', { east: [id], west: [id] }],
    ['two APIs', { east, west: [newer, set], north: [ocm.id, ocm.membership] }],
    ['the id of one API and the membership of another', { east, west: [id, set] }],
    ['one cluster with two names of its id', { east: [newer, older, set] }],
    ['an object in two files of one cluster', { east: [id, id, membership, membership] }],
    ['blank ClusterSets', { east: [id, valued(membership, ' ')], west: [id, valued(membership, ' ')] }],
    ['empty ids', { east: [valued(id, ''), membership], west: [valued(id, ''), membership] }],
    ['ids that are no text', { east: [valued(id, 7), membership], west: [valued(id, 7), membership] }],
    ['values that are missing', { east: [valued(id, null), membership], west: [valued(id, null), membership] }],
    ['what was there before', two, { before: two }],
    ['what more clusters had before', two, { before: { ...two, north: east } }],
    ['other claims', { east: [...east, property.custom], west: [membership, property.custom] }],
  ],
  messages: [
    [
      'names a cluster and no value of it',
      { east, west: east },
      ['west', 'east'].flatMap((cluster) => [message(cluster), '  the same id in the same ClusterSet']),
    ],
  ],
});

test('of many clusters with one id, each finding names eight', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `c${String(index).padStart(2, '0')}`);
  const messages = await messagesOf(Object.fromEntries(names.map((name) => [name, east])));
  expect(messages).toHaveLength(20 * 9);
  expect(messages[0]).toContain('the id of the cluster c01 (and 18 more) too');
});
