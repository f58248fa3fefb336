import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/claim/id-mcs-form.ts';
import { id, ocm, property, v1 } from '../../../support/bases.ts';
import { finds, testRule } from '../../../support/rule-tester.ts';

const is = (value: Json | undefined) => ({ set: { '/spec/value': value } });
const labels = (value: string) => ({
  ...is(value),
  ...finds(
    'spec.value',
    `should be one DNS label, or two joined by a dot, as the Multi-Cluster Services API expects of a cluster id, got "${value}"; shorten it to two labels`,
    'warn',
  ),
});

testRule(rule, property.id, {
  allow: [
    { name: 'two labels of 63 each', ...is(`${'a'.repeat(63)}.${'b'.repeat(63)}`) },
    { name: 'two labels under the older name', base: property.olderId, ...is('a.b') },
    { name: 'two labels in v1', base: v1(property.id), ...is('a.b') },
    { name: 'none', ...is(undefined) },
    { name: 'null', ...is(null) },
    { name: 'a custom property', base: property.custom, ...is('a.b.c') },
    { name: 'the membership', base: property.membership, ...is('a.b.c') },
    { name: 'a ClusterClaim, whose id is a label anyway', base: id, ...is('a.b.c') },
    { name: 'an OCM claim, likewise', base: ocm.id, ...is('a.b.c') },
  ],
  deny: [
    { name: 'three labels under the older name', base: property.olderId, ...labels('a.b.c') },
    { name: 'three labels in v1', base: v1(property.id), ...labels('a.b.c') },
  ],
});
