/** What a policy makes the webhooks refuse where muster is away. */
import { describe, expect, test } from '@jest/globals';
import { defaultPolicy, type Policy } from '../../../src/engine/index.ts';
import { DEFAULT_ENFORCEMENT, requiredEnforcement } from '../../../src/manifests/requirements.ts';
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

/** The actions of the webhooks whose name has this part, by the rest of it. */
function ofPart({ webhooks }: ReturnType<typeof of>, part: RegExp) {
  const entries = Object.entries(webhooks).filter(([name]) => part.test(name));
  return Object.fromEntries(entries.map(([name, action]) => [name.replace(part, ''), action]));
}
const owners = (enforcement: ReturnType<typeof of>) => ofPart(enforcement, /-owners$/);
const deletions = (enforcement: ReturnType<typeof of>) => ofPart(enforcement, /-deletions$/);
const services = (enforcement: ReturnType<typeof of>) => ofPart(enforcement, /^service-(?!owners)/);

test('without a configuration nobody is refused a deletion but of ids, and no owner is looked at', () => {
  expect(of()).toEqual({
    webhooks: { 'service-imports': 'warn', 'service-status': 'warn' },
    profileLabel: false,
    closedNamespaces: [],
  });
  expect(DEFAULT_ENFORCEMENT).toEqual(of());
});

test('principals that are configured: claims and features deny, the inventory warns', () => {
  const enforcement = of({ settings });
  expect(deletions(enforcement)).toEqual({ membership: 'deny', feature: 'deny' });
  expect(owners(enforcement)).toEqual({
    claim: 'deny',
    inventory: 'warn',
    feature: 'deny',
    placement: 'deny',
    service: 'warn',
  });
  expect(services(enforcement)).toEqual({ exports: 'deny', imports: 'warn', status: 'warn' });
  expect(enforcement).toMatchObject({ profileLabel: false, closedNamespaces: settings.services.closedNamespaces });
});

describe('each concept by its own setting and its own rule', () => {
  test.each<[string, Partial<RuleSettings>, string, string, Action]>([
    ['claim', { claims: settings.claims }, 'claim/clusterset-manager', 'deny', 'warn'],
    ['inventory', { inventory: settings.inventory }, 'inventory/sole-manager', 'warn', 'deny'],
    ['feature', { features: settings.features }, 'feature/server-flow', 'deny', 'warn'],
    ['placement', { placements: settings.placements }, 'placement/scheduler', 'deny', 'warn'],
    ['service', { services: { importManagers: BY } }, 'import/manager', 'warn', 'deny'],
  ])('%s', (concept, only, rule, usual, other) => {
    const own = { settings: { ...defaultPolicy.settings, ...only } };
    expect(owners(of(own))).toEqual({ [concept]: usual });
    expect(owners(of(own, { [rule]: other }))).toEqual({ [concept]: other });
    // A finding that is recorded is a finding: the API server has to send the write.
    expect(owners(of(own, { [rule]: 'audit' }))).toEqual({ [concept]: 'warn' });
    expect(of(own, { [rule]: 'ignore' })).toEqual(DEFAULT_ENFORCEMENT);
    const deleted = concept === 'claim' ? 'membership' : concept;
    const denying = of(own, { [rule]: 'deny' });
    expect(owners(denying)).toEqual({ [concept]: 'deny' });
    // Of placements and services, one webhook gets both.
    expect(deletions(denying)).toEqual(['placement', 'service'].includes(concept) ? {} : { [deleted]: 'deny' });
  });
});

test('the mode caps both', () => {
  const enforcement = of({ settings, mode: 'warn' }, { 'feature/preserved': 'deny' });
  expect(new Set(Object.values(enforcement.webhooks))).toEqual(new Set(['warn']));
  expect(Object.keys(owners(enforcement))).toEqual(['claim', 'inventory', 'feature', 'placement', 'service']);
  expect(enforcement).toMatchObject({ profileLabel: false, closedNamespaces: settings.services.closedNamespaces });
});

test('any rule that may deny a deletion counts, not those of owners alone', () => {
  const enforcement = of({}, { 'feature/preserved': 'deny' });
  expect([deletions(enforcement), owners(enforcement)]).toEqual([{ feature: 'deny' }, {}]);
});

test('a leave is refused where a rule may deny it, not where one denies the deletion of an id', () => {
  const ofIds = { 'claim/id-present': 'deny', 'claim/id-present-in-clusterset': 'deny' } as const;
  expect(deletions(of({}, ofIds))).toEqual({});
  const managed = of({ settings: { ...defaultPolicy.settings, claims: settings.claims } });
  expect(deletions(managed)).toEqual({ membership: 'deny' });
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
  expect(services(of({}, actions('ignore', ...onSpec)))).toEqual({ status: 'warn' });
  expect(services(of({}, actions('ignore', 'import/clusters')))).toEqual({ imports: 'warn' });
  expect(services(of({}, { ...actions('ignore', ...onSpec), 'import/ports': 'audit' }))['imports']).toBe('warn');
  for (const id of onSpec) expect(services(of({}, { [id]: 'deny' }))).toEqual({ imports: 'deny', status: 'warn' });
  expect(services(of({}, { 'import/clusters': 'deny' }))).toEqual({ imports: 'warn', status: 'deny' });
  expect(services(of({}, { 'export/namespace': 'deny' }))).toEqual(services(DEFAULT_ENFORCEMENT));
  const closed = { settings: { ...settings, services: { closedNamespaces: ['default'] } } };
  expect(of(closed)).toMatchObject({ webhooks: { 'service-exports': 'deny' }, closedNamespaces: ['default'] });
  expect(of(closed, actions('ignore', 'export/namespace')).closedNamespaces).toEqual([]);
  const managed = { settings: { ...settings, services: { importManagers: BY } } };
  const ignored = actions('ignore', ...onSpec, 'import/clusters');
  expect(services(of(managed, ignored))).toEqual({ imports: 'warn', status: 'warn' });
  expect(services(of(managed, { 'import/manager': 'deny' }))).toEqual({ imports: 'deny', status: 'deny' });
});

test('the index of a slice may be wrong, unless the rule on it denies', () => {
  expect(of({}, { 'placement/index': 'deny' }).webhooks['placement-index']).toBe('deny');
  expect(of({ mode: 'warn' }, { 'placement/index': 'deny' }).webhooks['placement-index']).toBeUndefined();
  expect(of({}, { 'placement/revision': 'deny' }).webhooks['placement-index']).toBeUndefined();
});
