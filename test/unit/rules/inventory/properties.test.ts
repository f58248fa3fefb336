import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/properties.ts';
import { inventory, profile } from '../../../support/bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../../../support/rule-tester.ts';

const DENY = { actions: { 'inventory/properties': 'deny' } } as const;
const property = (name: Json): Json => ({ name, value: 'x' });
const is = (properties: Json | undefined): Pick<RuleCase, 'subresource' | 'old' | 'set'> => ({
  subresource: 'status',
  old: {},
  set: { '/status/properties': properties },
});
const named = (...names: Json[]) => is(names.map(property));
type Finding = NonNullable<DenyCase['findings']>[number];
const empty = (index: number): Finding => [
  'warn',
  `status.properties[${index}].name`,
  'should not be empty; name the property',
];
const unquoted = (shown: string): Finding => [
  'warn',
  'status.properties[0].name',
  `should have a name that is a string, got ${shown}; put it in quotes`,
];
const twice = (index: number, name = 'tier'): Finding => [
  'warn',
  `status.properties[${index}].name`,
  `the property "${name}" is listed twice; keep one`,
];
const noList = (shown: string): Finding => [
  'warn',
  'status.properties',
  `should be a list of name and value pairs, got ${shown}`,
];
const many = (count: number, property: Json): Json[] => Array.from({ length: count }, () => property);

testRule(rule, inventory, {
  allow: [
    {
      name: 'members of a later version',
      ...is([{ name: 'a', value: 'x', lastObservedTime: '2026-05-08T07:56:55Z' }]),
    },
    { name: 'no properties', ...is(undefined) },
    { name: 'null, where there were some', ...is(null), old: { '/status/properties': [property('a')] } },
    { name: 'a status that is a list', subresource: 'status', old: {}, set: { '/status': [] } },
    { name: 'a ClusterProfile', base: profile, ...named('location', 'tier') },
  ],
  deny: [
    { name: 'one name twice with one value', ...is([property('tier'), property('tier')]), findings: [twice(1)] },
    { name: 'no name', ...is([{ value: 'x' }]), findings: [empty(0)] },
    { name: 'a number for a name', ...named(7), findings: [unquoted('7')] },
    { name: 'an object for the list', ...is({ tier: 'x' }), findings: [noList('an object')] },
    {
      name: 'thirty-two of thirty-three',
      ...is(many(33, {})),
      findings: Array.from({ length: 32 }, (_, index) => empty(index)),
    },
    { name: 'a ClusterProfile', base: profile, ...named('tier', 'tier'), findings: [twice(1)] },
    { name: 'a warning where configured to deny', ...named('tier', 'tier'), ...DENY, findings: [twice(1)] },
  ],
});
