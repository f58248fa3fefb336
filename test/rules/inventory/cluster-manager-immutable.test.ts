import { rule } from '../../../src/rules/inventory/cluster-manager-immutable.ts';
import type { Action, Json } from '../../../src/rules/rule.ts';
import { inventory, profile, profileAlpha } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';

const DYING = { '/metadata/deletionTimestamp': '2026-06-01T11:59:00Z', '/metadata/finalizers': ['example.org/wait'] };
const MANAGER = '/spec/clusterManager';
const from = (before: Json | undefined, after: Json | undefined): Pick<RuleCase, 'old' | 'set'> => ({
  old: { [MANAGER]: before },
  set: { [MANAGER]: after },
});
const to = (name: Json | undefined): Pick<RuleCase, 'old' | 'set'> => ({ old: {}, set: { [`${MANAGER}/name`]: name } });
const changed = (shown: string, action: Action = 'deny'): Pick<DenyCase, 'findings'> => ({
  findings: [
    [
      action,
      'spec.clusterManager',
      `an object belongs to one cluster manager for good, got ${shown}; keep it as stored, or delete the object and let the other manager create its own`,
    ],
  ],
});

testRule(rule, inventory, {
  allow: [
    { name: 'a manager gained from no spec', old: { '/spec': undefined }, set: { [MANAGER]: { name: 'harbour' } } },
    { name: 'a name gained', ...from({}, { name: 'harbour' }) },
    { name: 'a name gained beside what is kept', ...from({ region: 'x' }, { region: 'x', name: 'harbour' }) },
    { name: 'a name gained beside what is deep', ...from({ a: { b: [1] } }, { a: { b: [1] }, name: 'harbour' }) },
    { name: 'an empty name filled in a ClusterProfile', base: profile, ...from({ name: '' }, { name: 'x' }) },
    { name: 'a ClusterProfile', base: profile, old: {}, set: { '/spec/displayName': 'South' } },
    { name: 'a deletion', operation: 'DELETE' },
    { name: 'the status', subresource: 'status', ...to('other') },
    { name: 'a finalizer taken off one being deleted', old: DYING, set: { '/metadata/finalizers': [] } },
    { name: 'switched off', ...to('other'), actions: { 'inventory/cluster-manager-immutable': 'ignore' } },
  ],
  deny: [
    { name: 'an empty name whose manager is taken away', ...from({ name: '' }, undefined), ...changed('nothing') },
    { name: 'a name gained and a field lost', ...from({ region: 'x' }, { name: 'a' }), ...changed('"a"') },
    { name: 'a ClusterProfile', base: profile, ...to('other'), ...changed('"other"') },
    { name: 'a ClusterProfile in v1alpha1', base: profileAlpha, ...to('other'), ...changed('"other"') },
    { name: 'one being deleted', old: DYING, set: { [`${MANAGER}/name`]: 'other' }, ...changed('"other"') },
    { name: 'a dry run', dryRun: true, user: null, ...to('other'), ...changed('"other"') },
    { name: 'a warning in a first rollout', mode: 'warn', ...to('other'), ...changed('"other"', 'warn') },
  ],
});
