import { claimDialects } from '../../api/dialects.ts';
import { notInCel } from '../cel/expressions.ts';
import { defineRule, MOST_RELATED, type ObjectComparison } from '../rule.ts';
import { identityFact, membersIn, sharedWith } from './shared-ids.ts';

const comparison: ObjectComparison<string> = {
  kinds: claimDialects,
  acrossOnly: true,
  factOf: identityFact,
  conflicts(kept) {
    const groups = Map.groupBy(membersIn(kept), ({ object, fact, set }) =>
      JSON.stringify([object.dialect.name, set, fact]),
    );
    return [...groups.values()].flatMap((same) => {
      if (same.length === 1) return [];
      // One more than are listed: the member itself may be among them.
      const some = same.slice(0, MOST_RELATED + 1);
      return same.map((member) =>
        sharedWith(
          member,
          some.filter((one) => one !== member),
          same.length - 1,
        ),
      );
    });
  },
};

export const rule = defineRule({
  id: 'claim/id-unique-in-clusterset',
  // Another cluster's API server holds the other id, so no write can be refused for it.
  on: [],
  meta: {
    summary: 'No two clusters of one ClusterSet have the same id.',
    fix:
      'Give one of the clusters another id. If it is a member already, delete its membership, change the id, then ' +
      'create the membership again.',
    level: 'MUST',
    source: 'KEP-2149 #uniqueness',
    quote:
      'The identifier **must** be unique within the ClusterSet to which its cluster belongs for the duration of ' +
      'the cluster’s membership.',
    needs: ['object', 'cluster'],
    why: 'Each API server sees the claims of its own cluster; check and scan compare those of several clusters.',
    messages: {
      shared:
        'must be unique within the ClusterSet, got "{{value}}", which is the id of the cluster {{other}} too; ' +
        'give one of them another id (a member leaves the ClusterSet first: delete {{membership}})',
      other: 'the same id in the same ClusterSet',
    },
  },
  cel: notInCel.clusters,
  comparison,
});
