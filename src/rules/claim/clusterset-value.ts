/** KEP-2149, clusterset.k8s.io, Contents: "The identifier must associate the cluster with a ClusterSet." */
import { aboutMembership, forClaims, VALUE as VALUES } from '../cel/claim.ts';
import { defineRule, NOTHING } from '../rule.ts';
import { claimValue, isMembership, VALUE } from './reading.ts';

export const rule = defineRule({
  id: 'claim/clusterset-value',
  concept: 'claim',
  on: ['CREATE', 'UPDATE'],
  meta: {
    level: 'MUST',
    basis: 'kep',
    source: 'KEP-2149 #contents-1',
    quote: 'The identifier **must** associate the cluster with a ClusterSet.',
    needs: ['object'],
    why: 'One CRD serves every claim, and other claims may be empty; two of the three CRDs are not ours.',
    code: 422,
    messages: { empty: 'must name a ClusterSet, got ""; set it to the name of the ClusterSet that the cluster joins' },
  },
  cel: forClaims((claim) => ({
    variables: VALUES,
    about: aboutMembership(claim),
    validations: [
      {
        expression: `variables.specValue != '' || variables.specValueStays`,
        field: 'spec.value',
        messageId: 'empty',
      },
    ],
  })),
  check(context) {
    if (!isMembership(context) || claimValue(context.object) !== '') return NOTHING;
    return [{ path: VALUE, messageId: 'empty' }];
  },
});
