/** What objects share that none should share, among all that is stored: by the ids that they list. */
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { inventory, profile } from '../../../support/bases.ts';
import { type Clusters, conflictsIn, messagesOf } from '../../../support/compared.ts';
import { tweaked } from '../../../support/rule-tester.ts';

const RULE = 'inventory/unique-cluster-id';
const SET = 'clusterset.k8s.io';
const ID = 'cluster.clusterset.k8s.io';

const listing = (name: string, ids: readonly string[], more: Record<string, string> = {}, base = profile): JsonObject =>
  tweaked(base, {
    '/metadata/name': name,
    '/status/properties': [{ name: SET, value: 'blue' }, ...ids.map((value) => ({ name: ID, value }))],
    ...more,
  });
const elsewhere = { '/metadata/namespace': 'elsewhere' };
/** Returns `NAME: PROPERTY` of each finding, by the place of the property, and `  NAME PROPERTY` of what it shares. */
const found = async (clusters: Clusters, options = {}) =>
  (await conflictsIn(clusters, { isAcross: false, rule: RULE, ...options })).map((line) =>
    line
      .replaceAll(/hub ClusterProfile [^/]+\//g, '')
      .replace(`warn ${RULE} `, '')
      .replaceAll(/status\.properties[.[](\d)]?\.value/g, '$1'),
  );

describe('allows', () => {
  test.each<[string, Clusters]>([
    ['two ids', { hub: [listing('a', ['x']), listing('b', ['y'])] }],
    ['objects without ids', { hub: [listing('a', []), listing('b', [])] }],
    ['one id in two namespaces', { hub: [listing('a', ['x']), listing('b', ['x'], elsewhere)] }],
    [
      'one id with two managers',
      { hub: [listing('a', ['x']), listing('b', ['x'], { '/spec/clusterManager/name': 'm' })] },
    ],
    ['one id in two clusters', { hub: [listing('a', ['x'])], west: [listing('b', ['x'])] }],
    ['one id in two kinds', { hub: [listing('a', ['x']), listing('b', ['x'], {}, inventory)] }],
    ['one object in two files', { hub: [listing('a', ['x']), listing('a', ['x'])] }],
    ['one id twice in one object', { hub: [listing('a', ['x', 'x'])] }],
  ])('%s', async (_, clusters) => expect(await found(clusters)).toEqual([]));

  test('at check, where each write was compared before', async () => {
    expect(await found({ hub: [listing('a', ['x']), listing('b', ['x'])] }, { point: 'check' })).toEqual([]);
  });
});

test('one label of two profiles, each at its own, and an empty one is none', async () => {
  const labelled = (name: string, value: string) =>
    listing(name, [], { '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id': value });
  const objects = [labelled('a', 'm'), labelled('b', 'm'), labelled('c', ''), labelled('d', '')];
  const at = 'metadata.labels[multicluster.x-k8s.io/inventory-member-id]';
  const rule = 'inventory/member-id-unique';
  expect(await conflictsIn({ hub: objects }, { isAcross: false, rule })).toEqual([
    `hub ClusterProfile fleet-a/a: warn ${rule} ${at}`,
    '  hub ClusterProfile fleet-a/b metadata.labels.multicluster.x-k8s.io/inventory-member-id',
    `hub ClusterProfile fleet-a/b: warn ${rule} ${at}`,
    '  hub ClusterProfile fleet-a/a metadata.labels.multicluster.x-k8s.io/inventory-member-id',
  ]);
  expect((await messagesOf({ hub: objects }, rule, { isAcross: false })).slice(0, 2)).toEqual([
    expect.stringMatching(/^the id "m" is already that of "b" in the same namespace/),
    '  the other object with the same value',
  ]);
});

describe('reports', () => {
  test.each<[string, JsonObject[], string[]]>([
    ['each of two', [listing('a', ['x']), listing('b', ['x'])], ['a: 1', '  b 1', 'b: 1', '  a 1']],
    [
      'each of three, with the first of the others',
      [listing('a', ['x']), listing('b', ['x']), listing('c', ['x'])],
      ['a: 1', '  b 1', 'b: 1', '  a 1', 'c: 1', '  a 1'],
    ],
    [
      'each once, with the object that came first',
      [listing('a', ['x']), listing('b', ['y']), listing('c', ['y', 'x'])],
      ['b: 1', '  c 1', 'c: 2', '  a 1', 'a: 1', '  c 2'],
    ],
    [
      'at the first of the ids that two share',
      [listing('a', ['x', 'y']), listing('b', ['y', 'x'])],
      ['a: 1', '  b 2', 'b: 1', '  a 2'],
    ],
    [
      'beside one in two files',
      [listing('a', ['x']), listing('a', ['x']), listing('b', ['x'])],
      ['a: 1', '  b 1', 'a: 1', '  b 1', 'b: 1', '  a 1'],
    ],
  ])('%s', async (_, objects, expected) => expect(await found({ hub: objects })).toEqual(expected));

  test('with the value and the other', async () => {
    const clusters = { hub: [listing('a', ['x']), listing('b', ['x'])] };
    const [first] = await messagesOf(clusters, RULE, { isAcross: false });
    expect(first).toMatch(/^the id "x" is already listed in the same ClusterSet by "b"/);
  });
});
