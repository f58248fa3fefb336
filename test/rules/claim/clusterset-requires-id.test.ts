import { rule } from '../../../src/rules/claim/clusterset-requires-id.ts';
import type { Action } from '../../../src/rules/rule.ts';
import {
  custom,
  id,
  membership,
  ocmId,
  ocmMembership,
  propertyAlphaId,
  propertyAlphaMembership,
  propertyId,
  propertyMembership,
  propertyOlderId,
} from '../bases.ts';
import { type DenyCase, type RuleCase, testRule, tweaked } from '../rule-tester.ts';

const DYING = { '/metadata/deletionTimestamp': '2026-06-01T11:59:00Z' };
const DENY: Pick<RuleCase, 'actions'> = { actions: { 'claim/clusterset-requires-id': 'deny' } };
const NEWER = 'ClusterProperty cluster.clusterset.k8s.io';
const OLDER = 'ClusterClaim id.k8s.io';

const missing = (what: string, action: Action = 'warn'): Pick<DenyCase, 'findings'> => ({
  findings: [
    [action, 'metadata.name', `the cluster joins a ClusterSet without an id; create the ${what} first, or right after`],
  ],
});
const going = (what: string, action: Action = 'warn'): Pick<DenyCase, 'findings'> => ({
  findings: [
    [
      action,
      'metadata.name',
      `the cluster joins a ClusterSet while its id ${what.split(' ')[1]} is being deleted; create the ${what} again`,
    ],
  ],
});

testRule(rule, membership, {
  allow: [
    { name: 'joining with an id', state: [id] },
    { name: 'joining with an id, where that is denied', state: [id], ...DENY },
    { name: 'joining again with the same id', state: [tweaked(id, { '/spec/value': 'old' })] },
    {
      name: 'joining with an id without a value, which is found elsewhere',
      state: [tweaked(id, { '/spec': undefined })],
    },
    { name: 'OCM with an id', base: ocmMembership, state: [ocmId] },
    { name: 'a property with the newer name', base: propertyMembership, state: [propertyId] },
    { name: 'a property with the older name', base: propertyMembership, state: [propertyOlderId] },
    { name: 'a property with an id of the other version', base: propertyMembership, state: [propertyAlphaId] },
    {
      name: 'a property whose newer name goes and whose older stays',
      base: propertyMembership,
      state: [tweaked(propertyId, DYING), propertyOlderId],
    },
    { name: 'another claim', base: custom },
    { name: 'the id itself', base: id },
    { name: 'an update', old: {}, set: { '/metadata/labels': {} } },
    { name: 'leaving', operation: 'DELETE' },
    { name: 'the status', subresource: 'status', old: {} },
    { name: 'switched off', actions: { 'claim/clusterset-requires-id': 'ignore' } },
  ],
  deny: [
    { name: 'joining without an id', ...missing(OLDER) },
    { name: 'joining while the id goes', state: [tweaked(id, DYING)], ...going(OLDER) },
    { name: 'an id of another dialect', state: [ocmId, propertyOlderId], ...missing(OLDER) },
    { name: 'OCM with an id of ours', base: ocmMembership, state: [id], ...missing(OLDER) },
    { name: 'a property', base: propertyMembership, state: [id], ...missing(NEWER) },
    { name: 'a property in v1alpha1', base: propertyAlphaMembership, ...missing(NEWER) },
    {
      name: 'a property while its older name goes',
      base: propertyMembership,
      state: [tweaked(propertyOlderId, DYING)],
      ...going(NEWER),
    },
    { name: 'denied where configured', ...DENY, ...missing(OLDER, 'deny') },
    { name: 'an id that goes, where configured', state: [tweaked(id, DYING)], ...DENY, ...going(OLDER, 'deny') },
    { name: 'a dry run warns where configured to deny', dryRun: true, ...DENY, ...missing(OLDER, 'warn') },
    {
      name: 'a dry run is recorded where that is configured',
      dryRun: true,
      actions: { 'claim/clusterset-requires-id': 'audit' },
      ...missing(OLDER, 'audit'),
    },
    { name: 'at the check, denied where configured', point: 'check', ...DENY, ...missing(OLDER, 'deny') },
    { name: 'nobody said who asks', user: null, ...missing(OLDER) },
    { name: 'nothing is known', state: 'unknown', unknown: 'silent' },
    { name: 'nothing is known, and it would deny', state: 'unknown', ...DENY, unknown: 'indeterminate' },
    { name: 'nothing is known on a dry run', state: 'unknown', dryRun: true, ...DENY, unknown: 'silent' },
  ],
});
