import { clusterProfile } from '../../api/dialects.ts';
import { MEMBER_ID_LABEL } from '../../api/labels.ts';
import { firstOther } from '../../base/collections.ts';
import { textAt } from '../../base/json.ts';
import { notInCel } from '../cel/expressions.ts';
import { defineRule, NAME, type ObjectComparison, type ObjectFact } from '../rule.ts';
import { MEMBER_ID_PATH } from './inventory-fields.ts';

/** Keeps the member id of a profile. A profile without one agrees with all. */
const comparison: ObjectComparison<string> = {
  // The API server keeps the names of a cluster-scoped kind unique.
  kinds: [clusterProfile],
  acrossOnly: false,
  factOf: (object) => textAt(object, MEMBER_ID_PATH) || undefined,
  conflicts(kept) {
    const named = Map.groupBy(kept, ({ object }) => JSON.stringify([object.cluster, object.name]));
    return [...named.values()].flatMap((sharing) => {
      const other = firstOther(sharing, ({ fact }) => fact);
      return sharing.flatMap((one) => conflictOf(one, other(one)));
    });
  },
};

function conflictOf({ object }: ObjectFact<string>, other: ObjectFact<string> | undefined) {
  if (other === undefined) return [];
  const data = { value: object.name, namespace: other.object.namespace, label: MEMBER_ID_LABEL };
  const related = [{ object: other.object, path: NAME, messageId: 'other' }];
  return [{ object, problem: { path: NAME, messageId: 'taken', data }, related }];
}

export const rule = defineRule({
  id: 'inventory/unique-name',
  // It compares the profiles of all namespaces, which no single write can be checked for.
  on: [],
  comparison,
  meta: {
    summary: 'ClusterProfiles with the same name in two namespaces represent the same member cluster.',
    fix: 'Rename one of the two profiles, or correct its label multicluster.x-k8s.io/inventory-member-id.',
    // An inventory is a namespace, in which the API server keeps names unique. The norm asks for no more.
    level: 'SHOULD',
    basis: 'muster',
    source: 'muster, for KEP-4322 #cluster-name (commit 3a8eb262)',
    needs: ['object', 'cluster'],
    why: 'CEL in a CRD sees one object; this rule compares names across namespaces.',
    messages: {
      taken:
        'the name "{{value}}" is that of another member cluster in the namespace {{namespace}}, for which ' +
        'consumers of both namespaces would take this one; rename one of the two, or correct the label {{label}}',
      other: 'the profile with the same name and another member id',
    },
  },
  cel: notInCel.others,
});
