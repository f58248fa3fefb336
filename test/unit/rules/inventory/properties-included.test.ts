/** What is compared are the properties of profiles with the ClusterProperties of the clusters that they stand for. */
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { custom, inventory, ocm, profile, property } from '../../../support/bases.ts';
import { type Clusters, conflictsIn, messagesOf } from '../../../support/compared.ts';
import { tweaked } from '../../../support/rule-tester.ts';

const RULE = 'inventory/properties-included';
const claim = (name: string, value = 'x', base = property.custom): JsonObject =>
  tweaked(base, { '/metadata/name': name, '/spec/value': value });
const listing = (names: readonly string[], base = profile, name = 'east'): JsonObject =>
  tweaked(base, { '/metadata/name': name, '/status/properties': names.map((one) => ({ name: one, value: 'x' })) });
const found = async (clusters: Clusters) => (await conflictsIn(clusters)).filter((line) => line.includes(RULE));
const ONE = claim('a.example');
const TWO = claim('b.example');

describe('allows', () => {
  test.each<[string, Clusters]>([
    ['all of them', { east: [ONE, TWO], hub: [listing(['a.example', 'b.example', 'more'])] }],
    ['a profile of no cluster of the run', { east: [ONE], hub: [listing([], profile, 'far')] }],
    ['a profile without a status', { east: [ONE], hub: [tweaked(listing([]), { '/status': undefined })] }],
    ['a profile with a status that is null', { east: [ONE], hub: [tweaked(listing([]), { '/status': null })] }],
    ['a value too long to be carried', { east: [claim('a.example', 'x'.repeat(1025))], hub: [listing([])] }],
    ['claims of another API', { east: [custom, ocm.custom], hub: [listing([])] }],
    ['an InventoryCluster', { east: [ONE], hub: [listing([], inventory)] }],
    ['the id by its other name', { east: [property.id], hub: [listing(['id.k8s.io'])] }],
  ])('%s', async (_, clusters) => expect(await found(clusters)).toEqual([]));

  test('in a run of one cluster', async () => {
    expect(await conflictsIn({ east: [ONE, listing([])] }, { rule: RULE, isAcross: false })).toEqual([]);
  });
});

describe('reports', () => {
  const FINDING = `hub ClusterProfile fleet-a/east: warn ${RULE} status.properties`;
  test.each<[string, Clusters, readonly string[]]>([
    ['one that is missing', { east: [ONE, TWO], hub: [listing(['b.example'])] }, [FINDING]],
    ['an empty list', { east: [ONE], hub: [listing([])] }, [FINDING]],
    [
      'a status without a list',
      { east: [ONE], hub: [tweaked(listing([]), { '/status': { version: {} } })] },
      [FINDING],
    ],
    [
      'a value as long as can be carried',
      { east: [claim('a.example', 'x'.repeat(1024))], hub: [listing([])] },
      [FINDING],
    ],
    ['several, once', { east: [ONE, TWO], hub: [listing([])] }, [FINDING]],
  ])('%s', async (_, clusters, expected) => expect(await found(clusters)).toEqual(expected));

  test('by name, with how many more', async () => {
    const message = (lacks: string) =>
      `should include every ClusterProperty of the cluster "east", and lacks ${lacks}; have the cluster manager add name and value unchanged`;
    const place = '  the ClusterProperty that is missing';
    expect(await messagesOf({ east: [ONE], hub: [listing([])] }, RULE)).toEqual([message('a.example'), place]);
    const many = Array.from({ length: 10 }, (_, index) => claim(`p${index}.example`));
    expect(await messagesOf({ east: many, hub: [listing([])] }, RULE)).toEqual([
      message('p0.example (and 9 more)'),
      ...Array.from({ length: 8 }, () => place),
    ]);
  });

  test('one more that is missing is new', async () => {
    const before = { east: [ONE], hub: [listing([])] };
    expect((await conflictsIn(before, { rule: RULE, before })).length).toBe(0);
    expect((await conflictsIn({ ...before, east: [ONE, TWO] }, { rule: RULE, before })).length).toBeGreaterThan(0);
  });
});
