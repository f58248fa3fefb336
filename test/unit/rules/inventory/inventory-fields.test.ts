/** What the rules on inventory objects read alike. */
import { expect, test } from '@jest/globals';
import { clusterProfile, type Dialect, inventoryCluster } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { isItself, neverFreezesStatus } from '../../../../src/rules/inventory/inventory-fields.ts';
import type { Context } from '../../../../src/rules/rule.ts';

const evaluated = (dialect: Dialect, namespace?: string) => ({ dialect, name: 'a', namespace }) as Context;

test.each<[string, Context, JsonObject, boolean]>([
  ['a namespaced object', evaluated(clusterProfile, 'x'), { metadata: { name: 'a', namespace: 'x' } }, true],
  ['its namesake elsewhere', evaluated(clusterProfile, 'x'), { metadata: { name: 'a', namespace: 'y' } }, false],
  ['its namesake without a namespace', evaluated(clusterProfile, 'x'), { metadata: { name: 'a' } }, false],
  ['another in its namespace', evaluated(clusterProfile, 'x'), { metadata: { name: 'b', namespace: 'x' } }, false],
  [
    'a cluster-scoped object with a namespace',
    evaluated(inventoryCluster),
    { metadata: { name: 'a', namespace: 'y' } },
    true,
  ],
  ['another cluster-scoped object', evaluated(inventoryCluster), { metadata: { name: 'b' } }, false],
  ['an object without metadata', evaluated(clusterProfile, 'x'), {}, false],
])('whether an object of a list is the evaluated one: %s', (_, context, other, expected) => {
  expect(isItself(context, other)).toBe(expected);
});

test('on /status a rule that may not freeze it warns, elsewhere it denies', () => {
  const on = (subresource: Context['subresource']) => neverFreezesStatus({ subresource } as Context);
  expect([on('status'), on('')]).toEqual(['warn', 'deny']);
});
