import { rule } from '../../../src/rules/claim/clusterset-requires-id.ts';
import type { Action, JsonObject } from '../../../src/rules/rule.ts';
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
const set = (action: Action): Pick<RuleCase, 'actions'> => ({ actions: { 'claim/clusterset-requires-id': action } });
const NEWER = 'ClusterProperty cluster.clusterset.k8s.io';
const OLDER = 'ClusterClaim id.k8s.io';

const found = (message: string, action: Action): Pick<DenyCase, 'findings'> => ({
  findings: [[action, 'metadata.name', message]],
});
const missing = (what: string, action: Action = 'warn') =>
  found(`the cluster joins a ClusterSet without an id; create the ${what} first, or right after`, action);
const going = (what: string, action: Action = 'deny') =>
  found(
    `the cluster joins a ClusterSet while its id ${what.split(' ')[1]} is being deleted; wait until it is gone, create the ${what} again, then join`,
    action,
  );
const differ = (action: Action = 'deny') =>
  found(
    'the cluster joins a ClusterSet with two ids: cluster.clusterset.k8s.io and id.k8s.io hold different values; correct one of them, or delete id.k8s.io, then join',
    action,
  );

const v1 = (object: JsonObject): JsonObject => ({ ...object, apiVersion: 'about.k8s.io/v1' });
const idGoes = { state: [tweaked(id, DYING)] };
const south = tweaked(propertyOlderId, { '/spec/value': 'south' });
/** A cluster whose two id names hold different values. */
const twoIds = { base: propertyMembership, state: [propertyId, south] };

testRule(rule, membership, {
  allow: [
    { name: 'joining with an id, where that is denied', state: [id], ...set('deny') },
    { name: 'OCM with an id', base: ocmMembership, state: [ocmId] },
    { name: 'a property in v1', base: v1(propertyMembership), state: [v1(propertyId)] },
    { name: 'a property in v1 with an id of v1alpha1', base: v1(propertyMembership), state: [propertyAlphaId] },
    {
      name: 'two ids that are both without a value, which is found elsewhere',
      base: propertyMembership,
      state: [tweaked(propertyId, { '/spec/value': null }), tweaked(propertyOlderId, { '/spec/value': undefined })],
    },
    {
      name: 'a property whose newer name goes and whose older stays',
      base: propertyMembership,
      state: [tweaked(propertyId, DYING), propertyOlderId],
    },
    { name: 'another claim', base: custom },
    { name: 'another claim while the id goes', base: custom, ...idGoes },
    { name: 'leaving', operation: 'DELETE' },
    { name: 'the status', subresource: 'status', old: {} },
    { name: 'switched off, with two ids', ...twoIds, ...set('ignore') },
  ],
  deny: [
    { name: 'an id of another dialect', state: [ocmId, propertyOlderId], ...missing(OLDER) },
    { name: 'a property', base: propertyMembership, state: [id], ...missing(NEWER) },
    { name: 'a property in v1', base: v1(propertyMembership), ...missing(NEWER) },
    { name: 'without an id on a dry run', dryRun: true, ...missing(OLDER) },
    { name: 'without an id in a first rollout', mode: 'warn', ...missing(OLDER) },
    { name: 'OCM while its id goes', base: ocmMembership, state: [tweaked(ocmId, DYING)], ...going(OLDER) },
    { name: 'while the id goes, by whom nobody knows', ...idGoes, user: null, ...going(OLDER) },
    { name: 'while the id goes, at the check', ...idGoes, point: 'check', ...going(OLDER) },
    { name: 'two ids in v1', ...twoIds, base: v1(propertyMembership), ...differ() },
    { name: 'two ids in v1alpha1', ...twoIds, base: propertyAlphaMembership, ...differ() },
    { name: 'two ids of which the older goes', ...twoIds, state: [propertyId, tweaked(south, DYING)], ...differ() },
    { name: 'two ids on a dry run', ...twoIds, dryRun: true, ...differ() },
    { name: 'a configured denial only warns on a dry run', dryRun: true, ...set('deny'), ...missing(OLDER, 'warn') },
    { name: 'the same on a dry run', ...idGoes, dryRun: true, ...set('deny'), ...going(OLDER) },
    { name: 'nothing is known, and it would deny', state: 'unknown', ...set('deny'), unknown: 'indeterminate' },
    { name: 'nothing is known on a dry run', state: 'unknown', dryRun: true, ...set('deny'), unknown: 'silent' },
  ],
});
