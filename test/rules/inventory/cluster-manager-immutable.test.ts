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
    { name: 'the same name again', ...to('harbour') },
    { name: 'another display name', old: {}, set: { '/spec/displayName': 'South' } },
    { name: 'labels', old: {}, set: { '/metadata/labels': {} } },
    { name: 'a later field that is null', old: {}, set: { [`${MANAGER}/region`]: null } },
    { name: 'a manager gained', ...from(undefined, { name: 'harbour' }) },
    { name: 'a manager gained from null', ...from(null, { name: 'harbour' }) },
    { name: 'a manager gained from no spec', old: { '/spec': undefined }, set: { [MANAGER]: { name: 'harbour' } } },
    { name: 'a name gained', ...from({}, { name: 'harbour' }) },
    { name: 'a name gained from null', ...from({ name: null }, { name: 'harbour' }) },
    { name: 'a name gained beside what is kept', ...from({ region: 'x' }, { region: 'x', name: 'harbour' }) },
    { name: 'a name gained beside what is deep', ...from({ a: { b: [1] } }, { a: { b: [1] }, name: 'harbour' }) },
    { name: 'an empty name filled, since it counts as missing', ...from({ name: '' }, { name: 'x' }) },
    { name: 'an empty name filled in a ClusterProfile', base: profile, ...from({ name: '' }, { name: 'x' }) },
    {
      name: 'an empty name filled beside what is kept',
      ...from({ name: '', region: 'x' }, { name: 'a', region: 'x' }),
    },
    { name: 'an empty name left empty', ...from({ name: '' }, { name: '' }) },
    { name: 'an empty name taken away', ...from({ name: '' }, {}) },
    { name: 'a missing name left missing', ...from({ name: null, region: 'x' }, { region: 'x' }) },
    { name: 'a ClusterProfile', base: profile, old: {}, set: { '/spec/displayName': 'South' } },
    { name: 'a creation' },
    { name: 'a deletion', operation: 'DELETE' },
    { name: 'the status', subresource: 'status', ...to('other') },
    { name: 'a finalizer taken off one being deleted', old: DYING, set: { '/metadata/finalizers': [] } },
    { name: 'switched off', ...to('other'), actions: { 'inventory/cluster-manager-immutable': 'ignore' } },
  ],
  deny: [
    { name: 'another name', ...to('other'), ...changed('"other"') },
    { name: 'another case', ...to('Harbour'), ...changed('"Harbour"') },
    {
      name: 'another name and its label',
      old: {},
      set: { [`${MANAGER}/name`]: 'other', '/metadata/labels': { 'x-k8s.io/cluster-manager': 'other' } },
      ...changed('"other"'),
    },
    { name: 'the name taken away', ...to(undefined), ...changed('nothing') },
    { name: 'the name made null', ...to(null), ...changed('nothing') },
    { name: 'the manager taken away', ...from({ name: 'harbour' }, undefined), ...changed('nothing') },
    { name: 'the spec taken away', old: {}, set: { '/spec': undefined }, ...changed('nothing') },
    { name: 'a repaired name changed again', ...from({ name: 'x' }, { name: 'y' }), ...changed('"y"') },
    { name: 'a repaired name emptied again', ...from({ name: 'x' }, { name: '' }), ...changed('""') },
    {
      name: 'an empty name filled and a field lost',
      ...from({ name: '', region: 'x' }, { name: 'a' }),
      ...changed('"a"'),
    },
    { name: 'a name of white space, which is not missing', ...from({ name: ' ' }, { name: 'a' }), ...changed('"a"') },
    { name: 'an empty name made a text', ...from({ name: '' }, 'x'), ...changed('"x"') },
    { name: 'an empty name whose manager is taken away', ...from({ name: '' }, undefined), ...changed('nothing') },
    { name: 'a field added', ...from({ name: 'a' }, { name: 'a', region: 'x' }), ...changed('"a"') },
    { name: 'a field taken away', ...from({ name: 'a', region: 'x' }, { name: 'a' }), ...changed('"a"') },
    { name: 'a name gained and a field lost', ...from({ region: 'x' }, { name: 'a' }), ...changed('"a"') },
    {
      name: 'a name gained and a field changed',
      ...from({ region: 'x' }, { name: 'a', region: 'y' }),
      ...changed('"a"'),
    },
    { name: 'a text made an object', ...from('harbour', { name: 'harbour' }), ...changed('"harbour"') },
    { name: 'an object made a text', ...from({ region: 'x' }, 'x'), ...changed('"x"') },
    { name: 'an object without a name made a list', ...from({}, []), ...changed('a list of 0') },
    { name: 'a list made an object', ...from([], { name: 'x' }), ...changed('"x"') },
    { name: 'a number', ...to(7), ...changed('7') },
    { name: 'a ClusterProfile', base: profile, ...to('other'), ...changed('"other"') },
    { name: 'a ClusterProfile in v1alpha1', base: profileAlpha, ...to('other'), ...changed('"other"') },
    { name: 'one being deleted', old: DYING, set: { [`${MANAGER}/name`]: 'other' }, ...changed('"other"') },
    { name: 'a dry run', dryRun: true, user: null, ...to('other'), ...changed('"other"') },
    { name: 'a warning in a first rollout', mode: 'warn', ...to('other'), ...changed('"other"', 'warn') },
  ],
});
