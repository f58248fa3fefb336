import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { inventoryCluster } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { asApplied, lastApplied, merged, storedFromFile, updated } from '../../../../src/input/writes.ts';
import { cluster } from '../../../support/cli-world.ts';

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
    expect(merged(stored, file ?? {}, last)).toEqual(expected);
  });

  test('keys of JavaScript are keys like any other', () => {
    const odd = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":2}}');
    expect(JSON.stringify(merged({}, odd, undefined))).toBe('{"__proto__":{"a":1},"constructor":{"b":2}}');
    expect(JSON.stringify(merged(odd, {}, odd))).toBe('{}');
  });

  const json = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 2 })) as fc.Arbitrary<JsonObject>;

  test('a second apply of the same changes nothing', () => {
    fc.assert(
      fc.property(json, json, json, (stored, input, last) => {
        const once = merged(stored, input, last);
        expect(merged(once, input, input)).toEqual(once);
      }),
    );
  });
});

describe('what was applied last', () => {
  const file = cluster('a');

  test('is read from the annotation of the stored object', () => {
    expect(lastApplied(asApplied(file, file))).toEqual(file);
    for (const text of ['', '[]', '{', 'null']) {
      const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': text };
      expect(lastApplied(cluster('a', { metadata: { annotations } }))).toBeUndefined();
    }
    expect(lastApplied(file)).toBeUndefined();
  });

  test('annotations that are no mapping are left to a rule', () => {
    const odd = cluster('a', { metadata: { name: 'a', annotations: 'text' } });
    expect(asApplied(odd, file)).toBe(odd);
  });

  test('never takes off a name, a namespace, or what the API server manages', () => {
    const reference = { dialect: inventoryCluster, name: 'a' };
    const stored = cluster('a', { metadata: { name: 'a', uid: 'u', resourceVersion: '7', labels: { a: 'b' } } });
    const last = cluster('a', { metadata: { name: 'a', uid: 'u', resourceVersion: '6', labels: { a: 'b' } } });
    const bare = cluster('a', { metadata: { name: 'a' } });
    expect(updated(reference, bare, stored, last)['metadata']).toEqual({ name: 'a', uid: 'u', resourceVersion: '7' });
  });

  test('an object from a file is as the cluster has it after an apply', () => {
    const bare = cluster('a', { metadata: { name: 'a' } });
    expect(storedFromFile(inventoryCluster, bare, false)).toEqual(
      cluster('a', { metadata: { name: 'a', labels: { 'x-k8s.io/cluster-manager': 'depot' } } }),
    );
    expect(lastApplied(storedFromFile(inventoryCluster, bare, true))).toEqual(bare);
  });
});
