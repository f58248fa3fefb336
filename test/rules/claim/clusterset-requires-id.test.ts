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
    { name: 'joining with an id', state: [id] },
    { name: 'joining with an id, where that is denied', state: [id], ...set('deny') },
    { name: 'joining again with the same id', state: [tweaked(id, { '/spec/value': 'old' })] },
    {
      name: 'joining with an id without a value, which is found elsewhere',
      state: [tweaked(id, { '/spec': undefined })],
    },
    { name: 'OCM with an id', base: ocmMembership, state: [ocmId] },
    { name: 'a property with the newer name', base: propertyMembership, state: [propertyId] },
    { name: 'a property with the older name', base: propertyMembership, state: [propertyOlderId] },
    {
      name: 'a property with both names and one value',
      base: propertyMembership,
      state: [propertyId, propertyOlderId],
    },
    { name: 'a property with an id of the other version', base: propertyMembership, state: [propertyAlphaId] },
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
    {
      name: 'a property whose older name goes and whose newer stays, where that is denied',
      base: propertyMembership,
      state: [propertyId, tweaked(propertyOlderId, DYING)],
      ...set('deny'),
    },
    { name: 'another claim', base: custom },
    { name: 'another claim while the id goes', base: custom, ...idGoes },
    { name: 'the id itself', base: id },
    { name: 'an update', old: {}, set: { '/metadata/labels': {} } },
    { name: 'an update while the id goes', old: {}, set: { '/metadata/labels': {} }, ...idGoes },
    { name: 'leaving', operation: 'DELETE' },
    { name: 'the status', subresource: 'status', old: {} },
    { name: 'switched off', ...set('ignore') },
    { name: 'switched off, while the id goes', ...idGoes, ...set('ignore') },
    { name: 'switched off, with two ids', ...twoIds, ...set('ignore') },
  ],
  deny: [
    { name: 'joining without an id', ...missing(OLDER) },
    { name: 'an id of another dialect', state: [ocmId, propertyOlderId], ...missing(OLDER) },
    { name: 'OCM with an id of ours', base: ocmMembership, state: [id], ...missing(OLDER) },
    { name: 'a property', base: propertyMembership, state: [id], ...missing(NEWER) },
    { name: 'a property in v1alpha1', base: propertyAlphaMembership, ...missing(NEWER) },
    { name: 'a property in v1', base: v1(propertyMembership), ...missing(NEWER) },
    { name: 'nobody said who asks', user: null, ...missing(OLDER) },
    { name: 'without an id on a dry run', dryRun: true, ...missing(OLDER) },
    { name: 'without an id in a first rollout', mode: 'warn', ...missing(OLDER) },

    { name: 'joining while the id goes', ...idGoes, ...going(OLDER) },
    { name: 'OCM while its id goes', base: ocmMembership, state: [tweaked(ocmId, DYING)], ...going(OLDER) },
    {
      name: 'an id of another dialect beside one that goes',
      state: [tweaked(id, DYING), propertyId],
      ...going(OLDER),
    },
    {
      name: 'a property while its older name goes, which is the one it has',
      base: propertyMembership,
      state: [tweaked(propertyOlderId, DYING)],
      ...going('ClusterProperty id.k8s.io'),
    },
    {
      name: 'a property in v1 while both of its names go',
      base: v1(propertyMembership),
      state: [tweaked(v1(propertyId), DYING), tweaked(v1(propertyOlderId), DYING)],
      ...going(NEWER),
    },
    { name: 'while the id goes, on a dry run', ...idGoes, dryRun: true, ...going(OLDER) },
    { name: 'while the id goes, by whom nobody knows', ...idGoes, user: null, ...going(OLDER) },
    { name: 'while the id goes, in a first rollout', ...idGoes, mode: 'warn', ...going(OLDER, 'warn') },
    { name: 'while the id goes, at the check', ...idGoes, point: 'check', ...going(OLDER) },

    { name: 'two ids', ...twoIds, ...differ() },
    { name: 'two ids in v1', ...twoIds, base: v1(propertyMembership), ...differ() },
    { name: 'two ids in v1alpha1', ...twoIds, base: propertyAlphaMembership, ...differ() },
    {
      name: 'two ids that differ in case',
      ...twoIds,
      state: [propertyId, tweaked(south, { '/spec/value': 'North-1' })],
      ...differ(),
    },
    {
      name: 'an id and one without a value',
      ...twoIds,
      state: [propertyId, tweaked(south, { '/spec': null })],
      ...differ(),
    },
    { name: 'two ids of which the older goes', ...twoIds, state: [propertyId, tweaked(south, DYING)], ...differ() },
    { name: 'two ids of which the newer goes', ...twoIds, state: [tweaked(propertyId, DYING), south], ...differ() },
    { name: 'two ids on a dry run', ...twoIds, dryRun: true, ...differ() },
    { name: 'two ids in a first rollout', ...twoIds, mode: 'warn', ...differ('warn') },

    { name: 'without an id, denied where configured', ...set('deny'), ...missing(OLDER, 'deny') },
    { name: 'without an id, recorded where configured', ...set('audit'), ...missing(OLDER, 'audit') },
    {
      name: 'without an id, denied where configured, at the check',
      point: 'check',
      ...set('deny'),
      ...missing(OLDER, 'deny'),
    },
    { name: 'a configured denial only warns on a dry run', dryRun: true, ...set('deny'), ...missing(OLDER, 'warn') },
    {
      name: 'a dry run is recorded where that is configured',
      dryRun: true,
      ...set('audit'),
      ...missing(OLDER, 'audit'),
    },
    { name: 'while the id goes, denied where configured', ...idGoes, ...set('deny'), ...going(OLDER) },
    { name: 'the same on a dry run', ...idGoes, dryRun: true, ...set('deny'), ...going(OLDER) },
    { name: 'while the id goes, a warning where configured', ...idGoes, ...set('warn'), ...going(OLDER, 'warn') },
    { name: 'while the id goes, recorded where configured', ...idGoes, ...set('audit'), ...going(OLDER, 'audit') },
    { name: 'two ids, a warning where configured', ...twoIds, ...set('warn'), ...differ('warn') },
    { name: 'two ids, recorded where configured', ...twoIds, ...set('audit'), ...differ('audit') },

    { name: 'nothing is known', state: 'unknown', unknown: 'silent' },
    { name: 'nothing is known of a property', base: propertyMembership, state: 'unknown', unknown: 'silent' },
    { name: 'nothing is known, and it would deny', state: 'unknown', ...set('deny'), unknown: 'indeterminate' },
    { name: 'nothing is known on a dry run', state: 'unknown', dryRun: true, ...set('deny'), unknown: 'silent' },
  ],
});
