/** KEP-4322, Cluster Manager: "An immutable field set by a cluster manager when this cluster resources is created by it." */

import { MANAGER as CEL_MANAGER, forInventory, GAINS_NAME } from '../cel/inventory.ts';
import { comparing, lost, type Steps } from '../comparing.ts';
import { at, isObject } from '../json.ts';
import { defineRule, type Interruptible, type Json, NOTHING, type Yielded } from '../rule.ts';
import { clusterManagerOf, MANAGER } from './reading.ts';

export const rule = defineRule({
  id: 'inventory/cluster-manager-immutable',
  concept: 'inventory',
  on: ['UPDATE'],
  meta: {
    level: 'MUST',
    basis: 'kep',
    source: 'KEP-4322 #cluster-manager',
    quote: 'An immutable field set by a cluster manager when this cluster resources is created by it.',
    needs: ['object', 'oldObject'],
    why: 'The CRD of InventoryCluster says so too; that of ClusterProfile is not ours.',
    code: 403,
    messages: {
      changed:
        'an object belongs to one cluster manager for good, got "{{value}}"; keep it as stored, or delete the object and let the other manager create its own',
    },
  },
  cel: forInventory({
    variables: CEL_MANAGER,
    validations: [
      {
        expression: `variables.oldSpecClusterManager == null || variables.specClusterManagerStays || ${GAINS_NAME}`,
        field: 'spec.clusterManager',
        messageId: 'changed',
        shows: { value: 'variables.specClusterManagerName' },
      },
    ],
  }),
  check({ object, oldObject }) {
    const before = clusterManagerOf(oldObject);
    return before === undefined ? NOTHING : changed(before, clusterManagerOf(object));
  },
});

function* changed(before: Json, after: Json | undefined): Iterable<Yielded | Interruptible> {
  if (yield* stays(before, after)) return;
  yield { path: MANAGER, messageId: 'changed', data: { value: isObject(after) ? at(after, ['name']) : after } };
}

/** An object older than the webhook may gain a name that it lacks (an empty one counts as missing), and lose nothing. */
function* stays(before: Json, after: Json | undefined): Steps<boolean> {
  const lacksName = isObject(before) && (at(before, ['name']) ?? '') === '';
  if (lacksName && isObject(after)) return (yield* lost(before, after, 'name')) === undefined;
  return yield* comparing(before, after);
}
