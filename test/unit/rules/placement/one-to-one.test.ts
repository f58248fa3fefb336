import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/placement/one-to-one.ts';
import { decisionsOf, placement } from '../../../support/bases.ts';
import { conflictsIn, messagesOf } from '../../../support/compared.ts';
import { finds, testRule, tweaked } from '../../../support/rule-tester.ts';

const names = (...references: readonly string[]) => ({ '/decisions': decisionsOf(...references) });
const twice = (index: number, value = 'fleet-a/a') =>
  finds(
    `decisions[${index}].clusterProfileRef.name`,
    `names the ClusterProfile "${value}" a second time; a decision lists each cluster once: remove one of the entries`,
  );

testRule(rule, placement, {
  allow: [
    { name: 'no decision', set: { '/decisions': [] } },
    { name: 'no list', set: { '/decisions': undefined } },
    { name: 'one name in two namespaces', set: names('a', 'fleet-b/a') },
    { name: 'a name that is a namespace elsewhere', set: names('x/y', 'y/x') },
    { name: 'names that differ in case', set: names('a', 'A') },
    { name: 'entries without a name', set: { '/decisions': [{}, {}, { clusterProfileRef: { name: '' } }, null] } },
    {
      name: 'namespaces that are no text',
      set: { '/decisions': [5, 5].map((namespace) => ({ clusterProfileRef: { name: 'a', namespace } })) },
    },
    { name: 'what is stored', old: names('a', 'a'), set: { '/schedulerName': 'late' } },
    { name: 'what is stored, in another order', old: names('a', 'a', 'b'), set: names('b', 'a', 'fleet-a/a') },
    { name: 'fewer than are stored', old: names('a', 'a', 'a'), set: names('a', 'a') },
    { name: 'a deletion', operation: 'DELETE', old: names('a', 'a') },
  ],
  deny: [
    { name: 'one twice', set: names('a', 'b', 'a'), ...twice(2) },
    { name: 'the own namespace, written out', set: names('fleet-a/a', 'a'), ...twice(1) },
    {
      name: 'the own namespace as null and as an empty text',
      set: {
        '/decisions': ([null, ''] as Json[]).map((namespace) => ({ clusterProfileRef: { name: 'a', namespace } })),
      },
      ...twice(1),
    },
    { name: 'another one', old: names('a', 'a'), set: names('b', 'b'), ...twice(1, 'fleet-a/b') },
    { name: 'one more than is stored', old: names('a', 'a', 'b'), set: names('a', 'b', 'a', 'a'), ...twice(3) },
    {
      name: 'three times',
      set: names('a', 'a', 'a'),
      findings: [...twice(1).findings, ...twice(2).findings],
    },
    { name: 'a name of every object', set: names('constructor', 'constructor'), ...twice(1, 'fleet-a/constructor') },
  ],
});

describe('among the slices of a decision', () => {
  // Scan would also find that the profiles do not exist.
  const AT_CHECK = { point: 'check' } as const;
  const slice = (name: string, key: string | undefined, ...references: readonly string[]) =>
    tweaked(placement, {
      '/metadata/name': name,
      '/metadata/labels': key === undefined ? undefined : { 'multicluster.x-k8s.io/decision-key': key },
      ...names(...references),
    });
  const first = slice('s-0', 'k', 'x', 'a');
  const second = slice('s-1', 'k', 'fleet-a/a', 'y');
  const both = [
    'hub PlacementDecision fleet-a/s-0: deny placement/one-to-one decisions.1.clusterProfileRef.name',
    '  hub PlacementDecision fleet-a/s-1 decisions.0.clusterProfileRef.name',
    'hub PlacementDecision fleet-a/s-1: deny placement/one-to-one decisions.0.clusterProfileRef.name',
    '  hub PlacementDecision fleet-a/s-0 decisions.1.clusterProfileRef.name',
  ].map((line) => (line.startsWith(' ') ? line : line.replace(/decisions\.(\d)/, 'decisions[$1]')));

  test('a profile of two slices is one too many, in whatever order they come', async () => {
    expect(await conflictsIn({ hub: [first, second] }, AT_CHECK)).toEqual(both);
    expect((await conflictsIn({ hub: [second, first] }, AT_CHECK)).toSorted()).toEqual(both.toSorted());
    expect((await messagesOf({ hub: [first, second] })).filter((message) => !/not exist/.test(message))).toEqual([
      'names the ClusterProfile "fleet-a/a", as the slice "s-1" of the same decision key does; a decision lists each cluster once: remove one of the entries',
      '  the same ClusterProfile in the same decision',
      'names the ClusterProfile "fleet-a/a", as the slice "s-0" of the same decision key does; a decision lists each cluster once: remove one of the entries',
      '  the same ClusterProfile in the same decision',
    ]);
  });

  test.each([
    ['of another key', [first, slice('s-1', 'other', 'a')]],
    ['without a key', [slice('s-0', undefined, 'a'), slice('s-1', undefined, 'a')]],
    ['with an empty key', [slice('s-0', '', 'a'), slice('s-1', '', 'a')]],
    ['in another namespace', [first, tweaked(second, { '/metadata/namespace': 'fleet-b' })]],
    ['of other profiles', [first, slice('s-1', 'k', 'b')]],
    ['one object that names it twice, which is reported by itself', [slice('s-0', 'k', 'a', 'a')]],
  ])('nothing: %s', async (_, objects) => {
    expect(await conflictsIn({ hub: objects }, AT_CHECK)).toEqual([]);
  });

  test('the slices of two clusters are two decisions', async () => {
    expect(await conflictsIn({ east: [first], west: [second] }, AT_CHECK)).toEqual([]);
  });

  test('what was there before is no finding', async () => {
    expect(await conflictsIn({ hub: [first, second] }, { ...AT_CHECK, before: { hub: [second, first] } })).toEqual([]);
  });
});
