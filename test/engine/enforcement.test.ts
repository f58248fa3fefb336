/** What a policy makes of deletions and of new owners, which decides what the API server sends and what it does without us. */
import { describe, expect, test } from '@jest/globals';
import { enforcementOf } from '../../src/engine/enforcement.ts';
import { defaultPolicy, type Policy } from '../../src/engine/index.ts';
import type { Action, RuleSettings } from '../../src/rules/rule.ts';

const { claims, inventory, features } = defaultPolicy.settings;
const BY = [{ user: 'alice' }];
const settings: RuleSettings = {
  claims: { ...claims, membershipManagers: BY },
  inventory: { ...inventory, managers: new Map([['harbour', BY]]) },
  features: { ...features, serverFlow: [{ namespace: 'kube-system', principals: BY }] },
};
const of = (over: Partial<Policy> = {}, actions: Readonly<Record<string, Action>> = {}) =>
  enforcementOf({
    ...defaultPolicy,
    actions: new Map(Object.entries(actions).map(([id, webhook]) => [id, { webhook }])),
    ...over,
  });

test('without a configuration nobody is refused a deletion but of claims, and no owner is looked at', () => {
  expect(of()).toEqual({ deletions: {}, owners: {}, profileLabel: false });
});

test('principals that are configured: claims and features deny, the inventory warns', () => {
  expect(of({ settings })).toEqual({
    deletions: { feature: true },
    owners: { claim: 'deny', inventory: 'warn', feature: 'deny' },
    profileLabel: false,
  });
});

describe('each concept by its own setting and its own rule', () => {
  test.each<[string, Partial<RuleSettings>, string, string, Action]>([
    ['claim', { claims: settings.claims }, 'claim/clusterset-manager', 'deny', 'warn'],
    ['inventory', { inventory: settings.inventory }, 'inventory/sole-manager', 'warn', 'deny'],
    ['feature', { features: settings.features }, 'feature/server-flow', 'deny', 'warn'],
  ])('%s', (concept, only, rule, owners, other) => {
    const own = { settings: { ...defaultPolicy.settings, ...only } };
    expect(of(own).owners).toEqual({ [concept]: owners });
    expect(of(own, { [rule]: other }).owners).toEqual({ [concept]: other });
    // A finding that is recorded is a finding: the API server has to send the write.
    expect(of(own, { [rule]: 'audit' }).owners).toEqual({ [concept]: 'warn' });
    expect(of(own, { [rule]: 'ignore' })).toEqual({ deletions: {}, owners: {}, profileLabel: false });
    const deletes = concept === 'claim' ? {} : { [concept]: true };
    expect(of(own, { [rule]: 'deny' })).toMatchObject({ deletions: deletes, owners: { [concept]: 'deny' } });
  });
});

test('the mode caps both', () => {
  for (const mode of ['warn', 'audit'] as const)
    expect(of({ settings, mode }, { 'feature/preserved': 'deny' })).toEqual({
      deletions: {},
      owners: { claim: 'warn', inventory: 'warn', feature: 'warn' },
      profileLabel: false,
    });
});

test('any rule that may deny a deletion counts, not those of owners alone', () => {
  expect(of({}, { 'feature/preserved': 'deny' })).toEqual({
    deletions: { feature: true },
    owners: {},
    profileLabel: false,
  });
});

test('a ClusterProfile may lose the label of its manager, unless a rule may deny that', () => {
  expect(of({}, { 'inventory/cluster-manager-label': 'deny' }).profileLabel).toBe(true);
  expect(of({ mode: 'warn' }, { 'inventory/cluster-manager-label': 'deny' }).profileLabel).toBe(false);
  expect(of({ settings }, { 'inventory/sole-manager': 'deny' }).profileLabel).toBe(true);
});

test('what is configured for another point changes nothing', () => {
  const actions = new Map([['feature/preserved', { check: 'deny', scan: 'deny' } as const]]);
  expect(enforcementOf({ ...defaultPolicy, actions })).toEqual({ deletions: {}, owners: {}, profileLabel: false });
});
