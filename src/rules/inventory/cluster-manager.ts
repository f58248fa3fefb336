import { isUnquoted } from '../../base/json.ts';
import { isLabelValue } from '../../base/syntax.ts';
import { forInventory } from '../cel/inventory.ts';
import { defineRule } from '../rule.ts';
import { MANAGER_NAME, managerNameOf } from './inventory-fields.ts';

export const rule = defineRule({
  id: 'inventory/cluster-manager',
  on: ['CREATE', 'UPDATE'],
  meta: {
    summary: 'Every inventory object names its cluster manager, in a form that fits a label.',
    fix:
      'Set spec.clusterManager.name to the name of the cluster manager: 1 to 63 letters, digits, "-", "_" or ".", ' +
      'with a letter or digit at both ends.',
    level: 'MUST',
    source: 'KEP-4322 #cluster-manager',
    quote: 'An immutable field set by a cluster manager when this cluster resources is created by it.',
    why: "ClusterProfile's CRD belongs to another project, and accepts names that no label can hold.",
    code: 422,
    messages: {
      missing: 'is missing; set it to the name of the cluster manager that this object belongs to',
      type: 'must be a string that is a label value, got {{found}}',
      unquoted: 'must be a string that is a label value, got {{found}}; put it in quotes',
      invalid:
        'must be a label value, since a label repeats it (1 to 63 of A-Z, a-z, 0-9, "-", "_" and ".", beginning ' +
        'and ending with a letter or digit), got "{{value}}"',
    },
  },
  cel: forInventory([
    {
      expression:
        'variables.manager != null || variables.specClusterManagerNameStays || !(variables.specClusterManagerName ' +
        `== null || variables.specClusterManagerName == '')`,
      field: 'spec.clusterManager.name',
      messageId: 'missing',
    },
    {
      expression:
        'variables.manager != null || variables.specClusterManagerNameStays || variables.specClusterManagerName == ' +
        `null || variables.specClusterManagerName == ''`,
      field: 'spec.clusterManager.name',
      messageId: 'invalid',
      dataExpressions: { value: 'variables.specClusterManagerName' },
    },
  ]),
  check({ object }) {
    const value = managerNameOf(object);
    if (value === undefined || value === '') return [{ path: MANAGER_NAME, messageId: 'missing' }];
    if (isUnquoted(value)) return [{ path: MANAGER_NAME, messageId: 'unquoted', data: { found: value } }];
    if (typeof value !== 'string') return [{ path: MANAGER_NAME, messageId: 'type', data: { found: value } }];
    return isLabelValue(value) ? [] : [{ path: MANAGER_NAME, messageId: 'invalid', data: { value } }];
  },
});
