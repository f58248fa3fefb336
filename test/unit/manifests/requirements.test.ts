/** What a policy makes the webhooks refuse where muster is away. */
import { describe, expect, test } from '@jest/globals';
import { defaultPolicy, type Policy } from '../../../src/engine/index.ts';
import { DEFAULT_ENFORCEMENT, DELETIONS, requiredEnforcement } from '../../../src/manifests/requirements.ts';
import { rules } from '../../../src/rules/index.ts';
import type { Action, RuleSettings } from '../../../src/rules/rule.ts';

const { claims, inventory, features } = defaultPolicy.settings;
const BY = [{ user: 'alice' }];
const settings: RuleSettings = {
  claims: { ...claims, membershipManagers: BY },
  inventory: { ...inventory, managers: new Map([['harbour', BY]]) },
  features: { ...features, serverFlow: [{ namespace: 'kube-system', principals: BY }] },
  placements: { schedulers: new Map([['fleet-scheduler', BY]]) },
  services: { closedNamespaces: ['kube-system'], importManagers: BY },
};
const of = (over: Partial<Policy> = {}, actions: Readonly<Record<string, Action>> = {}) =>
  requiredEnforcement({
    ...defaultPolicy,
    actions: new Map(Object.entries(actions).map(([id, webhook]) => [id, { webhook }])),
    ...over,
  });

test('without a configuration nobody is refused a deletion but of ids, and no owner is looked at', () => {
  expect(of()).toEqual({
    deletions: {},
    owners: {},
    profileLabel: false,
    placementIndex: false,
    services: { imports: 'warn', status: 'warn' },
    closedNamespaces: [],
  });
  expect(DEFAULT_ENFORCEMENT).toEqual(of());
});

test('principals that are configured: claims and features deny, the inventory warns', () => {
  expect(of({ settings })).toEqual({
    deletions: { membership: true, feature: true },
    owners: { claim: 'deny', inventory: 'warn', feature: 'deny', placement: 'deny', service: 'warn' },
    profileLabel: false,
    placementIndex: false,
    services: { exports: 'deny', imports: 'warn', status: 'warn' },
    closedNamespaces: settings.services.closedNamespaces,
  });
});

describe('each concept by its own setting and its own rule', () => {
  test.each<[string, Partial<RuleSettings>, string, string, Action]>([
    ['claim', { claims: settings.claims }, 'claim/clusterset-manager', 'deny', 'warn'],
    ['inventory', { inventory: settings.inventory }, 'inventory/sole-manager', 'warn', 'deny'],
    ['feature', { features: settings.features }, 'feature/server-flow', 'deny', 'warn'],
    ['placement', { placements: settings.placements }, 'placement/scheduler', 'deny', 'warn'],
    ['service', { services: { importManagers: BY } }, 'import/manager', 'warn', 'deny'],
  ])('%s', (concept, only, rule, owners, other) => {
    const own = { settings: { ...defaultPolicy.settings, ...only } };
    expect(of(own).owners).toEqual({ [concept]: owners });
    expect(of(own, { [rule]: other }).owners).toEqual({ [concept]: other });
    // A finding that is recorded is a finding: the API server has to send the write.
    expect(of(own, { [rule]: 'audit' }).owners).toEqual({ [concept]: 'warn' });
    expect(of(own, { [rule]: 'ignore' })).toEqual(DEFAULT_ENFORCEMENT);
    const deleted = concept === 'claim' ? 'membership' : concept;
    const deletes = DELETIONS.some((each) => each === deleted) ? { [deleted]: true } : {};
    expect(of(own, { [rule]: 'deny' })).toMatchObject({ deletions: deletes, owners: { [concept]: 'deny' } });
  });
});

test('the mode caps both', () => {
  expect(of({ settings, mode: 'warn' }, { 'feature/preserved': 'deny' })).toEqual({
    deletions: {},
    owners: { claim: 'warn', inventory: 'warn', feature: 'warn', placement: 'warn', service: 'warn' },
    profileLabel: false,
    placementIndex: false,
    services: { exports: 'warn', imports: 'warn', status: 'warn' },
    closedNamespaces: settings.services.closedNamespaces,
  });
});

test('any rule that may deny a deletion counts, not those of owners alone', () => {
  expect(of({}, { 'feature/preserved': 'deny' })).toMatchObject({ deletions: { feature: true }, owners: {} });
});

test('a leave is refused where a rule may deny it, not where one denies the deletion of an id', () => {
  const ofIds = { 'claim/id-present': 'deny', 'claim/id-present-in-clusterset': 'deny' } as const;
  expect(of({}, ofIds).deletions).toEqual({});
  expect(of({ settings: { ...defaultPolicy.settings, claims: settings.claims } }).deletions).toEqual({
    membership: true,
  });
});

test('the rules on deletions of claims: those that need the lock look at ids alone', () => {
  const onDelete = rules.filter(({ concept, on }) => concept === 'claim' && on.includes('DELETE'));
  expect(onDelete.map(({ id, locks = false }) => [id, locks])).toEqual([
    ['claim/id-present-in-clusterset', true],
    ['claim/id-present', true],
    ['claim/clusterset-manager', false],
  ]);
});

test('a ClusterProfile may lose the label of its manager, unless a rule may deny that', () => {
  expect(of({}, { 'inventory/cluster-manager-label': 'deny' }).profileLabel).toBe(true);
  expect(of({ mode: 'warn' }, { 'inventory/cluster-manager-label': 'deny' }).profileLabel).toBe(false);
  expect(of({ settings }, { 'inventory/sole-manager': 'deny' }).profileLabel).toBe(true);
});

test('a write of services is sent where a rule in force evaluates it, and refused where one may deny', () => {
  const actions = (action: Action, ...ids: string[]) => Object.fromEntries(ids.map((id) => [id, action]));
  const onSpec = ['import/ports', 'import/addresses', 'import/session-affinity', 'import/addresses-stable'];
  expect(of({}, actions('ignore', ...onSpec)).services).toEqual({ status: 'warn' });
  expect(of({}, actions('ignore', 'import/clusters')).services).toEqual({ imports: 'warn' });
  expect(of({}, { ...actions('ignore', ...onSpec), 'import/ports': 'audit' }).services.imports).toBe('warn');
  for (const id of onSpec) expect(of({}, { [id]: 'deny' }).services).toEqual({ imports: 'deny', status: 'warn' });
  expect(of({}, { 'import/clusters': 'deny' }).services).toEqual({ imports: 'warn', status: 'deny' });
  expect(of({}, { 'export/namespace': 'deny' }).services).toEqual(DEFAULT_ENFORCEMENT.services);
  const closed = { settings: { ...settings, services: { closedNamespaces: ['default'] } } };
  expect(of(closed)).toMatchObject({ services: { exports: 'deny' }, closedNamespaces: ['default'] });
  expect(of(closed, actions('ignore', 'export/namespace')).closedNamespaces).toEqual([]);
  const managed = { settings: { ...settings, services: { importManagers: BY } } };
  const ignored = actions('ignore', ...onSpec, 'import/clusters');
  expect(of(managed, ignored).services).toEqual({ imports: 'warn', status: 'warn' });
  expect(of(managed, { 'import/manager': 'deny' }).services).toEqual({ imports: 'deny', status: 'deny' });
});

test('the index of a slice may be wrong, unless the rule on it denies', () => {
  expect(of({}, { 'placement/index': 'deny' }).placementIndex).toBe(true);
  expect(of({ mode: 'warn' }, { 'placement/index': 'deny' }).placementIndex).toBe(false);
  expect(of({}, { 'placement/revision': 'deny' }).placementIndex).toBe(false);
});
