import { MEMBER_ID_LABEL } from '../../api/labels.ts';
import { at } from '../../base/json.ts';
import { forProfiles } from '../cel/inventory.ts';
import { defineRule } from '../rule.ts';
import { MEMBER_ID_PATH } from './inventory-fields.ts';

export const rule = defineRule({
  id: 'inventory/member-id',
  on: ['CREATE', 'UPDATE'],
  dialects: ['cluster-profile'],
  meta: {
    summary: 'The member id label of a ClusterProfile is not empty.',
    fix:
      'Set the label multicluster.x-k8s.io/inventory-member-id to the id of the member cluster, or remove the ' +
      'label.',
    level: 'MUST',
    basis: 'upstream',
    source: 'cluster-inventory-api v1alpha2, LabelInventoryMemberIDKey',
    quote: 'When set, the value MUST be non-empty.',
    why: "CEL in a CRD does not see an object's labels, and the CRD belongs to another project.",
    code: 422,
    messages: { empty: 'must not be empty; set it to the id of the member cluster, or remove the label' },
  },
  cel: forProfiles([
    {
      expression: "variables.memberId != '' || variables.oldMemberId == ''",
      field: `metadata.labels[${MEMBER_ID_LABEL}]`,
      messageId: 'empty',
    },
  ]),
  check: ({ object }) => (at(object, MEMBER_ID_PATH) === '' ? [{ path: MEMBER_ID_PATH, messageId: 'empty' }] : []),
});
