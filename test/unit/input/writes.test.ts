import { describe, expect, test } from '@jest/globals';
import { clusterClaim, clusterProfile, inventoryCluster } from '../../../src/api/dialects.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import * as writes from '../../../src/input/writes.ts';
import { claim, cluster, NOW } from '../../support/cli-world.ts';

const here = { dialect: inventoryCluster, name: 'a' };

describe('CREATE', () => {
  test('drops status and what the API server fills in', () => {
    const exported = cluster('a', {
      metadata: { name: 'a', uid: 'u', resourceVersion: '7', creationTimestamp: 'then', deletionTimestamp: 'soon' },
      status: { conditions: [] },
    });
    expect(writes.created(here, exported)).toEqual(cluster('a', { metadata: { name: 'a' } }));
  });

  test('fills in name and namespace, and takes the namespace off a cluster-scoped object', () => {
    const generated = writes.created(
      { dialect: clusterProfile, namespace: 'default', name: 'p-bbbbb' },
      {
        kind: 'ClusterProfile',
        metadata: { generateName: 'p-' },
      },
    );
    expect(generated['metadata']).toEqual({ generateName: 'p-', name: 'p-bbbbb', namespace: 'default' });
    const stray = writes.created(here, cluster('a', { metadata: { name: 'a', namespace: 'b' } }));
    expect(stray['metadata']).toEqual({ name: 'a' });
  });

  test('adds the manager label only where it is missing and the name can be one', () => {
    const labelsFor = (metadata: JsonObject, name: JsonObject[string] = 'depot') => {
      const object = cluster('a', { metadata, spec: { clusterManager: { name } } });
      return (writes.labelled(inventoryCluster, object)?.['metadata'] as JsonObject | undefined)?.['labels'];
    };
    const label = { 'x-k8s.io/cluster-manager': 'depot' };
    expect(labelsFor({})).toEqual(label);
    expect(labelsFor({ labels: null })).toEqual(label);
    expect(labelsFor({ labels: { a: 'b', 'x-k8s.io/cluster-manager': null } })).toEqual({ a: 'b', ...label });
    for (const labels of [label, { 'x-k8s.io/cluster-manager': '' }, { 'x-k8s.io/cluster-manager': 5 }, 'text']) {
      expect(labelsFor({ labels })).toBeUndefined();
    }
    for (const name of ['', 'a b', 5, null, 'x'.repeat(64)]) expect(labelsFor({}, name)).toBeUndefined();
    expect(writes.labelled(clusterClaim, claim('a', 'b'))).toBeUndefined();
  });
});

describe('UPDATE', () => {
  const stored = cluster('a', {
    metadata: {
      name: 'a',
      uid: 'u',
      resourceVersion: '7',
      labels: { kept: 'yes', changed: 'old', gone: 'x' },
      annotations: { note: 'n' },
      finalizers: ['example.com/a'],
    },
    status: { version: { kubernetes: '1.30.0' } },
  });

  test('what the file does not mention stays; server-managed metadata is never a change', () => {
    const metadata = { name: 'a', uid: 'other', creationTimestamp: 'then', labels: { changed: 'new', gone: null } };
    const file = cluster('a', { metadata, spec: { displayName: 'A' }, status: { version: {} } });
    expect(writes.updated(here, file, stored)).toEqual({
      ...stored,
      spec: { displayName: 'A' },
      metadata: { ...(stored['metadata'] as JsonObject), labels: { kept: 'yes', changed: 'new' } },
    });
  });

  test('an export of the stored object changes nothing', () => {
    expect(writes.updated(here, stored, stored)).toEqual(stored);
  });

  test('labels of a wrong type are evaluated as they are', () => {
    const file = cluster('a', { metadata: { name: 'a', labels: 'text' } });
    expect(writes.updated(here, file, stored)['metadata']).toMatchObject({ labels: 'text' });
  });

  test('finalizers that the file lists are its own', () => {
    const file = cluster('a', { metadata: { name: 'a', finalizers: [] } });
    expect(writes.updated(here, file, stored)['metadata']).toMatchObject({ finalizers: [] });
  });

  test('a member called __proto__ stays a member', () => {
    const metadata = JSON.parse('{"name":"a","labels":{"__proto__":"x"},"__proto__":"y"}') as JsonObject;
    const updated = writes.updated(here, cluster('a', { metadata }), stored)['metadata'] as JsonObject;
    expect(Object.getPrototypeOf(updated)).toBe(Object.prototype);
    expect(Object.hasOwn(updated['labels'] as JsonObject, '__proto__')).toBe(true);
  });
});

describe('what is left', () => {
  const held = claim('a', 'b');
  const metadata = { name: 'a', finalizers: ['example.com/a'] };

  test('after a DELETE: nothing, or with finalizers a terminating object', () => {
    expect(writes.afterDelete(held, NOW)).toBeUndefined();
    const terminating = writes.afterDelete({ ...held, metadata }, NOW);
    expect(terminating?.['metadata']).toEqual({
      ...metadata,
      deletionTimestamp: '2026-06-01T12:00:00Z',
      deletionGracePeriodSeconds: 0,
    });
    expect(terminating && writes.afterDelete(terminating, NOW + 60_000)).toBe(terminating);
  });

  test('after a write: a terminating object goes with its last finalizer', () => {
    const terminating = { ...held, metadata: { ...metadata, deletionTimestamp: '2026-06-01T12:00:00Z' } };
    expect(writes.afterWrite(terminating)).toBe(terminating);
    expect(writes.afterWrite({ ...held, metadata: { ...terminating.metadata, finalizers: [] } })).toBeUndefined();
    expect(writes.afterWrite(held)).toBe(held);
  });
});

test('generated names begin with their prefix, fit a name, and never repeat', () => {
  const object = { metadata: { generateName: 'depot-' } };
  const names = Array.from({ length: 2000 }, (_, count) => writes.generatedName(object, count));
  expect(new Set(names).size).toBe(2000);
  for (const name of names) expect(name).toMatch(/^depot-[b-z2-9]{5}$/);
  expect(writes.generatedName({ metadata: { generateName: 'x'.repeat(80) } }, 0)).toHaveLength(63);
  expect(writes.generatedName({ metadata: {} }, 0)).toBeUndefined();
});
