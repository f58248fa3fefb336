import { rule } from '../../../src/rules/claim/id-syntax.ts';
import { custom, id, ocmId, propertyId, propertyOlderId } from '../bases.ts';
import { testRule } from '../rule-tester.ts';

const label = (shown: string) =>
  `must be an RFC 1123 DNS label (at most 63 of a-z, 0-9 and "-", beginning and ending with a letter or digit), got ${shown}`;
const subdomain = (shown: string) =>
  `must be an RFC 1123 DNS subdomain (labels of at most 63 of a-z, 0-9 and "-", joined by dots, at most 253 in all), got ${shown}`;

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
    { name: 'an older bad id left alone', old: { '/spec/value': 'BAD' }, set: { '/metadata/labels': { a: 'b' } } },
  ],
  deny: [
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
