/** Which writes gain an owner: whoever adds or changes an ownerReference can have the object deleted; taking one away is free. */
import { describe, expect, test } from '@jest/globals';
import { gainsOwner } from '../../src/rules/ownership.ts';
import type { Context, Json, JsonObject, Operation, Subresource } from '../../src/rules/rule.ts';

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

function gains(
  before: Json | undefined,
  now: Json | undefined,
  operation: Operation = 'UPDATE',
  subresource: Subresource = '',
): boolean {
  const of = (ownerReferences: Json | undefined): JsonObject => ({
    metadata: { name: 'x', ...(ownerReferences !== undefined && { ownerReferences }) },
  });
  return gainsOwner({ operation, subresource, object: of(now), oldObject: of(before) } as unknown as Context);
}

describe('gains an owner', () => {
  test.each<[string, Json | undefined, Json | undefined]>([
    ['one more', [A], [A, B]],
    ['another of that name', [A], [owner('a', { uid: 'other' })]],
    ['blockOwnerDeletion is set', [A], [owner('a', { blockOwnerDeletion: true })]],
    ['null', [A], [A, null]],
    ['another that is no list', A, B],
  ])('%s', (_, before, now) => {
    expect(gains(before, now)).toBe(true);
  });
});

describe('gains none', () => {
  test.each<[string, Json | undefined, Json | undefined]>([
    ['null', undefined, null],
    ['members in another order', [A, B], turned([A, B])],
    ['the list taken away', [A], undefined],
    ['the list made null', [A], null],
    ['a member that was null is absent', [owner('a', { controller: null })], [A]],
    ['a member that was absent is null', [A], [owner('a', { controller: null })]],
    ['null as stored', [A, null], [null, A]],
    ['what was no list is one now', A, [A]],
  ])('%s', (_, before, now) => {
    expect(gains(before, now)).toBe(false);
  });

  test('in a write of another kind', () => {
    expect(gains(undefined, [A], 'CREATE')).toBe(false);
    expect(gains(undefined, [A], 'DELETE')).toBe(false);
    expect(gains(undefined, [A], 'UPDATE', 'status')).toBe(false);
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
    expect(gains(counted as JsonObject[], many(1000).reverse())).toBe(false);
    expect(reads).toBeLessThan(5000);
  });

  test('where there is no metadata', () => {
    const context = { operation: 'UPDATE', subresource: '', object: { metadata: 7 }, oldObject: undefined };
    expect(gainsOwner(context as unknown as Context)).toBe(false);
  });
});
