/** For whose sake writes must not race, and what a live cluster leaves to scan. */
import { expect, test } from '@jest/globals';
import { clusterClaim, clusterProfile, clusterProperty, feature, inventoryCluster } from '../../src/api/dialects.ts';
import { createEngine, defaultPolicy, type Policy, type Subject } from '../../src/engine/index.ts';
import { rules } from '../../src/rules/index.ts';
import type { Action, Rule } from '../../src/rules/rule.ts';

const catalogue: readonly Rule[] = rules;
const IMMUTABLE = 'claim/id-immutable-in-clusterset';
const PRESENT = 'claim/id-present-in-clusterset';
const JOIN = 'claim/clusterset-requires-id';

function engineOf(actions: Readonly<Record<string, Action>> = {}, over: Partial<Policy> = {}) {
  const configured = new Map(Object.entries(actions).map(([id, webhook]) => [id, { webhook }]));
  return createEngine({ policy: { ...defaultPolicy, actions: configured, ...over }, point: 'webhook' });
}

test('a guard speaks on the operation, where one of them does', () => {
  const engine = engineOf();
  for (const dialect of [clusterClaim, clusterProperty]) {
    expect(engine.guardOf(dialect, 'UPDATE')).toEqual({ ruleId: IMMUTABLE, level: 'MUST' });
    expect(engine.guardOf(dialect, 'DELETE')).toEqual({ ruleId: PRESENT, level: 'MUST' });
  }
});

test('where only one is left that denies, it guards every operation', () => {
  const engine = engineOf({ [IMMUTABLE]: 'warn', [JOIN]: 'warn' });
  expect(engine.guardOf(clusterClaim, 'CREATE')).toEqual({ ruleId: PRESENT, level: 'MUST' });
  expect(engine.guardOf(clusterClaim, 'UPDATE')).toEqual({ ruleId: PRESENT, level: 'MUST' });
  const strict = engineOf({ [IMMUTABLE]: 'ignore', [PRESENT]: 'audit', [JOIN]: 'deny' });
  expect(strict.guardOf(clusterClaim, 'DELETE')).toEqual({ ruleId: JOIN, level: 'MUST†' });
});

test('a rule of which a part denies guards too: joining while the id is being deleted', () => {
  const engine = engineOf({ [IMMUTABLE]: 'warn', [PRESENT]: 'warn' });
  for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const)
    expect(engine.guardOf(clusterClaim, operation)?.ruleId).toBe(JOIN);
});

test('nobody guards where nobody would be refused', () => {
  expect(
    engineOf({ [IMMUTABLE]: 'warn', [PRESENT]: 'ignore', [JOIN]: 'warn' }).guardOf(clusterClaim, 'UPDATE'),
  ).toBeUndefined();
  for (const mode of ['warn', 'audit'] as const) {
    expect(engineOf({}, { mode }).guardOf(clusterClaim, 'UPDATE')).toBeUndefined();
  }
  for (const dialect of [inventoryCluster, clusterProfile, feature]) {
    expect(engineOf().guardOf(dialect, 'UPDATE')).toBeUndefined();
  }
});

test('rules that list other objects, and no others, are left to scan in a live cluster', async () => {
  const listing = catalogue.filter((rule) => /view\.list\(/.test(String(rule.check))).map(({ id }) => id);
  const live = catalogue.filter((rule) => rule.unique !== undefined).map(({ id }) => id);
  expect(live).toEqual(listing);
  const metadata = { name: 'a', namespace: 'fleet', labels: { 'multicluster.x-k8s.io/inventory-member-id': 'x' } };
  const object = { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ClusterProfile', metadata, spec: {} };
  const subject: Subject = {
    dialect: clusterProfile,
    version: 'v1alpha1',
    operation: 'CREATE',
    subresource: '',
    object,
    oldObject: undefined,
    name: 'a',
    namespace: 'fleet',
    identity: undefined,
    dryRun: false,
  };
  const unknown = { known: false, reason: 'not here' } as const;
  const view = { get: async () => unknown, list: async () => unknown };
  const deny = new Map(live.map((id) => [id, { webhook: 'deny' as const }]));
  const silent = async (on: boolean, policy: Policy) => {
    const verdict = await createEngine({ policy, point: 'webhook', live: on }).evaluate(subject, view);
    return [verdict.silentUnknowns, verdict.indeterminate.map(({ ruleId }) => ruleId)];
  };
  expect(await silent(true, { ...defaultPolicy, actions: deny })).toEqual([[], []]);
  expect((await silent(false, defaultPolicy))[0]).toContain('inventory/member-id-unique');
  expect((await silent(false, { ...defaultPolicy, actions: deny }))[1]).toContain('inventory/member-id-unique');
});
