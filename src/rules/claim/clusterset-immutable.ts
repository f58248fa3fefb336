import { same } from '../../base/json.ts';
import { forClaims, matchesMembership, valueStays } from '../cel/claim.ts';
import { defineRule } from '../rule.ts';
import { claimValue, isMembership, VALUE } from './claim-fields.ts';

export const rule = defineRule({
  id: 'claim/clusterset-immutable',
  on: ['UPDATE'],
  ratchets: false,
  meta: {
    summary: 'The value of a ClusterSet membership never changes: leave one ClusterSet, then join the other.',
    fix: 'Delete the membership (clusterset.k8s.io), then create it with the name of the other ClusterSet.',
    level: 'MUST',
    source: 'KEP-2149 #lifespan-1',
    quote: 'The identifier **must** exist and be immutable for the duration of a cluster’s membership in a ClusterSet.',
    needs: ['object', 'oldObject'],
    why: 'One CRD serves every claim, and other claims may change; two of the three CRDs belong to other projects.',
    messages: {
      changed:
        'the ClusterSet of a membership cannot change, got "{{value}}"; leave the ClusterSet (delete {{name}}), ' +
        'then join the other one (create {{name}})',
    },
  },
  cel: forClaims((claim) => ({
    matchConditions: matchesMembership(claim),
    validations: [valueStays({ name: claim.membershipName })],
  })),
  check(context) {
    if (!isMembership(context)) return [];
    const value = claimValue(context.object);
    if (same(value, claimValue(context.oldObject))) return [];
    return [{ path: VALUE, messageId: 'changed', data: { value, name: context.name } }];
  },
});
