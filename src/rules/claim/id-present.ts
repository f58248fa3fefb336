import { absent } from '../cel/text.ts';
import { defineRule } from '../rule.ts';
import { deletedAs, isId } from './reading.ts';

export const rule = defineRule({
  id: 'claim/id-present',
  on: ['DELETE'],
  meta: {
    summary: "A cluster's id exists as long as the cluster does.",
    fix: 'Delete the id only when the cluster itself is decommissioned. If it was deleted by mistake, create it again with the same value.',
    // Only the operator knows whether the cluster's life has ended.
    level: 'MUST†',
    source: 'KEP-2149 #lifespan',
    quote: 'The identifier **must** exist for the lifespan of a cluster.',
    needs: ['oldObject', 'cluster'],
    why: 'CEL in a CRD is not evaluated on deletions.',
    messages: {
      deleted: '{{name}} must exist as long as its cluster does; delete it only when the cluster is decommissioned',
    },
  },
  cel: absent.absence,
  // While the cluster is a member, claim/id-present-in-clusterset denies the same write.
  check: (context) => (isId(context) ? deletedAs(context, { member: false }) : []),
});
