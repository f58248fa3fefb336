import { rule } from '../../../../src/rules/claim/id-length.ts';
import { id, ocm, property } from '../../../support/bases.ts';
import { finds, type RuleCase, testRule } from '../../../support/rule-tester.ts';

const is = (value: NonNullable<RuleCase['set']>[string]) => ({ set: { '/spec/value': value } });
/** A subdomain of so many characters. */
const subdomain = (length: number): string =>
  'abcdefghijklmno.'
    .repeat(16)
    .slice(0, length - 1)
    .concat('x');
const long = (value: string) => ({
  ...is(value),
  ...finds(
    'spec.value',
    `should be shorter than 128 characters, since it is a component of DNS names, got "${Array.from(value).slice(0, 63).join('')}…"; shorten it`,
    'warn',
  ),
});

testRule(rule, property.id, {
  allow: [
    { name: '127 characters of two units each', ...is('🚀'.repeat(127)) },
    { name: 'none', ...is(undefined) },
    { name: 'a list of 200', ...is(Array.from({ length: 200 }, () => 'x')) },
    { name: 'a custom property', base: property.custom, ...is(subdomain(200)) },
    { name: 'the membership', base: property.membership, ...is(subdomain(200)) },
    { name: 'ours, where a label is shorter anyway', base: id, ...is(subdomain(200)) },
    { name: 'OCM, likewise', base: ocm.id, ...is(subdomain(200)) },
  ],
  deny: [
    { name: '300 characters', ...long('a'.repeat(300)) },
    { name: '128 under the older name', base: property.olderId, ...long(subdomain(128)) },
    { name: 'an id that grows', old: {}, ...long(subdomain(128)) },
  ],
});
