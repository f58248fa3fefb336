import { absent } from '../cel/text.ts';
import { defineRule } from '../rule.ts';
import { MEMBER_ID } from './reading.ts';
import { checkUnique, compareUnique, uniqueAt } from './unique.ts';

const unique = uniqueAt(MEMBER_ID, 'namespace');

export const rule = defineRule({
  id: 'inventory/member-id-unique',
  on: ['CREATE', 'UPDATE'],
  dialects: ['cluster-profile'],
  comparison: compareUnique(unique),
  readsLists: true,
  meta: {
    summary: 'No two ClusterProfiles in a namespace have the same member id.',
    fix: 'Delete the duplicate profile, or correct its label multicluster.x-k8s.io/inventory-member-id.',
    level: 'SHOULD',
    basis: 'upstream',
    source: 'cluster-inventory-api v1alpha2, LabelInventoryMemberIDKey',
    quote:
      'The platform administrator SHOULD coordinate values on a hub so that the same member cluster uses the same value and different member clusters use different values.',
    needs: ['object', 'cluster'],
    why: 'CEL in a CRD sees one object, and none of its labels.',
    messages: {
      taken:
        'the id "{{value}}" is already that of "{{other}}" in the same namespace; delete the duplicate profile, or correct the id',
      elsewhere:
        'the id "{{value}}" is already that of "{{other}}" in the same namespace of the cluster "{{cluster}}"; delete the duplicate profile, or correct the id',
      other: 'the other object with the same value',
    },
  },
  cel: absent.others,
  check: checkUnique(unique),
});
