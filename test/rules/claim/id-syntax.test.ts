import { rule } from '../../../src/rules/claim/id-syntax.ts';
import {
  custom,
  id,
  membership,
  ocmId,
  propertyAlphaId,
  propertyId,
  propertyMembership,
  propertyOlderId,
} from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';

const label = (shown: string) =>
  `must be an RFC 1123 DNS label (at most 63 of a-z, 0-9 and "-", beginning and ending with a letter or digit), got ${shown}`;
const subdomain = (shown: string) =>
  `must be an RFC 1123 DNS subdomain (labels of at most 63 of a-z, 0-9 and "-", joined by dots, at most 253 in all), got ${shown}`;

const is = (value: NonNullable<RuleCase['set']>[string]): Pick<RuleCase, 'set'> => ({ set: { '/spec/value': value } });
const notLabel = (value: string, shown = `"${value}"`): Pick<DenyCase, 'set' | 'findings'> => ({
  ...is(value),
  findings: [['deny', 'spec.value', label(shown)]],
});
const notSubdomain = (value: string, shown = `"${value}"`): Pick<DenyCase, 'set' | 'findings'> => ({
  ...is(value),
  findings: [['deny', 'spec.value', subdomain(shown)]],
});

testRule(rule, id, {
  allow: [
    { name: 'any value in a custom claim', base: custom, set: { '/spec/value': 'NOT a label' } },
    { name: 'a number, which is claim/value matter', set: { '/spec/value': 7 } },
    { name: 'an OCM label', base: ocmId },
    { name: 'a subdomain under the older name', base: propertyOlderId, set: { '/spec/value': 'north.example' } },
    { name: '253 characters of subdomain', base: propertyId, set: { '/spec/value': `${'a.'.repeat(126)}b` } },
    { name: 'none, which is the business of claim/value', ...is(undefined) },
    { name: 'the membership, which has no syntax', base: membership, ...is('Blue Fleet') },
    { name: 'a property membership', base: propertyMembership, ...is('Blue Fleet') },
    { name: 'a subdomain in v1alpha1', base: propertyAlphaId, ...is('a.b') },
    { name: 'the status', subresource: 'status', old: {}, ...is('BAD') },
    { name: 'a deletion', operation: 'DELETE', old: { '/spec/value': 'BAD' } },
    { name: 'switched off', ...is('BAD'), actions: { 'claim/id-syntax': 'ignore' } },
    { name: 'an older bad id left alone', old: { '/spec/value': 'BAD' }, set: { '/metadata/labels': { a: 'b' } } },
  ],
  deny: [
    { name: '64 characters in OCM', base: ocmId, ...notLabel('n'.repeat(64)) },
    { name: 'an empty property', base: propertyId, ...notSubdomain('') },
    { name: 'an empty property in v1alpha1', base: propertyAlphaId, ...notSubdomain('') },
    { name: 'an upper case property', base: propertyOlderId, ...notSubdomain('A.b') },
    { name: 'a dry run', dryRun: true, user: null, ...notLabel('BAD') },
    {
      name: 'a warning where configured',
      ...is('BAD'),
      actions: { 'claim/id-syntax': 'warn' },
      findings: [['warn', 'spec.value', label('"BAD"')]],
    },
    { name: 'empty', set: { '/spec/value': '' }, findings: [['deny', 'spec.value', label('""')]] },
    {
      name: 'two dots in a subdomain',
      base: propertyId,
      set: { '/spec/value': 'a..b' },
      findings: [['deny', 'spec.value', subdomain('"a..b"')]],
    },
    {
      name: 'an older bad id changed to another bad one',
      old: { '/spec/value': 'BAD' },
      set: { '/spec/value': 'WORSE' },
      findings: [['deny', 'spec.value', label('"WORSE"')]],
    },
  ],
});
