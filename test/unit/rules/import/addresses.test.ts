import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/import/addresses.ts';
import { serviceImport } from '../../../support/bases.ts';
import { testRule } from '../../../support/rule-tester.ts';

const of = (ips: Json, ipFamilies?: Json) => ({ set: { '/spec/ips': ips, '/spec/ipFamilies': ipFamilies } });
const found = (...all: readonly (readonly [field: string, message: string])[]) => ({
  findings: all.map(([field, message]) => ['warn', `spec.${field}`, message] as const),
});
const address = (value: string) => `must be an IPv4 or IPv6 address, and no IPv4 address written as IPv6, got ${value}`;
const other = (family: string, value: string) =>
  `must be an address of the family "${family}", the one at its place in spec.ipFamilies, got "${value}"`;
const more = (value: string) =>
  `has no family at its place in spec.ipFamilies, got "${value}"; list its family, or remove the address`;
const family = (value: string) => `names the family ${value} a second time; list each family once`;
const HEADLESS =
  'must be empty: a Headless import has no address of its own; remove the addresses, or correct spec.type';
const FOUR = '10.42.0.7';
const SIX = 'fd00:42::7';

testRule(rule, serviceImport, {
  allow: [
    { name: 'an address of each family' },
    { name: 'the other order of families', ...of([SIX, FOUR], ['IPv6', 'IPv4']) },
    { name: 'no addresses yet', ...of(undefined as unknown as Json, ['IPv4']) },
    { name: 'lists that are null', ...of(null, null) },
    { name: 'fewer addresses than families', ...of([FOUR], ['IPv4', 'IPv6']) },
    { name: 'addresses without families', ...of([SIX, FOUR]) },
    { name: 'addresses with an empty list of families', ...of([SIX, FOUR], []) },
    { name: 'Headless without addresses', set: { '/spec/type': 'Headless', '/spec/ips': [] } },
    { name: 'an import that is not headless in another spelling', set: { '/spec/type': 'headless' } },
  ],
  deny: [
    { name: 'a name', ...of(['web.shop']), ...found(['ips[0]', address('"web.shop"')]) },
    { name: 'an empty text', ...of(['']), ...found(['ips[0]', address('""')]) },
    { name: 'a number', ...of([7]), ...found(['ips[0]', address('7')]) },
    { name: 'a prefix', ...of([FOUR, 'fd00::/64']), ...found(['ips[1]', address('"fd00::/64"')]) },
    { name: 'the other family', ...of([SIX], ['IPv4']), ...found(['ips[0]', other('IPv4', SIX)]) },
    {
      name: 'the order of the families',
      ...of([SIX, FOUR], ['IPv4', 'IPv6']),
      ...found(['ips[0]', other('IPv4', SIX)], ['ips[1]', other('IPv6', FOUR)]),
    },
    { name: 'a family that there is not', ...of([FOUR], ['ipv4']), ...found(['ips[0]', other('ipv4', FOUR)]) },
    { name: 'more addresses than families', ...of([FOUR, SIX], ['IPv4']), ...found(['ips[1]', more(SIX)]) },
    { name: 'an address at a family that is null', ...of([FOUR], [null, 'IPv6']), ...found(['ips[0]', more(FOUR)]) },
    {
      name: 'what is no address, beyond the families',
      ...of([FOUR, 'x'], ['IPv4']),
      ...found(['ips[1]', address('"x"')]),
    },
    { name: 'a family twice', ...of([FOUR], ['IPv4', 'IPv4']), ...found(['ipFamilies[1]', family('"IPv4"')]) },
    {
      name: 'a family three times',
      ...of([], ['IPv6', 'IPv6', 'IPv6']),
      ...found(['ipFamilies[1]', family('"IPv6"')], ['ipFamilies[2]', family('"IPv6"')]),
    },
    { name: 'Headless with an address', set: { '/spec/type': 'Headless' }, ...found(['ips', HEADLESS]) },
    {
      name: 'Headless with what is no address, as one fault',
      set: { '/spec/type': 'Headless', '/spec/ips': ['x'] },
      ...found(['ips', HEADLESS]),
    },
    {
      name: 'Headless with a family twice',
      set: { '/spec/type': 'Headless', '/spec/ips': [], '/spec/ipFamilies': ['IPv4', 'IPv4'] },
      ...found(['ipFamilies[1]', family('"IPv4"')]),
    },
    { name: 'an update to Headless', old: {}, set: { '/spec/type': 'Headless' }, ...found(['ips', HEADLESS]) },
    { name: 'addresses that are no list', ...of(FOUR), ...found(['ips', 'must be a list, got "10.42.0.7"']) },
    {
      name: 'families that are no list',
      ...of([FOUR], 'IPv4'),
      ...found(['ipFamilies', 'must be a list, got "IPv4"']),
    },
    { name: 'in check', point: 'check', ...of(['x']), findings: [['deny', 'spec.ips[0]', address('"x"')]] },
  ],
});
