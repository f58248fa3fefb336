import { at, isObject, type Json, same } from '../../base/json.ts';
import { forInventory, GAINS_NAME } from '../cel/inventory.ts';
import { defineRule } from '../rule.ts';
import { MANAGER } from './inventory-fields.ts';

export const rule = defineRule({
  id: 'inventory/cluster-manager-immutable',
  on: ['UPDATE'],
  ratchets: false,
  meta: {
    summary: 'The cluster manager of an inventory object never changes.',
    fix:
      'Keep spec.clusterManager as it is stored. To hand a cluster over, delete the object and have the new ' +
      'manager create its own.',
    level: 'MUST',
    source: 'KEP-4322 #cluster-manager',
    quote: 'An immutable field set by a cluster manager when this cluster resources is created by it.',
    needs: ['object', 'oldObject'],
    why: 'No CRD of ours refuses an update by CEL; that of ClusterProfile belongs to another project.',
    messages: {
      changed:
        'the cluster manager of an object cannot change, got "{{value}}"; keep the stored one, or delete the ' +
        'object and let the other manager create its own',
    },
  },
  cel: forInventory([
    {
      expression: `variables.oldSpecClusterManager == null || variables.specClusterManagerStays || ${GAINS_NAME}`,
      field: 'spec.clusterManager',
      messageId: 'changed',
      dataExpressions: { value: 'variables.specClusterManagerName' },
    },
  ]),
  check({ object, oldObject }) {
    const before = at(oldObject, MANAGER);
    const after = at(object, MANAGER);
    if (before === undefined || stays(before, after)) return [];
    return [{ path: MANAGER, messageId: 'changed', data: { value: isObject(after) ? at(after, ['name']) : after } }];
  },
});

/** Whether the manager is unchanged. To an object older than the webhook, a missing or empty name may be added. */
function stays(before: Json, after: Json | undefined): boolean {
  if (!isObject(before) || !isObject(after) || (at(before, ['name']) ?? '') !== '') return same(before, after);
  return Object.keys(before).every((key) => key === 'name' || same(at(before, [key]), at(after, [key])));
}
