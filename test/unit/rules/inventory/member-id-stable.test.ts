import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/member-id-stable.ts';
import { inventory, profile } from '../../../support/bases.ts';
import { finds, testRule } from '../../../support/rule-tester.ts';

const LABEL = '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id';
const from = (before: Json | undefined, after: Json | undefined) => ({
  old: { [LABEL]: before },
  set: { [LABEL]: after },
});
const changed = (shown: string) =>
  finds(
    'metadata.labels[multicluster.x-k8s.io/inventory-member-id]',
    `should not change while the profile represents the same cluster, got ${shown}; keep the stored value, or create a new profile for another cluster`,
    'warn',
  );

testRule(rule, profile, {
  allow: [
    { name: 'other labels', old: { [LABEL]: 'm-1' }, set: { '/metadata/labels/env': 'x' } },
    { name: 'set at last', ...from(undefined, 'm-1') },
    { name: 'an empty one taken away', ...from('', undefined) },
    { name: 'an InventoryCluster', base: inventory, ...from('m-1', 'm-2') },
  ],
  deny: [
    { name: 'taken away', ...from('m-1', undefined), ...changed('nothing') },
    {
      name: 'all labels taken away',
      old: { [LABEL]: 'm-1' },
      set: { '/metadata/labels': null },
      ...changed('nothing'),
    },
  ],
});
