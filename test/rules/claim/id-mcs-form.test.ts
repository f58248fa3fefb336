import { rule } from '../../../src/rules/claim/id-mcs-form.ts';
import type { Action, Json, JsonObject } from '../../../src/rules/rule.ts';
import {
  id,
  ocmId,
  propertyAlphaId,
  propertyCustom,
  propertyId,
  propertyMembership,
  propertyOlderId,
} from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';

const is = (value: Json | undefined): Pick<RuleCase, 'set'> => ({ set: { '/spec/value': value } });
const labels = (value: string, action: Action = 'warn'): Pick<DenyCase, 'set' | 'findings'> => ({
  ...is(value),
  findings: [
    [
      action,
      'spec.value',
      `should be one DNS label, or two joined by a dot, as the Multi-Cluster Services API expects of a cluster id, got "${value}"; shorten it to two labels`,
    ],
  ],
});
const v1 = (object: JsonObject): JsonObject => ({ ...object, apiVersion: 'about.k8s.io/v1' });
const set = (action: Action): Pick<RuleCase, 'actions'> => ({ actions: { 'claim/id-mcs-form': action } });

testRule(rule, propertyId, {
  allow: [
    { name: 'two labels of 63 each', ...is(`${'a'.repeat(63)}.${'b'.repeat(63)}`) },
    { name: 'two labels under the older name', base: propertyOlderId, ...is('a.b') },
    { name: 'two labels in v1', base: v1(propertyId), ...is('a.b') },
    { name: 'none', ...is(undefined) },
    { name: 'null', ...is(null) },
    { name: 'a custom property', base: propertyCustom, ...is('a.b.c') },
    { name: 'the membership', base: propertyMembership, ...is('a.b.c') },
    { name: 'a ClusterClaim, whose id is a label anyway', base: id, ...is('a.b.c') },
    { name: 'an OCM claim, likewise', base: ocmId, ...is('a.b.c') },
    { name: 'an older one left alone', old: { '/spec/value': 'a.b.c' }, set: { '/metadata/labels': {} } },
    { name: 'a deletion', operation: 'DELETE', old: { '/spec/value': 'a.b.c' } },
    { name: 'the status', subresource: 'status', old: {}, ...is('a.b.c') },
  ],
  deny: [
    { name: 'three labels under the older name', base: propertyOlderId, ...labels('a.b.c') },
    { name: 'three labels in v1alpha1', base: propertyAlphaId, ...labels('a.b.c') },
    { name: 'three labels in v1', base: v1(propertyId), ...labels('a.b.c') },
    { name: 'denied where configured, on an update', old: {}, ...set('deny'), ...labels('a.b.c', 'deny') },
    { name: 'a warning in a first rollout', mode: 'warn', ...set('deny'), ...labels('a.b.c') },
    { name: 'a dry run, and nobody said who asks', dryRun: true, user: null, ...labels('a.b.c') },
  ],
});
