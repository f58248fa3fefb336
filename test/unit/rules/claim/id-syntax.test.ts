import { rule } from '../../../../src/rules/claim/id-syntax.ts';
import { custom, id, membership, ocm, property } from '../../../support/bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../../../support/rule-tester.ts';

const label = (shown: string) =>
  `must be an RFC 1123 DNS label (at most 63 of a-z, 0-9 and "-", beginning and ending with a letter or digit), got ${shown}`;
const subdomain = (shown: string) =>
  `must be an RFC 1123 DNS subdomain (labels of at most 63 of a-z, 0-9 and "-", joined by dots, at most 253 in all), got ${shown}`;

const is = (value: NonNullable<RuleCase['set']>[string]) => ({ set: { '/spec/value': value } });
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
    { name: 'an OCM label', base: ocm.id },
    { name: 'a subdomain under the older name', base: property.olderId, set: { '/spec/value': 'north.example' } },
    { name: '253 characters of subdomain', base: property.id, set: { '/spec/value': `${'a.'.repeat(126)}b` } },
    { name: 'none, which is the business of claim/value', ...is(undefined) },
    { name: 'the membership, which has no syntax', base: membership, ...is('Blue Fleet') },
    { name: 'a property membership', base: property.membership, ...is('Blue Fleet') },
  ],
  deny: [
    { name: '64 characters in OCM', base: ocm.id, ...notLabel('n'.repeat(64)) },
    { name: 'an empty property', base: property.id, ...notSubdomain('') },
    { name: 'an upper case property', base: property.olderId, ...notSubdomain('A.b') },
    { name: 'empty', set: { '/spec/value': '' }, findings: [['deny', 'spec.value', label('""')]] },
    {
      name: 'two dots in a subdomain',
      base: property.id,
      set: { '/spec/value': 'a..b' },
      findings: [['deny', 'spec.value', subdomain('"a..b"')]],
    },
  ],
});
