import { rule } from '../../../src/rules/claim/id-present-in-clusterset.ts';
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
const deleted = (name = 'id.k8s.io', action: Action = 'deny'): Pick<DenyCase, 'findings'> => ({
  findings: [
    [
      action,
      'metadata.name',
      `${name} cannot be deleted while clusterset.k8s.io exists; leave the ClusterSet first (delete clusterset.k8s.io)`,
    ],
  ],
});
const NEWER = 'cluster.clusterset.k8s.io';
const COLLECTOR = 'system:serviceaccount:kube-system:generic-garbage-collector';
const ACTION = 'claim/id-present-in-clusterset';

testRule(rule, id, {
  allow: [
    gone('another claim', { base: custom, state: [membership] }),
    gone('the membership', { base: membership, state: [id, membership] }),
    gone('a member of another dialect', { state: [ocmMembership, propertyMembership] }),
    gone('OCM, where ours is a member', { base: ocmId, state: [membership] }),
    gone('the older name, where the newer exists', { base: propertyOlderId, state: [propertyId, propertyMembership] }),
    gone('the older name, where the newer exists in the other version', {
      base: propertyOlderId,
      state: [propertyAlphaId, propertyMembership],
    }),
    gone('a second deletion of one that is on its way out', { old: DYING, state: [membership] }),
    gone('switched off', { state: [membership], actions: { [ACTION]: 'ignore' } }),
    { name: 'an update', state: [membership], old: {}, set: { '/spec/value': 'x' } },
  ],
  deny: [
    { ...gone('while leaving', { state: [tweaked(membership, DYING)] }), ...deleted() },
    { ...gone('OCM', { base: ocmId, state: [ocmMembership] }), ...deleted() },
    { ...gone('a property', { base: propertyId, state: [propertyMembership] }), ...deleted(NEWER) },
    {
      ...gone('the newer name, where the older stays', {
        base: propertyAlphaId,
        state: [propertyOlderId, propertyMembership],
      }),
      ...deleted(NEWER),
    },
    { ...gone('the older name alone', { base: propertyOlderId, state: [propertyMembership] }), ...deleted() },
    {
      ...gone('the older name, where only another dialect has the newer', {
        base: propertyOlderId,
        state: [tweaked(id, { '/metadata/name': NEWER }), propertyMembership],
      }),
      ...deleted(),
    },
    { ...gone('an id without a value', { old: { '/spec': undefined }, state: [membership] }), ...deleted() },
    { ...gone('a dry run', { dryRun: true, state: [membership] }), ...deleted() },
    { ...gone('a warning in a first rollout', { mode: 'warn', state: [membership] }), ...deleted('id.k8s.io', 'warn') },
    { ...gone('nothing is known to the collector', { state: 'unknown', user: COLLECTOR }), unknown: 'indeterminate' },
    {
      ...gone('nothing is known, and it warns', { state: 'unknown', actions: { [ACTION]: 'warn' } }),
      unknown: 'silent',
    },
  ],
});
