import { MEMBER_ID_LABEL } from '../../api/labels.ts';
import { at, same } from '../../base/json.ts';
import { forProfiles } from '../cel/inventory.ts';
import { defineRule } from '../rule.ts';
import { MEMBER_ID_PATH } from './inventory-fields.ts';

export const rule = defineRule({
  id: 'inventory/member-id-stable',
  on: ['UPDATE'],
  dialects: ['cluster-profile'],
  ratchets: false,
  meta: {
    summary: 'The member id label of a ClusterProfile does not change.',
    fix: 'Keep the label as it is stored. Create a new profile for another cluster.',
    level: 'SHOULD',
    basis: 'upstream',
    source: 'cluster-inventory-api v1alpha2, LabelInventoryMemberIDKey',
    quote:
      'Cluster managers SHOULD keep the value unchanged while a ClusterProfile continues to represent the same ' +
      'member cluster.',
    needs: ['object', 'oldObject'],
    why: "CEL in a CRD does not see an object's labels, and the CRD belongs to another project.",
    messages: {
      changed:
        'should not change while the profile represents the same cluster, got "{{value}}"; keep the stored ' +
        'value, or create a new profile for another cluster',
    },
  },
  cel: forProfiles([
    {
      expression: "variables.oldMemberId == null || variables.oldMemberId == '' || variables.memberIdStays",
      field: `metadata.labels[${MEMBER_ID_LABEL}]`,
      messageId: 'changed',
      dataExpressions: { value: 'variables.memberId' },
    },
  ]),
  check({ object, oldObject }) {
    const before = at(oldObject, MEMBER_ID_PATH);
    const value = at(object, MEMBER_ID_PATH);
    if (before === undefined || before === '' || same(before, value)) return [];
    return [{ path: MEMBER_ID_PATH, messageId: 'changed', data: { value } }];
  },
});
