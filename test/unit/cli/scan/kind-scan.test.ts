/** What a scan reports about stored objects. */
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { claim, cluster } from '../../../support/command-line.ts';
import { findingsIn, scanAll } from './fixtures.ts';

const found = async (...objects: readonly JsonObject[]) => findingsIn(await scanAll(objects));
const terminating = (object: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...(object['metadata'] as JsonObject), deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/b'] },
});
const inSet = (id: string, set = 'fleet') => ({
  properties: [
    { name: 'id.k8s.io', value: id },
    { name: 'clusterset.k8s.io', value: set },
  ],
});

describe('claims', () => {
  const member = claim('clusterset.k8s.io', 'fleet');
  const id = claim('id.k8s.io', 'a');
  const without = 'clusterset.k8s.io: deny claim/clusterset-requires-id';

  test('a member without an id is denied, with one it is allowed, whatever the order of the claims', async () => {
    expect(await found(member)).toEqual([without]);
    expect(await found(member, id)).toEqual([]);
    expect(await found(id, member)).toEqual([]);
    expect(await found(member, terminating(id))).toEqual([without]);
  });

  test('where not all could be read, a missing id may exist', async () => {
    const stored = await scanAll([member], { unknown: 'not all could be read' });
    expect(findingsIn(stored)).toEqual(['clusterset.k8s.io: unknown claim/clusterset-requires-id']);
    expect(stored.entries[0]?.result.outcome).toBe('indeterminate');
    expect(findingsIn(await scanAll([member, id], { unknown: 'not all could be read' }))).toEqual([]);
  });
});

describe('inventory', () => {
  test('an object that two files hold is not its own duplicate', async () => {
    const same = cluster('a', { status: inSet('x') });
    expect(await found(same, { ...same })).toEqual([]);
  });

  test('findings of spec, status and comparison are in the order of the catalogue', async () => {
    const broken = cluster('a', {
      status: { ...inSet('x'), version: { kubernetes: 'new' } },
      spec: { clusterManager: { name: 'other' } },
    });
    const duplicate = cluster('b', { status: inSet('x'), spec: { clusterManager: { name: 'other' } } });
    expect((await found(broken, duplicate)).slice(0, 3)).toEqual([
      'a: deny inventory/cluster-manager-label',
      'a: warn inventory/unique-cluster-id',
      'a: warn inventory/version',
    ]);
  });
});
