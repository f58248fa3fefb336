import { rule } from '../../../src/rules/claim/clusterset-value.ts';
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

const is = (value: Json | undefined): Pick<RuleCase, 'set'> => ({ set: { '/spec/value': value } });
const empty = (action: Action = 'deny'): Pick<DenyCase, 'findings' | 'set'> => ({
  ...is(''),
  findings: [
    [
      action,
      'spec.value',
      'must name a ClusterSet, got ""; set it to the name of the ClusterSet that the cluster joins',
    ],
  ],
});

testRule(rule, membership, {
  allow: [
    { name: 'a name' },
    { name: 'one character', ...is('f') },
    { name: 'any text', ...is('Fleet №7, north/west') },
    { name: 'a missing value, which is the business of claim/value', ...is(undefined) },
    { name: 'null, likewise', ...is(null) },
    { name: 'a number, likewise', ...is(0) },
    { name: 'a boolean, likewise', ...is(false) },
    { name: 'an empty list, likewise', ...is([]) },
    { name: 'no spec, likewise', set: { '/spec': undefined } },
    { name: 'an empty id, which has a syntax of its own', base: id, ...is('') },
    { name: 'an empty property id', base: propertyId, ...is('') },
    { name: 'an empty custom claim', base: custom, ...is('') },
    { name: 'an older empty one left alone', old: { '/spec/value': '' }, set: { '/metadata/labels': { a: 'b' } } },
    { name: 'leaving with an empty one', operation: 'DELETE', old: { '/spec/value': '' } },
    { name: 'the status', subresource: 'status', old: {}, ...is('') },
    { name: 'switched off', ...is(''), actions: { 'claim/clusterset-value': 'ignore' } },
  ],
  deny: [
    { name: 'empty', ...empty() },
    { name: 'emptied', old: {}, ...empty() },
    { name: 'empty instead of missing', old: { '/spec/value': null }, ...empty() },
    { name: 'OCM', base: ocmMembership, ...empty() },
    { name: 'a property', base: propertyMembership, ...empty() },
    { name: 'a property in v1alpha1', base: propertyAlphaMembership, ...empty() },
    { name: 'a dry run', dryRun: true, user: null, ...empty() },
    { name: 'a warning in a first rollout', mode: 'warn', ...empty('warn') },
  ],
});
