import { isDnsLabel, isDnsSubdomain } from '../../base/syntax.ts';
import { forClaims, matchesId, SHOWN_VALUE, valueValidation } from '../cel/claim.ts';
import { isDnsLabel as celLabel, isDnsSubdomain as celSubdomain } from '../cel/expressions.ts';
import { defineRule } from '../rule.ts';
import { claimDetails, claimValue, isId, VALUE } from './claim-fields.ts';

export const rule = defineRule({
  id: 'claim/id-syntax',
  on: ['CREATE', 'UPDATE'],
  meta: {
    summary: "A cluster's id is a valid DNS name: a label, or for ClusterProperty a subdomain.",
    fix:
      'Use lowercase letters, digits and "-" only, with a letter or digit at both ends. For ClusterProperty, ' +
      'labels may be joined by dots.',
    level: 'MUST',
    source: 'KEP-2149 #contents',
    quote: 'The identifier **must** be a valid RFC-1123 DNS label',
    why: 'One CRD serves every claim, and only the id has a syntax; two of the three CRDs belong to other projects.',
    code: 422,
    messages: {
      label:
        'must be an RFC 1123 DNS label (at most 63 of a-z, 0-9 and "-", beginning and ending with a letter or ' +
        'digit), got "{{value}}"',
      subdomain:
        'must be an RFC 1123 DNS subdomain (labels of at most 63 of a-z, 0-9 and "-", joined by dots, at most ' +
        '253 in all), got "{{value}}"',
    },
  },
  cel: forClaims((claim) => ({
    matchConditions: matchesId(claim),
    validations: [
      valueValidation(
        claim.idSyntax,
        'type(variables.specValue) != string || ' +
          (claim.idSyntax === 'label' ? celLabel : celSubdomain)('variables.specValue'),
        { dataExpressions: SHOWN_VALUE },
      ),
    ],
  })),
  check(context) {
    if (!isId(context)) return [];
    const value = claimValue(context.object);
    if (typeof value !== 'string') return [];
    const isLabel = claimDetails(context).idSyntax === 'label';
    if (isLabel ? isDnsLabel(value) : isDnsSubdomain(value)) return [];
    return [{ path: VALUE, messageId: isLabel ? 'label' : 'subdomain', data: { value } }];
  },
});
