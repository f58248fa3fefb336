import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/member-id.ts';
import { inventory, profile } from '../../../support/bases.ts';
import { finds, testRule } from '../../../support/rule-tester.ts';

const LABEL = '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id';
const is = (value: Json | undefined) => ({ set: { [LABEL]: value } });
const empty = () => ({
  ...is(''),
  ...finds(
    'metadata.labels[multicluster.x-k8s.io/inventory-member-id]',
    'must not be empty; set it to the id of the member cluster, or remove the label',
  ),
});

testRule(rule, profile, {
  allow: [
    { name: 'no labels', set: { '/metadata/labels': undefined } },
    { name: 'an InventoryCluster, which knows no such label', base: inventory, ...is('') },
    { name: 'an older empty one taken away', old: { [LABEL]: '' }, ...is(undefined) },
  ],
  deny: [{ name: 'emptied', old: { [LABEL]: 'm-1' }, ...empty() }],
});
