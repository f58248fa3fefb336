import { claimDialects } from '../../api/dialects.ts';
import { notInCel } from '../cel/expressions.ts';
import { defineRule, MOST_RELATED, type ObjectComparison } from '../rule.ts';
import { identityFact, membersIn, sharedWith } from './shared-ids.ts';

const comparison: ObjectComparison<string> = {
  kinds: claimDialects,
  acrossOnly: true,
  factOf: identityFact,
  conflicts(kept) {
    const groups = Map.groupBy(membersIn(kept), ({ object, fact }) => JSON.stringify([object.dialect.name, fact]));
    return [...groups.values()].flatMap((same) => {
      const sets = [...Map.groupBy(same, ({ set }) => set)];
      // Most ids have one member, or members of one ClusterSet.
      if (sets.length === 1) return [];
      // A finding lists MOST_RELATED others at most. One of these ClusterSets may be the member's own, so take one
      // more.
      const firsts = sets.slice(0, MOST_RELATED + 1).flatMap(([, own]) => own.slice(0, MOST_RELATED));
      return sets.flatMap(([name, own]) => {
        const others = firsts.filter(({ set }) => set !== name);
        return own.map((member) => sharedWith(member, others, same.length - own.length));
      });
    });
  },
};

export const rule = defineRule({
  id: 'claim/id-unique-beyond-clusterset',
  // Another cluster's API server holds the other id, so no write can be refused for it.
  on: [],
  meta: {
    summary: 'Clusters of different ClusterSets have different ids.',
    fix: 'Give one of the clusters another id: delete its membership, change the id, then create the membership again.',
    level: 'SHOULD',
    source: 'KEP-2149 #uniqueness',
    quote: 'The identifier **should** be unique beyond the ClusterSet within the scope of expected use.',
    needs: ['object', 'cluster'],
    why: 'Each API server sees the claims of its own cluster; check and scan compare those of several clusters.',
    messages: {
      shared:
        'should be unique beyond the ClusterSet, got "{{value}}", which is also the id of the cluster {{other}} ' +
        'of another ClusterSet; give one of them another id',
      other: 'the same id in another ClusterSet',
    },
  },
  cel: notInCel.clusters,
  comparison,
});
