import { rule } from '../../../src/rules/claim/clusterset-immutable.ts';
import type { Action, Json } from '../../../src/rules/rule.ts';
import {
  custom,
  id,
  membership,
  ocmMembership,
  propertyAlphaMembership,
  propertyId,
  propertyMembership,
} from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';

const DYING = { '/metadata/deletionTimestamp': '2026-06-01T11:59:00Z', '/metadata/finalizers': ['example.org/wait'] };
const to = (value: Json | undefined): Pick<RuleCase, 'old' | 'set'> => ({ old: {}, set: { '/spec/value': value } });
const changed = (shown: string, action: Action = 'deny'): Pick<DenyCase, 'findings'> => ({
  findings: [
    [
      action,
      'spec.value',
      `a membership does not change, got ${shown}; leave the ClusterSet (delete clusterset.k8s.io) and join the other one (create clusterset.k8s.io)`,
    ],
  ],
});

testRule(rule, membership, {
  allow: [
    { name: 'metadata alone', old: {}, set: { '/metadata/labels': { a: 'b' }, '/metadata/finalizers': ['a/b'] } },
    { name: 'an id', base: id, ...to('x') },
    { name: 'a property id', base: propertyId, ...to('x') },
    { name: 'a custom claim', base: custom, ...to('x') },
    { name: 'leaving', operation: 'DELETE' },
    { name: 'a finalizer taken off one that is being deleted', old: DYING, set: { '/metadata/finalizers': undefined } },
    { name: 'the status', subresource: 'status', ...to('red-fleet') },
    { name: 'switched off', ...to('x'), actions: { 'claim/clusterset-immutable': 'ignore' } },
  ],
  deny: [
    { name: 'taken away', ...to(undefined), ...changed('nothing') },
    { name: 'no spec any more', old: {}, set: { '/spec': null }, ...changed('nothing') },
    { name: 'OCM', base: ocmMembership, ...to('x'), ...changed('"x"') },
    { name: 'a property', base: propertyMembership, ...to('x'), ...changed('"x"') },
    { name: 'a property in v1alpha1', base: propertyAlphaMembership, ...to('x'), ...changed('"x"') },
    {
      name: 'one that is being deleted, with its finalizer',
      old: DYING,
      set: { '/spec/value': 'x', '/metadata/finalizers': undefined },
      ...changed('"x"'),
    },
    { name: 'a dry run', dryRun: true, user: null, ...to('x'), ...changed('"x"') },
    { name: 'a warning in a first rollout', mode: 'warn', ...to('x'), ...changed('"x"', 'warn') },
  ],
});
