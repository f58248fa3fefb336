/** An import is stale where it is proven that no cluster exports the service any more. */
import { describe, expect, test } from '@jest/globals';
import { clusterProperty, serviceExport } from '../../../../src/api/dialects.ts';
import { type Clusters, conflictsIn, messagesOf } from '../../../support/compared.ts';
import type { Tweak } from '../../../support/rule-tester.ts';
import { exported, imported, importedFrom, memberOf, service } from '../../../support/services.ts';

const RULE = 'import/stale';
const blue = (id: string) => memberOf('blue', id);
const found = (clusters: Clusters, options: Parameters<typeof conflictsIn>[1] = {}) =>
  conflictsIn(clusters, { rule: RULE, ...options });
const STALE = 'west ServiceImport shop/web: warn import/stale metadata.name';
const other: Tweak = { '/metadata/name': 'api' };
/** Imports what the cluster with the id e exports. */
const west = [...blue('w'), importedFrom('e')];

describe('reports', () => {
  test.each<[string, Clusters]>([
    ['an import whose only cluster exports it no more', { east: blue('e'), west }],
    [
      'an import of several clusters that export it no more',
      { east: blue('e'), north: blue('n'), west: [...blue('w'), importedFrom('e', 'n', 'w')] },
    ],
    ['an import of its own cluster', { west: [...blue('w'), importedFrom('w')] }],
    [
      'an import beside exports of other names and namespaces',
      { east: [...blue('e'), exported(other), exported({ '/metadata/namespace': 'yard' })], west },
    ],
    [
      'an import whose service is exported in another ClusterSet',
      { east: blue('e'), red: [...memberOf('red', 'r'), exported()], west },
    ],
    [
      'an import whose service is exported by a cluster in no ClusterSet',
      { east: blue('e'), none: [exported()], west },
    ],
    ['a Service without an export', { east: [...blue('e'), service()], west }],
  ])('%s', async (_, clusters) => expect(await found(clusters)).toEqual([STALE]));

  test('an import that names no cluster, in a complete run', async () => {
    const clusters = { east: blue('e'), west: [...blue('w'), imported()] };
    expect(await found(clusters, { isComplete: true })).toEqual([STALE]);
    expect(await found(clusters)).toEqual([]);
  });

  test('ids of clusters in no ClusterSet, where no cluster says one', async () => {
    const [id] = blue('e');
    expect(await found({ east: id ? [id] : [], west: [importedFrom('e')] })).toEqual([STALE]);
  });

  test('clusters without an id, by their names in the run', async () => {
    expect(await found({ east: [], west: [importedFrom('east')] })).toEqual([STALE]);
    expect(await found({ east: blue('e'), west: [...blue('w'), importedFrom('east')] })).toEqual([]);
  });

  test('what is there and how to fix it', async () => {
    expect(await messagesOf({ east: blue('e'), west }, RULE)).toEqual([
      'no cluster exports shop/web any more; let the controller delete the import, or delete it yourself',
    ]);
  });
});

describe('is silent on', () => {
  test.each<[string, Clusters]>([
    ['an exported service', { east: [...blue('e'), exported()], west }],
    ['a service that a cluster exports which it does not name', { east: blue('e'), west: [...west, exported()] }],
    [
      'an export that is being deleted',
      { east: [...blue('e'), exported({ '/metadata/deletionTimestamp': '2026-06-01T12:00:00Z' })], west },
    ],
    ['a cluster that is not in the run', { west }],
    [
      'one cluster of two that is not in the run',
      { east: blue('e'), west: [...blue('w'), importedFrom('e', 'somewhere')] },
    ],
    ['a cluster of another ClusterSet', { east: memberOf('red', 'e'), west }],
    ['an import in a cluster of no ClusterSet', { east: blue('e'), west: [importedFrom('e')] }],
    ['a cluster that the run does not have', { east: [], west: [importedFrom('e')] }],
    ['an empty list of clusters', { east: blue('e'), west: [...blue('w'), importedFrom()] }],
  ])('%s', async (_, clusters) => expect(await found(clusters)).toEqual([]));

  test('clusters whose exports could not be read', async () => {
    const unread = { east: [serviceExport] } as const;
    expect(await found({ east: blue('e'), west }, { unread })).toEqual([]);
    const clusters = { east: blue('e'), west: [...blue('w'), imported()] };
    expect(await found(clusters, { unread, isComplete: true })).toEqual([]);
    const isNotNamed = { ...clusters, west: [...blue('w'), importedFrom('w')] };
    expect(await found(isNotNamed, { unread })).toEqual([STALE]);
  });

  test('a cluster that may be a member, since its claims could not be read', async () => {
    const clusters = { east: blue('e'), north: [], west: [...blue('w'), imported()] };
    const complete = { isComplete: true, unread: { north: [clusterProperty, serviceExport] } };
    expect(await found(clusters, complete)).toEqual([]);
    const ofOther = memberOf('red', 'n');
    expect(await found({ ...clusters, north: ofOther }, complete)).toEqual([STALE]);
  });

  test('an import in a cluster of no ClusterSet, in a complete run', async () => {
    expect(await found({ east: blue('e'), west: [imported()] }, { isComplete: true })).toEqual([]);
  });

  test('anything at check', async () => {
    expect(await found({ east: blue('e'), west }, { point: 'check' })).toEqual([]);
  });
});
