import { claimDialects } from '../../api/dialects.ts';
import { notInCel } from '../cel/expressions.ts';
import { defineRule, NAME, type ObjectComparison, type ObjectFact } from '../rule.ts';
import { isId, isMembership, reportDeletedId } from './claim-fields.ts';

/** Keeps for each claim only that it exists. */
const comparison: ObjectComparison<true> = {
  kinds: claimDialects,
  acrossOnly: false,
  points: ['scan'],
  factOf: () => true,
  conflicts(kept, { unread }) {
    const claims = Map.groupBy(kept, ({ object }) => JSON.stringify([object.cluster, object.dialect.name]));
    return [...claims.values()].flatMap((ofCluster) => {
      const [{ object }] = ofCluster as [ObjectFact<true>];
      const { kind, claim } = object.dialect;
      // For a member, claim/clusterset-requires-id reports it. If not all claims were read, it is not known.
      const isThere = ofCluster.some((one) => isId(one.object) || isMembership(one.object));
      if (isThere || unread(object.cluster, object.dialect) !== undefined) return [];
      const data = { kind, name: claim?.idNames[0] };
      return [{ object, problem: { path: NAME, messageId: 'missing', data }, related: [] }];
    });
  },
};

export const rule = defineRule({
  id: 'claim/id-present',
  on: ['DELETE'],
  ratchets: false,
  locks: true,
  meta: {
    summary: "A cluster's id exists as long as the cluster does.",
    fix:
      'Delete the id only when the cluster itself is decommissioned. If it was deleted by mistake, create it again ' +
      'with the same value.',
    // Only the operator knows whether the cluster's life has ended.
    level: 'MUST†',
    source: 'KEP-2149 #lifespan',
    quote: 'The identifier **must** exist for the lifespan of a cluster.',
    needs: ['oldObject', 'cluster'],
    why: 'CEL in a CRD is not evaluated on deletions.',
    messages: {
      missing:
        'the cluster has claims and no id, which must exist for the lifespan of a cluster; create the {{kind}} ' +
        '{{name}}',
      deleted: '{{name}} must exist as long as its cluster does; delete it only when the cluster is decommissioned',
    },
  },
  cel: notInCel.absence,
  comparison,
  // While the cluster is a member, claim/id-present-in-clusterset denies the same write.
  check: (context) => (isId(context) ? reportDeletedId(context, { member: false }) : []),
});
