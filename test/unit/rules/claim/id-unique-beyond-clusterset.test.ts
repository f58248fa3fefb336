/** Members of different ClusterSets with one id. */
import { describe, expect, test } from '@jest/globals';
import { id, membership, ocm, property } from '../../../support/bases.ts';
import { type Clusters, conflictsIn, messagesOf } from '../../../support/compared.ts';
import { tweaked } from '../../../support/rule-tester.ts';

const RULE = 'claim/id-unique-beyond-clusterset';
const member = (value = 'north-1', set = 'blue') => [
  tweaked(id, { '/spec/value': value }),
  tweaked(membership, { '/spec/value': set }),
];
const found = async (clusters: Clusters) =>
  (await conflictsIn(clusters)).filter((line) => line.includes(RULE)).map((line) => line.split(' ')[0]);

describe('allows', () => {
  test.each<[string, Clusters]>([
    ['different ids', { east: member('a'), west: member('b', 'red') }],
    ['one ClusterSet, of which another rule denies it', { east: member(), west: member() }],
    ['a cluster in no ClusterSet', { east: member(), west: [id] }],
    ['a ClusterSet without a name', { east: member(), west: member('north-1', ' ') }],
    ['claims of two APIs', { east: member(), west: [ocm.id, tweaked(ocm.membership, { '/spec/value': 'red' })] }],
  ])('%s', async (_, clusters) => expect(await found(clusters)).toEqual([]));
});

describe('reports', () => {
  test.each<[string, Clusters, readonly string[]]>([
    ['two ClusterSets', { east: member(), west: member('north-1', 'red') }, ['east', 'west']],
    [
      'each of three, two of which share a ClusterSet',
      { east: member(), north: member(), west: member('north-1', 'red') },
      ['east', 'north', 'west'],
    ],
    [
      'ids of ClusterProperty',
      {
        east: [property.id, property.membership],
        west: [property.id, tweaked(property.membership, { '/spec/value': 'red' })],
      },
      ['east', 'west'],
    ],
  ])('%s', async (_, clusters, expected) => expect(await found(clusters)).toEqual(expected));

  test('the others, and how many more there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`c${index}`, member('a', `s${index}`)]));
    const [first, ...related] = await messagesOf(many);
    expect(first).toBe(
      'should be unique beyond the ClusterSet, got "a", which is also the id of the cluster c1 (and 9 more) of another ClusterSet; give one of them another id',
    );
    expect(related.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => '  the same id in another ClusterSet'));
    expect(related[8]).toContain('got "a"');
  });
});
