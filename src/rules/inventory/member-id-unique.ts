import { MEMBER_ID_LABEL } from '../../api/labels.ts';
import { at, type JsonObject, same, textAt } from '../../base/json.ts';
import { absent } from '../cel/expressions.ts';
import { type Answer, type Context, defineRule, type RuleResult } from '../rule.ts';
import { isItself, MEMBER_ID } from './inventory-fields.ts';
import { compareUnique, nameOf, uniqueAt } from './unique.ts';

/** The object itself may be one of the two. */
const ENOUGH = 2;

export const rule = defineRule({
  id: 'inventory/member-id-unique',
  on: ['CREATE', 'UPDATE'],
  dialects: ['cluster-profile'],
  comparison: compareUnique(uniqueAt(MEMBER_ID)),
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
  cel: absent.others,
  check(context) {
    const { object, oldObject, view, dialect, namespace } = context;
    const value = textAt(object, MEMBER_ID);
    // Of an update that leaves the label as it is there is nothing new to find, and nothing to read.
    if (!value || same(at(oldObject, MEMBER_ID), value)) return [];
    const listed = view.list(dialect, namespace, { key: MEMBER_ID_LABEL, value, limit: ENOUGH });
    return 'then' in listed
      ? listed.then((answer) => compared(context, value, answer))
      : compared(context, value, listed);
  },
});

function compared(context: Context, value: string, listed: Answer<readonly JsonObject[]>): readonly RuleResult[] {
  if (!listed.known) return [{ path: MEMBER_ID, unknown: listed.reason }];
  const other = listed.value.find((one) => !isItself(context, one) && same(at(one, MEMBER_ID), value));
  if (other === undefined) return [];
  return [{ path: MEMBER_ID, messageId: 'taken', data: { value, other: nameOf(other) } }];
}
