import { clusterProfile } from '../../api/dialects.ts';
import { MEMBER_ID_LABEL } from '../../api/labels.ts';
import { at, same, textAt } from '../../base/json.ts';
import { notInCel } from '../cel/expressions.ts';
import { defineRule } from '../rule.ts';
import { MEMBER_ID_PATH } from './inventory-fields.ts';
import { checkUnique, compareUnique, uniqueBy } from './unique.ts';

const unique = uniqueBy((object) => {
  const value = textAt(object, MEMBER_ID_PATH);
  return value ? [{ parts: [value], path: MEMBER_ID_PATH }] : [];
});

/** The number of objects to list: one of the two may be the evaluated object itself. */
const ENOUGH = 2;

export const rule = defineRule({
  id: 'inventory/member-id-unique',
  on: ['CREATE', 'UPDATE'],
  dialects: ['cluster-profile'],
  comparison: compareUnique(unique, [clusterProfile]),
  // Two objects may exchange their ids.
  laterWriteMayFix: true,
  ratchets: false,
  meta: {
    summary: 'No two ClusterProfiles in a namespace have the same member id.',
    fix: 'Delete the duplicate profile, or correct its label multicluster.x-k8s.io/inventory-member-id.',
    level: 'SHOULD',
    source: 'KEP-4322 #uniqueness-of-the-clusterprofile-object (commit 3a8eb262)',
    quote:
      'Within a cluster inventory, each member cluster SHOULD be represented by at most one ClusterProfile ' +
      'object, regardless of which cluster manager created it.',
    needs: ['object', 'oldObject', 'cluster'],
    why: 'CEL in a CRD sees one object, without its labels.',
    messages: {
      taken:
        'the id "{{value}}" is already that of "{{other}}" in the same namespace; delete the duplicate profile, ' +
        'or correct the id',
      other: 'the other object with the same value',
    },
  },
  cel: notInCel.others,
  check(context) {
    const value = textAt(context.object, MEMBER_ID_PATH);
    // An update that does not change the label can't add a duplicate, so nothing is read.
    if (!value || same(at(context.oldObject, MEMBER_ID_PATH), value)) return [];
    return checkUnique(unique, context, { key: MEMBER_ID_LABEL, value, limit: ENOUGH });
  },
});
