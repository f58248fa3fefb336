import { rule } from '../../../src/rules/inventory/unique-name.ts';
import type { Action } from '../../../src/rules/rule.ts';
import { inventory, profile, profileAlpha } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule, tweaked } from '../rule-tester.ts';

const WARN: Pick<RuleCase, 'actions'> = { actions: { 'inventory/unique-name': 'warn' } };
const elsewhere = tweaked(profile, { '/metadata/namespace': 'fleet-b' });
const taken = (action: Action = 'warn', namespace = 'fleet-b'): Pick<DenyCase, 'actions' | 'findings'> => ({
  actions: { 'inventory/unique-name': action },
  findings: [
    [
      action,
      'metadata.name',
      `the name "harbour-7k2" is taken in the namespace ${namespace}; choose a name that no other cluster has`,
    ],
  ],
});

testRule(rule, profile, {
  allow: [
    { name: 'ignored at the check, too', point: 'check', state: [elsewhere] },
    { name: 'a free name at the scan', point: 'scan', state: [profile] },
    {
      name: 'switched off at the scan',
      point: 'scan',
      state: [elsewhere],
      actions: { 'inventory/unique-name': 'ignore' },
    },
    { name: 'no name yet', state: [elsewhere], set: { '/metadata/name': undefined }, ...WARN },
    {
      name: 'an empty name beside another',
      state: [tweaked(elsewhere, { '/metadata/name': '' })],
      set: { '/metadata/name': '' },
      ...WARN,
    },
    {
      name: 'a cluster-scoped kind',
      base: inventory,
      state: [elsewhere, tweaked(inventory, { '/metadata/namespace': 'x' })],
      ...WARN,
    },
    { name: 'a deletion', state: [elsewhere], operation: 'DELETE', ...WARN },
    { name: 'the status', state: [elsewhere], subresource: 'status', old: {}, ...WARN },
  ],
  deny: [
    { name: 'itself first, then another', state: [profile, elsewhere], ...taken() },
    { name: 'a terminating one', state: [tweaked(elsewhere, { '/metadata/deletionTimestamp': 'x' })], ...taken() },
    { name: 'one of the other version', base: profileAlpha, state: [elsewhere], ...taken() },
    {
      name: 'one without a namespace',
      state: [tweaked(profile, { '/metadata/namespace': undefined })],
      ...taken('warn', 'nothing'),
    },
    {
      name: 'a warning at the scan in a first rollout',
      point: 'scan',
      mode: 'warn',
      state: [elsewhere],
      ...taken('warn'),
      actions: {},
    },
    { name: 'nothing is known at the scan', point: 'scan', state: 'unknown', unknown: 'indeterminate' },
    { name: 'a dry run', state: [elsewhere], dryRun: true, user: null, ...taken() },
    { name: 'nothing is known', state: 'unknown', ...WARN, unknown: 'silent' },
  ],
});
