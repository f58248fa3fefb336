import { MANAGER_LABEL } from '../../api/labels.ts';
import { forInventory } from '../cel/inventory.ts';
import { type CelValidation, defineRule } from '../rule.ts';
import { MANAGER_LABEL_PATH, managerLabelOf, managerNameOf, managerOf } from './inventory-fields.ts';

/** The label is the same wrong one as in the stored object. */
const WAS_AS_BAD =
  '(variables.oldManager != null && variables.label == variables.oldLabel && variables.oldLabel != ' +
  'variables.oldManager)';

function labelled(messageId: 'missing' | 'absent' | 'differs'): CelValidation {
  return {
    expression:
      'variables.manager == null || variables.label == variables.manager || (variables.label == null) != ' +
      `${messageId !== 'differs'} || ${WAS_AS_BAD}`,
    field: `metadata.labels[${MANAGER_LABEL}]`,
    messageId,
    data: { label: MANAGER_LABEL },
    dataExpressions: { name: 'variables.manager', value: 'variables.label' },
  };
}

export const rule = defineRule({
  id: 'inventory/cluster-manager-label',
  on: ['CREATE', 'UPDATE'],
  meta: {
    summary: "The label x-k8s.io/cluster-manager equals the name of the object's cluster manager.",
    fix: 'Set the label x-k8s.io/cluster-manager to the value of spec.clusterManager.name.',
    level: 'MUST',
    source: 'KEP-4322 #cluster-manager',
    quote:
      'In addition, a predefined label with key "x-k8s.io/cluster-manager" needs to be added by the cluster ' +
      'manager upon creation. The value of the label MUST be the same as the name of the cluster manager.',
    why: "CEL in a CRD does not see an object's labels.",
    code: 422,
    messages: {
      missing: 'is missing; add the label {{label}} with the value "{{name}}" (spec.clusterManager.name)',
      absent: 'is missing; add the label {{label}} with the value "{{name}}" (spec.clusterManager.name)',
      differs:
        'must be "{{name}}" as in spec.clusterManager.name, got "{{value}}"; set the label {{label}} to "{{name}}"',
      // Another rule may refuse the new name, and this one does not know whether it is in force.
      renamed:
        'must be the same as spec.clusterManager.name, "{{name}}", got "{{value}}", the stored name; keep that name, ' +
        'or change both',
    },
    // ClusterProfile: upstream's conformance tests ask for equality only where the label is present.
    messageLevels: { absent: 'SHOULD' },
  },
  cel: forInventory([labelled('missing'), labelled('differs')], undefined, [labelled('absent'), labelled('differs')]),
  check({ object, oldObject, dialect }) {
    const value = managerLabelOf(object);
    if (value === managerNameOf(object)) return [];
    const name = managerOf(object);
    // inventory/cluster-manager reports a missing or invalid name.
    if (name === undefined) return [];
    const missing = dialect.name === 'cluster-profile' ? 'absent' : 'missing';
    const differs = value === managerNameOf(oldObject) ? 'renamed' : 'differs';
    const messageId = value === undefined ? missing : differs;
    return [{ path: MANAGER_LABEL_PATH, messageId, data: { label: MANAGER_LABEL, name, value } }];
  },
});
