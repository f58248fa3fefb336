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
    { name: 'a plain label' },
    { name: 'one digit', set: { '/spec/value': '7' } },
    { name: '63 characters', set: { '/spec/value': 'n'.repeat(63) } },
    { name: 'two hyphens in a row', set: { '/spec/value': 'a--b' } },
    { name: 'any value in a custom claim', base: custom, set: { '/spec/value': 'NOT a label' } },
    { name: 'a number, which is claim/value matter', set: { '/spec/value': 7 } },
    { name: 'an OCM label', base: ocmId },
    { name: 'a subdomain in ClusterProperty', base: propertyId, set: { '/spec/value': 'north.example' } },
    { name: 'a subdomain under the older name', base: propertyOlderId, set: { '/spec/value': 'north.example' } },
    { name: '253 characters of subdomain', base: propertyId, set: { '/spec/value': `${'a.'.repeat(126)}b` } },
    { name: 'digits and a hyphen', ...is('0-9') },
    { name: 'an id that reads as a number', ...is('123') },
    { name: 'none, which is the business of claim/value', ...is(undefined) },
    { name: 'null, likewise', ...is(null) },
    { name: 'a list, likewise', ...is(['a']) },
    { name: 'the membership, which has no syntax', base: membership, ...is('Blue Fleet') },
    { name: 'a property membership', base: propertyMembership, ...is('Blue Fleet') },
    { name: '63 characters in OCM', base: ocmId, ...is('n'.repeat(63)) },
    { name: 'a subdomain in v1alpha1', base: propertyAlphaId, ...is('a.b') },
    { name: 'a label of 63 within a subdomain', base: propertyId, ...is(`a.${'n'.repeat(63)}.b`) },
    { name: 'a subdomain of one letter', base: propertyId, ...is('a') },
    { name: 'the status', subresource: 'status', old: {}, ...is('BAD') },
    { name: 'a deletion', operation: 'DELETE', old: { '/spec/value': 'BAD' } },
    { name: 'switched off', ...is('BAD'), actions: { 'claim/id-syntax': 'ignore' } },
    { name: 'an older bad id mended', old: { '/spec/value': 'BAD' }, ...is('good') },
    { name: 'an older bad id left alone', old: { '/spec/value': 'BAD' }, set: { '/metadata/labels': { a: 'b' } } },
  ],
  deny: [
    { name: 'a hyphen last', ...notLabel('a-') },
    { name: 'a hyphen alone', ...notLabel('-') },
    { name: 'a space', ...notLabel('a b') },
    { name: 'a space first', ...notLabel(' a') },
    { name: 'a newline first', ...notLabel('\na', '"\\u000aa"') },
    { name: 'a Cyrillic letter', ...notLabel('\u0430bc') },
    { name: 'an umlaut', ...notLabel('zürich') },
    { name: 'the Kelvin sign', ...notLabel('\u212a') },
    { name: 'a byte order mark', ...notLabel('\ufeffa', '"\\ufeffa"') },
    { name: 'a character of two units', ...notLabel('a🚀') },
    { name: 'a null character', ...notLabel('a\0', '"a\\u0000"') },
    { name: 'a subdomain in OCM', base: ocmId, ...notLabel('a.b') },
    { name: '64 characters in OCM', base: ocmId, ...notLabel('n'.repeat(64)) },
    { name: 'an empty one in OCM', base: ocmId, ...notLabel('') },
    { name: 'an empty property', base: propertyId, ...notSubdomain('') },
    { name: 'an empty property in v1alpha1', base: propertyAlphaId, ...notSubdomain('') },
    { name: 'an upper case property', base: propertyOlderId, ...notSubdomain('A.b') },
    { name: 'a dot first', base: propertyId, ...notSubdomain('.a') },
    { name: 'a dot last', base: propertyId, ...notSubdomain('a.b.') },
    { name: 'a hyphen before a dot', base: propertyId, ...notSubdomain('a-.b') },
    { name: 'a hyphen after a dot', base: propertyId, ...notSubdomain('a.-b') },
    { name: 'an underscore in a subdomain', base: propertyId, ...notSubdomain('a_b.c') },
    { name: 'a newline after a subdomain', base: propertyId, ...notSubdomain('a.b\n', '"a.b\\u000a"') },
    {
      name: 'a label of 64 first within a subdomain',
      base: propertyId,
      ...notSubdomain(`${'n'.repeat(64)}.b`, `"${'n'.repeat(63)}…"`),
    },
    {
      name: 'a label of 64 last within a subdomain',
      base: propertyId,
      ...notSubdomain(`a.${'n'.repeat(64)}`, `"a.${'n'.repeat(61)}…"`),
    },
    {
      name: '254 characters of subdomain',
      base: propertyId,
      ...notSubdomain(`${'a.'.repeat(126)}bc`, `"${'a.'.repeat(31)}a…"`),
    },
    { name: 'a dry run', dryRun: true, user: null, ...notLabel('BAD') },
    {
      name: 'a warning where configured',
      ...is('BAD'),
      actions: { 'claim/id-syntax': 'warn' },
      findings: [['warn', 'spec.value', label('"BAD"')]],
    },
    { name: 'empty', set: { '/spec/value': '' }, findings: [['deny', 'spec.value', label('""')]] },
    {
      name: '64 characters',
      set: { '/spec/value': 'n'.repeat(64) },
      findings: [['deny', 'spec.value', label(`"${'n'.repeat(64)}"`)]],
    },
    { name: 'upper case', set: { '/spec/value': 'North' }, findings: [['deny', 'spec.value', label('"North"')]] },
    {
      name: 'a newline at the end',
      set: { '/spec/value': 'a\n' },
      findings: [['deny', 'spec.value', label('"a\\u000a"')]],
    },
    { name: 'a dot', set: { '/spec/value': 'a.b' }, findings: [['deny', 'spec.value', label('"a.b"')]] },
    { name: 'a hyphen first', set: { '/spec/value': '-a' }, findings: [['deny', 'spec.value', label('"-a"')]] },
    {
      name: 'OCM with an underscore',
      base: ocmId,
      set: { '/spec/value': 'a_b' },
      findings: [['deny', 'spec.value', label('"a_b"')]],
    },
    {
      name: 'two dots in a subdomain',
      base: propertyId,
      set: { '/spec/value': 'a..b' },
      findings: [['deny', 'spec.value', subdomain('"a..b"')]],
    },
    {
      name: '255 characters of subdomain',
      base: propertyId,
      set: { '/spec/value': `${'a.'.repeat(127)}b` },
      findings: [['deny', 'spec.value', subdomain(`"${'a.'.repeat(31)}a…"`)]],
    },
    {
      name: 'an older bad id changed to another bad one',
      old: { '/spec/value': 'BAD' },
      set: { '/spec/value': 'WORSE' },
      findings: [['deny', 'spec.value', label('"WORSE"')]],
    },
  ],
});
