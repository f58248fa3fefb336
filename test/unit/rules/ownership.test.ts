/**
 * Which writes change owners: the garbage collector deletes by those that an object has afterwards; removing all of
 * them is free.
 */
import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject, Path } from '../../../src/base/json.ts';
import { changesOwners, guardedChange, OWNERS } from '../../../src/rules/ownership.ts';
import type { Context, Operation, Subresource } from '../../../src/rules/rule.ts';

const owner = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid: `uid-${name}`,
  ...more,
});
const A = owner('a');
const B = owner('b');
const many = (count: number): JsonObject[] => Array.from({ length: count }, (_, index) => owner(`o${index}`));
/** The members of each in another order. */
const turned = (owners: readonly JsonObject[]): JsonObject[] =>
  owners.map((one) => Object.fromEntries(Object.entries(one).reverse()));

function changes(
  before: Json | undefined,
  now: Json | undefined,
  operation: Operation = 'UPDATE',
  subresource: Subresource = '',
): boolean {
  const of = (ownerReferences: Json | undefined): JsonObject => ({
    metadata: { name: 'x', ...(ownerReferences !== undefined && { ownerReferences }) },
  });
  return changesOwners({ operation, subresource, object: of(now), oldObject: of(before) } as unknown as Context);
}

describe('changes owners', () => {
  test.each<[string, Json | undefined, Json | undefined]>([
    ['one more', [A], [A, B]],
    ['another of that name', [A], [owner('a', { uid: 'other' })]],
    ['blockOwnerDeletion is set', [A], [owner('a', { blockOwnerDeletion: true })]],
    ['null', [A], [A, null]],
    ['another that is no list', A, B],
    ['one of two removed', [A, B], [B]],
    ['one of two removed, members in another order', [A, B], turned([A])],
    ['one of two replaced', [A, B], [A, owner('c')]],
    ['null removed, which the API server reads as an owner', [A, null], [A]],
  ])('%s', (_, before, now) => {
    expect(changes(before, now)).toBe(true);
  });
});

describe('changes none, or removes all', () => {
  test.each<[string, Json | undefined, Json | undefined]>([
    ['null', undefined, null],
    ['members in another order', [A, B], turned([A, B])],
    ['the last one removed', [A], []],
    ['all of several removed', [A, B], []],
    ['the list removed', [A, B], undefined],
    ['the list made null', [A], null],
    ['one that was there twice is there once', [A, B, A], [A, B]],
    ['a member that was null is absent', [owner('a', { controller: null })], [A]],
    ['a member that was absent is null', [A], [owner('a', { controller: null })]],
    ['null as stored', [A, null], [null, A]],
    ['what was no list is one now', A, [A]],
  ])('%s', (_, before, now) => {
    expect(changes(before, now)).toBe(false);
  });

  test('in a write of another kind', () => {
    expect(changes(undefined, [A], 'CREATE')).toBe(false);
    expect(changes(undefined, [A], 'DELETE')).toBe(false);
    expect(changes(undefined, [A], 'UPDATE', 'status')).toBe(false);
  });

  test('many are gone through once, not each with each', () => {
    let reads = 0;
    const counted = many(1000).map((one) =>
      Object.defineProperty({ ...one }, 'uid', {
        enumerable: true,
        get: () => {
          reads++;
          return one['uid'];
        },
      }),
    );
    expect(changes(counted as JsonObject[], many(1000).reverse())).toBe(false);
    expect(reads).toBeLessThan(5000);
  });

  test('where there is no metadata', () => {
    const context = { operation: 'UPDATE', subresource: '', object: { metadata: 7 }, oldObject: undefined };
    expect(changesOwners(context as unknown as Context)).toBe(false);
  });
});

describe('the guarded part that a write changes', () => {
  const PARTS = [[['spec', 'value']], [['spec', 'count'], 0]] as const;
  const before: JsonObject = { metadata: {}, spec: { value: 'a' } };
  test.each<[string, Operation, Json, Path | undefined]>([
    ['of a creation is the whole', 'CREATE', before, ['spec']],
    ['of a deletion is the whole', 'DELETE', before, ['spec']],
    ['is the first that differs', 'UPDATE', { metadata: {}, spec: { value: 'b', count: 1 } }, ['spec', 'value']],
    ['is a part that is gone', 'UPDATE', { metadata: {}, spec: {} }, ['spec', 'value']],
    ['is a later one', 'UPDATE', { metadata: {}, spec: { value: 'a', count: 1 } }, ['spec', 'count']],
    ['is none where the value equals absence', 'UPDATE', { metadata: {}, spec: { value: 'a', count: 0 } }, undefined],
    ['is none where another part differs', 'UPDATE', { metadata: {}, spec: { value: 'a', other: 1 } }, undefined],
    ['is the owners', 'UPDATE', { ...before, metadata: { ownerReferences: [A] } }, OWNERS],
  ])('%s', (_, operation, object, expected) => {
    const context = { operation, subresource: '', object, oldObject: before } as unknown as Context;
    expect(guardedChange(context, ['spec'], PARTS)).toEqual(expected);
  });
});
