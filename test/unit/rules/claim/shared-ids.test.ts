/** What is kept of a claim to compare the ids of clusters. */
import { expect, test } from '@jest/globals';
import { clusterClaim, clusterProperty, type Dialect, inventoryCluster } from '../../../../src/api/dialects.ts';
import type { Json } from '../../../../src/base/json.ts';
import { identityFact } from '../../../../src/rules/claim/shared-ids.ts';

const kept = (name: string, value: Json, dialect: Dialect = clusterProperty) =>
  identityFact({ metadata: { name }, spec: { value } }, { dialect, cluster: 'east', namespace: '', name });

test.each(['cluster.clusterset.k8s.io', 'id.k8s.io', 'clusterset.k8s.io'])('the value of %s', (name) => {
  expect(kept(name, 'north')).toBe('north');
});

test('up to 1,024 characters: no id is longer', () => {
  expect(kept('id.k8s.io', 'x'.repeat(1024))).toHaveLength(1024);
  expect(kept('id.k8s.io', 'x'.repeat(1025))).toBeUndefined();
});

test('nothing of a value that is no text, of another claim, or of another kind', () => {
  expect(kept('id.k8s.io', 7)).toBeUndefined();
  expect(kept('region.example.org', 'north')).toBeUndefined();
  expect(kept('cluster.clusterset.k8s.io', 'north', clusterClaim)).toBeUndefined();
  expect(kept('id.k8s.io', 'north', inventoryCluster)).toBeUndefined();
});
