import { rule } from '../../../src/rules/claim/id-stable.ts';
import type { Action, Json } from '../../../src/rules/rule.ts';
import {
  custom,
  id,
  membership,
  ocmId,
  ocmMembership,
  propertyAlphaId,
  propertyId,
  propertyMembership,
  propertyOlderId,
} from '../bases.ts';
import { type DenyCase, type RuleCase, testRule, tweaked } from '../rule-tester.ts';

const DYING = { '/metadata/deletionTimestamp': '2026-06-01T11:59:00Z', '/metadata/finalizers': ['example.org/wait'] };
const to = (value: Json | undefined): Pick<RuleCase, 'old' | 'set'> => ({ old: {}, set: { '/spec/value': value } });
const changed = (shown: string, action: Action = 'warn'): Pick<DenyCase, 'findings'> => ({
  findings: [
    [
      action,
      'spec.value',
      `an id should stay the same for the life of its cluster, got ${shown}; go on only if nothing relies on the former id`,
    ],
  ],
});

testRule(rule, id, {
  allow: [
    { name: 'a change while leaving, likewise', state: [tweaked(membership, DYING)], ...to('north-2') },
    { name: 'OCM within', base: ocmId, state: [ocmMembership], ...to('north-2') },
    { name: 'metadata alone', old: {}, set: { '/metadata/labels': { a: 'b' }, '/metadata/finalizers': ['a/b'] } },
    { name: 'null for a value that was missing', old: { '/spec/value': undefined }, set: { '/spec/value': null } },
    { name: 'another claim', base: custom, ...to('south') },
    { name: 'a deletion', operation: 'DELETE' },
    { name: 'the status', subresource: 'status', ...to('north-2') },
    { name: 'switched off', ...to('x'), actions: { 'claim/id-stable': 'ignore' } },
  ],
  deny: [
    { name: 'a value at last', old: { '/spec/value': undefined }, set: { '/spec/value': 'x' }, ...changed('"x"') },
    { name: 'a member of another dialect', state: [ocmMembership, propertyMembership], ...to('x'), ...changed('"x"') },
    { name: 'OCM', base: ocmId, state: [membership], ...to('x'), ...changed('"x"') },
    { name: 'a property', base: propertyId, ...to('x'), ...changed('"x"') },
    { name: 'a property in v1alpha1', base: propertyAlphaId, ...to('x'), ...changed('"x"') },
    { name: 'its older name', base: propertyOlderId, ...to('x'), ...changed('"x"') },
    { name: 'a dry run', dryRun: true, user: null, ...to('x'), ...changed('"x"') },
    { name: 'denied where configured', ...to('x'), actions: { 'claim/id-stable': 'deny' }, ...changed('"x"', 'deny') },
    { name: 'recorded in audit mode', ...to('x'), mode: 'audit', ...changed('"x"', 'audit') },
    { name: 'one being deleted', old: DYING, set: { '/spec/value': 'x' }, ...changed('"x"') },
    { name: 'nothing is known', state: 'unknown', ...to('x'), unknown: 'silent' },
    {
      name: 'nothing is known, and it would deny',
      state: 'unknown',
      ...to('x'),
      actions: { 'claim/id-stable': 'deny' },
      unknown: 'indeterminate',
    },
  ],
});
