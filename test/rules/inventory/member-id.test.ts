import { rule } from '../../../src/rules/inventory/member-id.ts';
import type { Action, Json } from '../../../src/rules/rule.ts';
import { inventory, profile, profileAlpha } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';

const DYING = { '/metadata/deletionTimestamp': '2026-06-01T11:59:00Z', '/metadata/finalizers': ['example.org/wait'] };
const LABEL = '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id';
const is = (value: Json | undefined): Pick<RuleCase, 'set'> => ({ set: { [LABEL]: value } });
const empty = (action: Action = 'deny'): Pick<DenyCase, 'set' | 'findings'> => ({
  ...is(''),
  findings: [
    [
      action,
      'metadata.labels[multicluster.x-k8s.io/inventory-member-id]',
      'must not be empty; set it to the id of the member cluster, or take the label away',
    ],
  ],
});

testRule(rule, profile, {
  allow: [
    { name: 'no labels', set: { '/metadata/labels': undefined } },
    { name: 'an InventoryCluster, which knows no such label', base: inventory, ...is('') },
    { name: 'an older empty one taken away', old: { [LABEL]: '' }, ...is(undefined) },
    { name: 'one emptied while it is being deleted', old: DYING, ...is('') },
    { name: 'a deletion', operation: 'DELETE', old: { [LABEL]: '' } },
    { name: 'the status', subresource: 'status', old: {}, ...is('') },
    { name: 'switched off', ...is(''), actions: { 'inventory/member-id': 'ignore' } },
  ],
  deny: [
    { name: 'empty in v1alpha1', base: profileAlpha, ...empty() },
    { name: 'emptied', old: { [LABEL]: 'm-1' }, ...empty() },
    { name: 'a dry run', dryRun: true, user: null, ...empty() },
    { name: 'a warning in a first rollout', mode: 'warn', ...empty('warn') },
  ],
});
