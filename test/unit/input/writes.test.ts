import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { clusterProfile, inventoryCluster } from '../../../src/api/dialects.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import * as writes from '../../../src/input/writes.ts';
import { cluster } from '../../support/command-line.ts';

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

  test('labels of a wrong type are evaluated as they are', () => {
    const file = cluster('a', { metadata: { name: 'a', labels: 'text' } });
    expect(writes.updated(here, file, stored)['metadata']).toMatchObject({ labels: 'text' });
  });

  test('a member called __proto__ stays a member', () => {
    const metadata = JSON.parse('{"name":"a","labels":{"__proto__":"x"},"__proto__":"y"}') as JsonObject;
    const updated = writes.updated(here, cluster('a', { metadata }), stored)['metadata'] as JsonObject;
    expect(Object.getPrototypeOf(updated)).toBe(Object.prototype);
    expect(Object.hasOwn(updated['labels'] as JsonObject, '__proto__')).toBe(true);
  });
});

describe('three ways', () => {
  test.each(
    [
      'what others wrote stays | {a: 1, b: 2} | {a: 3} | {} | {a: 3, b: 2}',
      'what was applied and is gone is removed | {a: 1, b: 2} | {} | {a: 1} | {b: 2}',
      'null removes | {a: 1, b: 2} | {a: null} | {} | {b: 2}',
      'lists are replaced | {a: [1, 2]} | {a: [3]} | {} | {a: [3]}',
      'within mappings | {a: {b: 1, c: 2, d: {e: 3}}} | {a: {b: 4, d: {f: 5, g: null}}} | {a: {c: 2, d: {}}} | {a: {b: 4, d: {e: 3, f: 5}}}',
      'a mapping in place of a text | {a: x} | {a: {b: 1}}| {a: x} | {a: {b: 1}}',
      'a text in place of a mapping | {a: {b: 1}} | {a: x} | {a: {b: 1}} | {a: x}',
    ].map((line) => line.split('|').map((part) => part.trim())),
  )('%s', (_name, ...parts) => {
    const [stored, file, last, expected] = parts.map((part) => parse(part) as JsonObject);
    expect(writes.merged(stored, file ?? {}, last)).toEqual(expected);
  });

  test('keys of JavaScript are keys like any other', () => {
    const odd = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":2}}');
    expect(JSON.stringify(writes.merged({}, odd, undefined))).toBe('{"__proto__":{"a":1},"constructor":{"b":2}}');
    expect(JSON.stringify(writes.merged(odd, {}, odd))).toBe('{}');
  });

  const json = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 2 })) as fc.Arbitrary<JsonObject>;

  test('a second apply of the same changes nothing', () => {
    fc.assert(
      fc.property(json, json, json, (stored, input, last) => {
        const once = writes.merged(stored, input, last);
        expect(writes.merged(once, input, input)).toEqual(once);
      }),
    );
  });
});

describe('what was applied last', () => {
  const file = cluster('a');

  test('is read from the annotation of the stored object', () => {
    expect(writes.lastApplied(writes.asApplied(file, file))).toEqual(file);
    for (const text of ['', '[]', '{', 'null']) {
      const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': text };
      expect(writes.lastApplied(cluster('a', { metadata: { annotations } }))).toBeUndefined();
    }
    expect(writes.lastApplied(file)).toBeUndefined();
  });

  test('annotations that are no mapping are left to a rule', () => {
    const odd = cluster('a', { metadata: { name: 'a', annotations: 'text' } });
    expect(writes.asApplied(odd, file)).toBe(odd);
  });

  test('never takes off a name, a namespace, or what the API server manages', () => {
    const stored = cluster('a', { metadata: { name: 'a', uid: 'u', resourceVersion: '7', labels: { a: 'b' } } });
    const last = cluster('a', { metadata: { name: 'a', uid: 'u', resourceVersion: '6', labels: { a: 'b' } } });
    const bare = cluster('a', { metadata: { name: 'a' } });
    expect(writes.updated(here, bare, stored, last)['metadata']).toEqual({ name: 'a', uid: 'u', resourceVersion: '7' });
  });

  test('an object from a file is as the cluster has it after an apply', () => {
    const bare = cluster('a', { metadata: { name: 'a' } });
    expect(writes.storedFromFile(inventoryCluster, bare, false)).toEqual(
      cluster('a', { metadata: { name: 'a', labels: { 'x-k8s.io/cluster-manager': 'depot' } } }),
    );
    expect(writes.lastApplied(writes.storedFromFile(inventoryCluster, bare, true))).toEqual(bare);
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
