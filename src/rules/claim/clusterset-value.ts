import { blankPattern, isBlank } from '../../base/syntax.ts';
import { forClaims, matchesMembership, SHOWN_VALUE, valueValidation } from '../cel/claim.ts';
import { matches } from '../cel/expressions.ts';
import { defineRule } from '../rule.ts';
import { claimValue, isMembership, VALUE } from './claim-fields.ts';

export const rule = defineRule({
  id: 'claim/clusterset-value',
  on: ['CREATE', 'UPDATE'],
  meta: {
    summary: 'A ClusterSet membership names a ClusterSet.',
    fix:
      'Create the claim with the name of the ClusterSet as its spec.value. To leave a ClusterSet, delete the claim ' +
      'instead of emptying it.',
    level: 'MUST',
    source: 'KEP-2149 #contents-1',
    quote: 'The identifier **must** associate the cluster with a ClusterSet.',
    why: 'One CRD serves every claim, and other claims may be empty; two of the three CRDs belong to other projects.',
    code: 422,
    messages: {
      empty: 'must name a ClusterSet, got "{{value}}"; set it to the name of the ClusterSet that the cluster joins',
    },
  },
  cel: forClaims((claim) => ({
    matchConditions: matchesMembership(claim),
    validations: [
      valueValidation('empty', `!${matches('variables.specValue', blankPattern, claim.valueLimit)}`, {
        dataExpressions: SHOWN_VALUE,
      }),
    ],
  })),
  check(context) {
    if (!isMembership(context)) return [];
    const value = claimValue(context.object);
    if (typeof value !== 'string' || !isBlank(value)) return [];
    return [{ path: VALUE, messageId: 'empty', data: { value } }];
  },
});
