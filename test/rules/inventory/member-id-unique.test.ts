import { rule } from '../../../src/rules/inventory/member-id-unique.ts';
import type { Action, Json, JsonObject } from '../../../src/rules/rule.ts';
import { inventory, profile, profileAlpha } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule, tweaked } from '../rule-tester.ts';

const LABEL = '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id';
const DENY: Pick<RuleCase, 'actions'> = { actions: { 'inventory/member-id-unique': 'deny' } };
const is = (value: Json | undefined): Pick<RuleCase, 'set'> => ({ set: { [LABEL]: value } });
const other = (tweak: RuleCase['set'] = {}, base = profile): JsonObject =>
  tweaked(base, { '/metadata/name': 'harbour-zz9', [LABEL]: 'm-1', ...tweak });
const taken = (action: Action = 'warn', by = 'harbour-zz9', value = 'm-1'): Pick<DenyCase, 'findings'> => ({
  findings: [
    [
      action,
      'metadata.labels[multicluster.x-k8s.io/inventory-member-id]',
      `the id "${value}" is that of "${by}" in the same namespace; one cluster has one profile there`,
    ],
  ],
});

testRule(rule, profile, {
  allow: [
    { name: 'no label beside another without', state: [other({ [LABEL]: undefined })] },
    { name: 'itself', state: [tweaked(profile, { [LABEL]: 'm-1' })], ...is('m-1') },
    { name: 'an InventoryCluster', base: inventory, state: [other({}, inventory)], ...is('m-1') },
    { name: 'an older twin left alone', state: [other()], old: { [LABEL]: 'm-1' }, set: { '/spec/displayName': 'x' } },
    { name: 'a deletion', state: [other()], operation: 'DELETE', old: { [LABEL]: 'm-1' } },
    { name: 'the status', state: [other()], subresource: 'status', old: {}, ...is('m-1') },
    { name: 'switched off', state: [other()], ...is('m-1'), actions: { 'inventory/member-id-unique': 'ignore' } },
  ],
  deny: [
    {
      name: 'itself first, then another',
      state: [tweaked(profile, { [LABEL]: 'm-1' }), other()],
      ...is('m-1'),
      ...taken(),
    },
    { name: 'an id that becomes taken', state: [other()], old: { [LABEL]: 'm-0' }, ...is('m-1'), ...taken() },
    { name: 'one of the other version', base: profileAlpha, state: [other()], ...is('m-1'), ...taken() },
    { name: 'a dry run', state: [other()], dryRun: true, user: null, ...is('m-1'), ...taken() },
    { name: 'nothing is known', state: 'unknown', ...is('m-1'), unknown: 'silent' },
    { name: 'nothing is known, and it would deny', state: 'unknown', ...is('m-1'), ...DENY, unknown: 'indeterminate' },
  ],
});
