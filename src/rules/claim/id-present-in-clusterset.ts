import { forClaims } from '../cel/claim.ts';
import { stringLiteral } from '../cel/expressions.ts';
import { defineRule } from '../rule.ts';
import { isId, reportDeletedId } from './claim-fields.ts';

export const rule = defineRule({
  id: 'claim/id-present-in-clusterset',
  on: ['DELETE'],
  // Whoever may write an ownerReference could otherwise have the garbage collector delete a member's id.
  appliesToGarbageCollector: true,
  ratchets: false,
  locks: true,
  meta: {
    summary: "A cluster's id is not deleted while the cluster belongs to a ClusterSet.",
    fix: 'Delete the membership (clusterset.k8s.io) first, then the id.',
    level: 'MUST',
    source: 'KEP-2149 #lifespan',
    quote:
      'The identifier **must** exist and be immutable for the duration of a cluster’s membership in a ' +
      'ClusterSet, and as long as a `clusterset.k8s.io` claim referring to that cluster in that ClusterSet ' +
      'exists.',
    needs: ['oldObject', 'cluster'],
    why: 'CEL in a CRD is not evaluated on deletions, and sees no other object.',
    messages: {
      deleted:
        '{{name}} cannot be deleted while {{membership}} exists; leave the ClusterSet first (delete {{membership}})',
    },
  },
  cel: forClaims(
    ({ idNames, membershipName }) => ({
      // The older name may go once the newer exists, which would be a second parameter.
      matchConditions: [`oldObject.metadata.name == ${stringLiteral(idNames[0] ?? '')}`],
      parameter: membershipName,
      validations: [
        {
          expression: 'false',
          field: 'metadata.name',
          messageId: 'deleted',
          data: { name: idNames[0] ?? '', membership: membershipName },
        },
      ],
    }),
    'a membership created a moment ago, and for ClusterProperty the older name `id.k8s.io` (the newer would be a ' +
      'second parameter)',
  ),
  check: (context) => (isId(context) ? reportDeletedId(context, { member: true }) : []),
});
