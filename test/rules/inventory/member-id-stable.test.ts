import { rule } from '../../../src/rules/inventory/member-id-stable.ts';
import type { Action, Json } from '../../../src/rules/rule.ts';
import { inventory, profile, profileAlpha } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';

const LABEL = '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id';
const from = (before: Json | undefined, after: Json | undefined): Pick<RuleCase, 'old' | 'set'> => ({
  old: { [LABEL]: before },
  set: { [LABEL]: after },
});
const changed = (shown: string, action: Action = 'warn'): Pick<DenyCase, 'findings'> => ({
  findings: [
    [
      action,
      'metadata.labels[multicluster.x-k8s.io/inventory-member-id]',
      `should stay while the profile stands for the same cluster, got ${shown}; make a new profile for another cluster`,
    ],
  ],
});

testRule(rule, profile, {
  allow: [
    { name: 'other labels', old: { [LABEL]: 'm-1' }, set: { '/metadata/labels/env': 'x' } },
    { name: 'set at last', ...from(undefined, 'm-1') },
    { name: 'an empty one taken away', ...from('', undefined) },
    { name: 'an InventoryCluster', base: inventory, ...from('m-1', 'm-2') },
    { name: 'a deletion', operation: 'DELETE', old: { [LABEL]: 'm-1' } },
    { name: 'the status', subresource: 'status', ...from('m-1', 'm-2') },
    { name: 'switched off', ...from('m-1', 'm-2'), actions: { 'inventory/member-id-stable': 'ignore' } },
  ],
  deny: [
    { name: 'taken away', ...from('m-1', undefined), ...changed('nothing') },
    {
      name: 'all labels taken away',
      old: { [LABEL]: 'm-1' },
      set: { '/metadata/labels': null },
      ...changed('nothing'),
    },
    { name: 'v1alpha1', base: profileAlpha, ...from('m-1', 'm-2'), ...changed('"m-2"') },
    {
      name: 'denied where configured',
      ...from('m-1', 'm-2'),
      actions: { 'inventory/member-id-stable': 'deny' },
      ...changed('"m-2"', 'deny'),
    },
    { name: 'a dry run', dryRun: true, user: null, ...from('m-1', 'm-2'), ...changed('"m-2"') },
  ],
});
