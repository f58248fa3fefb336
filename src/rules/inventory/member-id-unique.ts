/** cluster-inventory-api, ClusterProfile: "different member clusters use different values"; compared within a namespace. */
import { absent } from '../cel/cel.ts';
import { textAt } from '../json.ts';
import { after, defineRule, NOTHING } from '../rule.ts';
import { isItself, MEMBER_ID, memberIdOf, NAME } from './reading.ts';

export const rule = defineRule({
  id: 'inventory/member-id-unique',
  concept: 'inventory',
  on: ['CREATE', 'UPDATE'],
  dialects: ['cluster-profile'],
  live: 'scan',
  meta: {
    level: 'SHOULD',
    basis: 'upstream',
    source: 'cluster-inventory-api v1alpha2, LabelInventoryMemberIDKey',
    quote:
      'The platform administrator SHOULD coordinate values on a hub so that the same member cluster uses the same value and different member clusters use different values.',
    needs: ['object', 'cluster'],
    why: 'CEL in a CRD sees one object, and none of its labels.',
    code: 403,
    messages: {
      taken: 'the id "{{value}}" is that of "{{other}}" in the same namespace; one cluster has one profile there',
    },
  },
  cel: absent.others,
  check(context) {
    const value = memberIdOf(context.object);
    if (typeof value !== 'string' || value === '') return NOTHING;
    return after(context.view.list(context.dialect, context.namespace), (listed) => {
      if (!listed.known) return [{ path: MEMBER_ID, unknown: listed.reason }];
      const twin = listed.value.find((other) => memberIdOf(other) === value && !isItself(context, other));
      if (twin === undefined) return NOTHING;
      return [{ path: MEMBER_ID, messageId: 'taken', data: { value, other: textAt(twin, NAME) } }];
    });
  },
});
