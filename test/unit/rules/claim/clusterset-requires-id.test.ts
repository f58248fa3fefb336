import { rule } from '../../../../src/rules/claim/clusterset-requires-id.ts';
import type { Action } from '../../../../src/rules/rule.ts';
import { alpha, custom, DYING, id, membership, ocm, property, v1 } from '../../../support/bases.ts';
import { finds, testRule, tweaked } from '../../../support/rule-tester.ts';

const set = (action: Action) => ({ actions: { 'claim/clusterset-requires-id': action } });
const NEWER = 'ClusterProperty cluster.clusterset.k8s.io';
const OLDER = 'ClusterClaim id.k8s.io';

const found = (message: string, action?: Action) => finds('metadata.name', message, action);
const missing = (what: string, action: Action = 'warn') =>
  found(`the cluster joins a ClusterSet without an id; create the ${what} first, or right after`, action);
const going = (what: string) =>
  found(
    `the cluster joins a ClusterSet while its id ${what.split(' ')[1]} is being deleted; wait until it is gone, create the ${what} again, then join`,
  );
const differ = () =>
  found(
    'the cluster joins a ClusterSet with two ids: cluster.clusterset.k8s.io and id.k8s.io hold different values; correct one of them, or delete id.k8s.io, then join',
  );

const idGoes = { state: [tweaked(id, DYING)] };
const south = tweaked(property.olderId, { '/spec/value': 'south' });
/** A cluster whose two id names hold different values. */
const twoIds = { base: property.membership, state: [property.id, south] };

testRule(rule, membership, {
  allow: [
    { name: 'joining with an id, where that is denied', state: [id], ...set('deny') },
    { name: 'OCM with an id', base: ocm.membership, state: [ocm.id] },
    { name: 'a property in v1', base: v1(property.membership), state: [v1(property.id)] },
    { name: 'a property in v1 with an id of v1alpha1', base: v1(property.membership), state: [alpha.id] },
    {
      name: 'two ids that are both without a value, which is found elsewhere',
      base: property.membership,
      state: [tweaked(property.id, { '/spec/value': null }), tweaked(property.olderId, { '/spec/value': undefined })],
    },
    {
      name: 'a property whose newer name goes and whose older stays',
      base: property.membership,
      state: [tweaked(property.id, DYING), property.olderId],
    },
    { name: 'another claim', base: custom },
    { name: 'a stored member with an id', state: [id], stored: true },
    { name: 'a stored member with two ids, which another rule reports', ...twoIds, stored: true },
    { name: 'another claim while the id goes', base: custom, ...idGoes },
  ],
  deny: [
    { name: 'an id of another dialect', state: [ocm.id, property.olderId], ...missing(OLDER) },
    { name: 'a property', base: property.membership, state: [id], ...missing(NEWER) },
    { name: 'a property in v1', base: v1(property.membership), ...missing(NEWER) },
    { name: 'without an id on a dry run', dryRun: true, ...missing(OLDER) },
    { name: 'OCM while its id goes', base: ocm.membership, state: [tweaked(ocm.id, DYING)], ...going(OLDER) },
    { name: 'while the id goes, by whom nobody knows', ...idGoes, user: null, ...going(OLDER) },
    { name: 'while the id goes, at the check', ...idGoes, point: 'check', ...going(OLDER) },
    { name: 'two ids in v1', ...twoIds, base: v1(property.membership), ...differ() },
    { name: 'two ids of which the older goes', ...twoIds, state: [property.id, tweaked(south, DYING)], ...differ() },
    { name: 'two ids on a dry run', ...twoIds, dryRun: true, ...differ() },
    { name: 'a configured denial only warns on a dry run', dryRun: true, ...set('deny'), ...missing(OLDER, 'warn') },
    { name: 'the same on a dry run', ...idGoes, dryRun: true, ...set('deny'), ...going(OLDER) },
    {
      name: 'a stored member without an id',
      stored: true,
      ...found('the cluster is in a ClusterSet without an id; create the ClusterClaim id.k8s.io', 'deny'),
    },
    {
      name: 'a stored member whose id goes',
      ...idGoes,
      stored: true,
      ...found(
        'the cluster is in a ClusterSet while its id id.k8s.io is being deleted; create the ClusterClaim id.k8s.io again',
      ),
    },
    { name: 'nothing is known on a dry run', state: 'unknown', dryRun: true, ...set('deny'), unknown: 'silent' },
  ],
});
