import { rule } from '../../../../src/rules/inventory/member-id-present.ts';
import { inventory, profile, profileAlpha } from '../../../support/bases.ts';
import { finds, testRule } from '../../../support/rule-tester.ts';

const LABEL = '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id';
const missing = finds(
  'metadata.labels[multicluster.x-k8s.io/inventory-member-id]',
  'should be set; add the label multicluster.x-k8s.io/inventory-member-id with the id of the member cluster, the same in each namespace that lists it',
  'warn',
);

testRule(rule, profile, {
  allow: [
    { name: 'set', set: { [LABEL]: 'm-1' }, point: 'check' },
    { name: 'empty, which another rule refuses', set: { [LABEL]: '' }, point: 'check' },
    { name: 'advice at the webhook' },
    { name: 'an InventoryCluster, which knows no such label', base: inventory, point: 'check' },
    { name: 'an update of one without', old: {}, set: { '/metadata/labels/a': 'b' }, point: 'check' },
  ],
  deny: [
    { name: 'missing at the check', point: 'check', ...missing },
    { name: 'null at the scan', point: 'scan', set: { [LABEL]: null }, ...missing },
    { name: 'no labels', point: 'check', set: { '/metadata/labels': undefined }, ...missing },
    { name: 'of the other version', point: 'check', base: profileAlpha, ...missing },
    { name: 'at the webhook, where it is configured', actions: { [rule.id]: 'warn' }, ...missing },
  ],
});
