import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/known-properties.ts';
import { inventory, profile, profileAlpha } from '../../../support/bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../../../support/rule-tester.ts';

const SET = 'clusterset.k8s.io';
const NEWER = 'cluster.clusterset.k8s.io';
const OLDER = 'id.k8s.io';
const DENY = { actions: { 'inventory/known-properties': 'deny' } } as const;
const report = (...pairs: [name: Json, value: Json | undefined][]): Pick<RuleCase, 'subresource' | 'old' | 'set'> => ({
  subresource: 'status',
  old: {},
  set: { '/status/properties': pairs.map(([name, value]) => (value === undefined ? { name } : { name, value })) },
});
type Finding = NonNullable<DenyCase['findings']>[number];
const badId = (kind: 'label' | 'subdomain', shown: string, index = 0): Finding => [
  'warn',
  `status.properties[${index}].value`,
  `an id should be an RFC 1123 DNS ${kind}, like the claim, got ${shown}; copy the value of the claim unchanged`,
];
const unquoted = (shown: string): Finding => [
  'warn',
  'status.properties[0].value',
  `should be a string, got ${shown}; put it in quotes`,
];
const empty = (shown = '""', index = 0): Finding => [
  'warn',
  `status.properties[${index}].value`,
  `the ClusterSet should not be empty, got ${shown}; remove the property while the cluster is in no ClusterSet`,
];

testRule(rule, inventory, {
  allow: [
    { name: 'a label', ...report([SET, 'blue'], [OLDER, 'north-1']) },
    { name: 'a subdomain of 253', ...report([NEWER, `${'a.'.repeat(126)}b`]) },
    {
      name: 'a subdomain by either name in a ClusterProfile',
      base: profile,
      ...report([OLDER, 'a.b'], [NEWER, 'a.b']),
    },
    { name: 'null in the list', subresource: 'status', old: {}, set: { '/status/properties': [null, 'id.k8s.io'] } },
  ],
  deny: [
    { name: '64 characters', ...report([OLDER, 'n'.repeat(64)]), findings: [badId('label', `"${'n'.repeat(64)}"`)] },
    { name: 'null', ...report([NEWER, null]), findings: [badId('subdomain', 'nothing')] },
    { name: 'a boolean', base: profile, ...report([OLDER, true]), findings: [unquoted('true')] },
    {
      name: 'a bad subdomain by the older name in a ClusterProfile',
      base: profileAlpha,
      ...report([OLDER, 'A']),
      findings: [badId('subdomain', '"A"')],
    },
    { name: 'an empty ClusterSet', ...report(['x', ''], [SET, '']), findings: [empty('""', 1)] },
    { name: 'a ClusterSet without a value', base: profile, ...report([SET, undefined]), findings: [empty('nothing')] },
    {
      name: 'thirty-two of thirty-three',
      ...report(...Array.from({ length: 33 }, (): [string, undefined] => [OLDER, undefined])),
      findings: Array.from({ length: 32 }, (_, index) => badId('label', 'nothing', index)),
    },
    { name: 'a warning where configured to deny', ...report([OLDER, 'A']), ...DENY, findings: [badId('label', '"A"')] },
  ],
});
