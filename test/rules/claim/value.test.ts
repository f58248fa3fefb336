import { rule } from '../../../src/rules/claim/value.ts';
import type { Action } from '../../../src/rules/rule.ts';
import {
  custom,
  id,
  inventory,
  membership,
  ocmCustom,
  ocmId,
  ocmMembership,
  propertyAlphaId,
  propertyCustom,
  propertyId,
} from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';

const value = (text: RuleCase['set']): Pick<RuleCase, 'set'> => (text ? { set: text } : {});
const is = (content: NonNullable<RuleCase['set']>[string]): Pick<RuleCase, 'set'> => value({ '/spec/value': content });
const found = (message: string, action: Action = 'deny'): Pick<DenyCase, 'findings'> => ({
  findings: [[action, 'spec.value', message]],
});

const missing = found('is missing; set it to a string (a claim without a value says nothing)');
const type = (kind: string) => found(`must be a string, got ${kind}; write it as one text`);
const unquoted = (kind: string) => found(`must be a string, got ${kind}; put it in quotes`);
const long = (limit: number, action?: Action) =>
  found(`must be at most ${limit} characters, got more; shorten it`, action);
const DYING = { '/metadata/deletionTimestamp': '2026-06-01T11:59:00Z', '/metadata/finalizers': ['example.org/wait'] };

testRule(rule, custom, {
  allow: [
    { name: 'the limit of ClusterProperty', base: propertyCustom, ...is('v'.repeat(128_000)) },
    { name: 'no spec in OCM', base: ocmCustom, ...value({ '/spec': undefined }) },
    { name: 'a value taken away in OCM', base: ocmCustom, old: {}, ...is(undefined) },
    { name: 'an empty id in OCM, which its syntax refuses', base: ocmId, ...is('') },
    { name: 'a bad id, which is the business of its syntax', base: id, ...is('NOT A LABEL') },
    { name: 'an empty membership, likewise', base: membership, ...is('') },
    { name: 'fields of a later version', ...value({ '/spec/future': { deep: [1, { a: null }] }, '/extra': 1 }) },
    { name: 'an older missing value left alone', old: { '/spec/value': undefined }, set: { '/metadata/labels': {} } },
    { name: 'a deletion of a bad one', operation: 'DELETE', old: { '/spec/value': 7 } },
    { name: 'the status', subresource: 'status', old: {}, ...is(7) },
    {
      name: 'a finalizer taken off an older bad one that is being deleted',
      old: { ...DYING, '/spec/value': 7 },
      ...value({ '/metadata/finalizers': undefined }),
    },
    { name: 'switched off', ...is(7), actions: { 'claim/value': 'ignore' } },
    { name: 'an object of the inventory', base: inventory },
  ],
  deny: [
    { name: 'no spec', ...value({ '/spec': undefined }), ...missing },
    { name: 'an object', ...is({ a: 'b' }), ...type('an object') },
    { name: 'an object named as a prototype has it', ...is({ constructor: 'x' }), ...type('an object') },
    { name: 'one more than the limit of OCM', base: ocmCustom, ...is('v'.repeat(1025)), ...long(1024) },
    { name: 'no membership in OCM', base: ocmMembership, ...is(undefined), ...missing },
    { name: 'an id in OCM whose value is taken away', base: ocmId, old: {}, ...is(undefined), ...missing },
    { name: 'no value under the name of an id of ClusterProperty', base: propertyId, ...is(undefined), ...missing },
    { name: 'a boolean in ClusterProperty', base: propertyCustom, ...is(false), ...unquoted('a boolean') },
    { name: 'no value in ClusterProperty v1alpha1', base: propertyAlphaId, ...is(null), ...missing },
    { name: 'a dry run', ...is(7), dryRun: true, ...unquoted('a number') },
    { name: 'nobody said who asks', ...is(7), user: null, ...unquoted('a number') },
    { name: 'one being deleted whose value changes', old: DYING, ...is(7), ...unquoted('a number') },
    {
      name: 'a warning where configured',
      base: ocmCustom,
      ...is('v'.repeat(1025)),
      actions: { 'claim/value': 'warn' },
      ...long(1024, 'warn'),
    },
    {
      name: 'a warning in a first rollout',
      base: ocmCustom,
      ...is('v'.repeat(1025)),
      mode: 'warn',
      ...long(1024, 'warn'),
    },
  ],
});
