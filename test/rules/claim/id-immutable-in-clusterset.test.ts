import { rule } from '../../../src/rules/claim/id-immutable-in-clusterset.ts';
import type { Action, Json, JsonObject } from '../../../src/rules/rule.ts';
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

const DYING = { '/metadata/deletionTimestamp': '2026-06-01T11:59:00Z', '/metadata/finalizers': ['example.org/wait'] };
const leaving = tweaked(membership, DYING);
const other = (value: Json | undefined) => tweaked(propertyId, { '/spec/value': value });

const to = (value: Json | undefined): Pick<RuleCase, 'old' | 'set'> => ({ old: {}, set: { '/spec/value': value } });
const changed = (shown: string, action: Action = 'deny'): Pick<DenyCase, 'findings'> => ({
  findings: [
    [
      action,
      'spec.value',
      `the id of a cluster cannot change while clusterset.k8s.io exists, got ${shown}; leave the ClusterSet first (delete clusterset.k8s.io), then change the id and join again`,
    ],
  ],
});
/** The older name is free to go once the newer exists. */
const older = (shown: string): Pick<DenyCase, 'findings'> => ({
  findings: [
    [
      'deny',
      'spec.value',
      `the id of a cluster cannot change while clusterset.k8s.io exists, got ${shown}; cluster.clusterset.k8s.io holds the id too, so deleting id.k8s.io suffices`,
    ],
  ],
});
const v1 = (object: JsonObject): JsonObject => ({ ...object, apiVersion: 'about.k8s.io/v1' });
const contradicts = (name: string, shown: string): Pick<DenyCase, 'findings'> => ({
  findings: [
    [
      'deny',
      'spec.value',
      `the cluster already has another id in ${name}, and an id cannot change while clusterset.k8s.io exists, got ${shown}; use the same value, or leave the ClusterSet first`,
    ],
  ],
});
const NEWER = 'cluster.clusterset.k8s.io';
const OLDER = 'id.k8s.io';

testRule(rule, id, {
  allow: [
    { name: 'metadata alone', state: [membership], old: {}, set: { '/metadata/labels': { a: 'b' } } },
    { name: 'another claim', base: custom, state: [membership], ...to('south') },
    { name: 'a member of another dialect', state: [ocmMembership, propertyMembership], ...to('north-2') },
    { name: 'OCM, where ours is a member', base: ocmId, state: [membership], ...to('north-2') },
    { name: 'a deletion, which has a rule of its own', operation: 'DELETE', state: [membership] },
    { name: 'the status', subresource: 'status', state: [membership], ...to('north-2') },
    {
      name: 'switched off',
      state: [membership],
      ...to('x'),
      actions: { 'claim/id-immutable-in-clusterset': 'ignore' },
    },
    {
      name: 'a finalizer taken off an id that is being deleted',
      state: [membership],
      old: DYING,
      set: { '/metadata/finalizers': undefined },
    },
    { name: 'the only name of a property id', base: propertyId, state: [propertyMembership] },
    { name: 'two ids outside of a ClusterSet', base: propertyOlderId, state: [other('south')] },
  ],
  deny: [
    { name: 'a change while leaving', state: [leaving], ...to('north-2'), ...changed('"north-2"') },
    { name: 'no spec any more', state: [membership], old: {}, set: { '/spec': undefined }, ...changed('nothing') },
    { name: 'OCM', base: ocmId, state: [ocmMembership], ...to('north-2'), ...changed('"north-2"') },
    { name: 'a property', base: propertyId, state: [propertyMembership], ...to('south'), ...changed('"south"') },
    {
      name: 'its older name, where the newer stays',
      base: propertyOlderId,
      state: [propertyMembership, propertyId],
      ...to('south'),
      ...older('"south"'),
    },
    {
      name: 'its older name, where the newer holds the value that it is to have',
      base: propertyOlderId,
      state: [propertyMembership, other('south')],
      ...to('south'),
      ...older('"south"'),
    },
    {
      name: 'a property in v1',
      base: v1(propertyId),
      state: [v1(propertyMembership)],
      ...to('south'),
      ...changed('"south"'),
    },
    { name: 'a dry run', state: [membership], dryRun: true, ...to('x'), ...changed('"x"') },
    { name: 'nobody said who asks', state: [membership], user: null, ...to('x'), ...changed('"x"') },
    { name: 'a warning in a first rollout', state: [membership], mode: 'warn', ...to('x'), ...changed('"x"', 'warn') },
    {
      name: 'another id by its newer name',
      base: propertyAlphaId,
      state: [propertyMembership, propertyOlderId],
      set: { '/spec/value': 'south' },
      ...contradicts(OLDER, '"south"'),
    },
    {
      name: 'another id beside one that is being deleted',
      base: propertyOlderId,
      state: [propertyAlphaMembership, tweaked(other('south'), DYING)],
      ...contradicts(NEWER, '"north-1"'),
    },
    { name: 'nothing is known on a change', state: 'unknown', ...to('x'), unknown: 'indeterminate' },
    {
      name: 'nothing is known, and it only warns',
      state: 'unknown',
      ...to('x'),
      actions: { 'claim/id-immutable-in-clusterset': 'warn' },
      unknown: 'silent',
    },
  ],
});
