import { rule } from '../../../src/rules/inventory/name-prefix.ts';
import type { Action, Json } from '../../../src/rules/rule.ts';
import { inventory, profile, profileAlpha } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';

const WARN: Pick<RuleCase, 'actions'> = { actions: { 'inventory/name-prefix': 'warn' } };
const named = (name: Json | undefined, generateName?: Json): Pick<RuleCase, 'set'> => ({
  set: { '/metadata/name': name, '/metadata/generateName': generateName },
});
const found = (
  value: string,
  field = 'metadata.name',
  action: Action = 'warn',
): Pick<DenyCase, 'actions' | 'findings'> => ({
  actions: { 'inventory/name-prefix': action },
  findings: [[action, field, `should begin with "harbour", the name of the cluster manager, got "${value}"`]],
});

testRule(rule, inventory, {
  allow: [
    { name: 'not generated yet', ...named(undefined, 'harbour-'), ...WARN },
    { name: 'no manager', set: { '/spec/clusterManager': undefined, '/metadata/name': 'x' }, ...WARN },
    { name: 'a deletion', operation: 'DELETE', old: { '/metadata/name': 'x' }, ...WARN },
  ],
  deny: [
    { name: 'another prefix, not generated yet', ...named(undefined, 'c-'), ...found('c-', 'metadata.generateName') },
    { name: 'a ClusterProfile', base: profile, ...named('north-1'), ...found('north-1') },
    { name: 'a ClusterProfile in v1alpha1', base: profileAlpha, ...named('north-1'), ...found('north-1') },
    { name: 'a dry run', dryRun: true, user: null, ...named('north-1'), ...found('north-1') },
  ],
});
