import { rule } from '../../../src/rules/claim/id-present.ts';
import type { Action } from '../../../src/rules/rule.ts';
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
const gone = (name: string, row: Omit<RuleCase, 'name'> = {}): RuleCase => ({ name, operation: 'DELETE', ...row });
const deleted = (name = 'id.k8s.io', action: Action = 'warn'): Pick<DenyCase, 'findings'> => ({
  findings: [
    [
      action,
      'metadata.name',
      `${name} must exist as long as its cluster does; delete it only at the end of the cluster`,
    ],
  ],
});
const NEWER = 'cluster.clusterset.k8s.io';

testRule(rule, id, {
  allow: [
    gone('while leaving, likewise', { state: [tweaked(membership, DYING)] }),
    gone('OCM within', { base: ocmId, state: [ocmMembership] }),
    gone('a property within', { base: propertyId, state: [propertyMembership] }),
    gone('another claim', { base: custom }),
    gone('the membership', { base: membership, state: [id, membership] }),
    gone('the older name, where the newer exists', { base: propertyOlderId, state: [propertyId] }),
    gone('switched off', { actions: { 'claim/id-present': 'ignore' } }),
    { name: 'an update', old: {}, set: { '/spec/value': 'x' } },
  ],
  deny: [
    { ...gone('OCM', { base: ocmId, state: [membership] }), ...deleted() },
    { ...gone('ours, where OCM is a member', { state: [ocmMembership] }), ...deleted() },
    { ...gone('a property', { base: propertyAlphaId }), ...deleted(NEWER) },
    {
      ...gone('the older name, where the newer goes too', {
        base: propertyOlderId,
        state: [tweaked(propertyId, DYING)],
      }),
      ...deleted(),
    },
    { ...gone('a dry run', { dryRun: true, user: null }), ...deleted() },
    { ...gone('nothing is known of a property', { base: propertyOlderId, state: 'unknown' }), unknown: 'silent' },
    {
      ...gone('nothing is known, and it would deny', { state: 'unknown', actions: { 'claim/id-present': 'deny' } }),
      unknown: 'indeterminate',
    },
  ],
});
