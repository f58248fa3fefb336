import { clusterClaim, clusterProperty, ocmClusterClaim } from '../../api/dialects.ts';
import { isObject } from '../../base/json.ts';
import { forClaims, valueValidation } from '../cel/claim.ts';
import { listLiteral } from '../cel/expressions.ts';
import { defineRule, type Shape } from '../rule.ts';
import { claimDetails, claimValue, isId, isMembership, VALUE } from './claim-fields.ts';

export const rule = defineRule({
  id: 'claim/value',
  on: ['CREATE', 'UPDATE'],
  meta: {
    summary: 'The spec.value of a claim is a string, no longer than its API allows.',
    fix:
      'Set spec.value to a string, quoted if it looks like a number or a boolean. Shorten a value that is over the ' +
      'limit, or store it elsewhere and put a reference into the claim.',
    level: 'MUST',
    source: 'KEP-2149 #-crd',
    quote: '**Value** - a claim-dependent string, up to 128 KB.',
    why: 'Each API has a limit of its own; the CRD of ClusterProperty has none, because its marker is misspelled.',
    code: 422,
    messages: {
      required: 'is missing; set it to a string',
      type: 'must be a string, got {{found}}; write it as one string',
      'type:unquoted': 'must be a string, got {{found}}; put it in quotes',
      maxLength: 'must be at most {{limit}} characters, got more; shorten it',
    },
  },
  cel: forClaims(({ valueLimit, valueOptional, idNames, membershipName }) => ({
    validations: [
      {
        expression: [
          'variables.specValue != null || variables.specValueStays',
          ...(valueOptional ? [`!(object.metadata.name in ${listLiteral([...idNames, membershipName])})`] : []),
        ].join(' || '),
        field: 'spec.value',
        messageId: 'required',
      },
      valueValidation('type', 'variables.specValue == null || type(variables.specValue) == string'),
      valueValidation(
        'maxLength',
        `type(variables.specValue) != string || size(variables.specValue) <= ${valueLimit}`,
        {
          data: { limit: String(valueLimit) },
        },
      ),
    ],
  })),
  // The API server counts code points, and so does the compiled schema.
  shapes: [clusterClaim, ocmClusterClaim, clusterProperty].map(
    (dialect): Shape => ({
      subresource: '',
      at: VALUE,
      dialects: [dialect.name],
      schema: { type: 'string', maxLength: dialect.claim.valueLimit },
    }),
  ),
  check(context) {
    if (claimValue(context.object) !== undefined) return [];
    // A spec that is no object has no value to leave out: no API takes it.
    const isOptional = claimDetails(context).valueOptional && isObject(context.object?.['spec'] ?? {});
    if (isOptional && !isId(context) && !isMembership(context)) return [];
    return [{ path: VALUE, messageId: 'required' }];
  },
});
