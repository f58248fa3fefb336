/** CEL that the rules on claims share. Each claim dialect has its own names and limits. */
import { type ClaimDetails, claimDialects, clusterProperty } from '../../api/dialects.ts';
import type { CelExpressions, CelRule, CelValidation, CelVariable } from '../rule.ts';
import { listLiteral, stringLiteral, variablesAt } from './expressions.ts';

export const SHOWN_VALUE = { value: 'variables.specValue' };

/** `specValue`, `oldSpecValue`, `specValueStays`; and `allowed`: the reserved names that the configuration allows. */
const variables: readonly CelVariable[] = [
  ...variablesAt(['spec', 'value']),
  {
    name: 'allowed',
    expression: 'dyn([])',
    configured: ({ claims }) => `dyn(${listLiteral(claims.allowedReservedNames)})`,
  },
];

/** Returns the CEL of a rule for every claim dialect. @param omits see `CelRule` */
export function forClaims(expressions: (claim: ClaimDetails) => CelExpressions, omits?: string): CelRule {
  const byDialect = claimDialects.map(({ name, claim }) => [name, { variables, ...expressions(claim) }]);
  return { byDialect: Object.fromEntries(byDialect), omits };
}

/** Returns a validation of the value that passes if `expression` holds, or if an update does not change the value. */
export function valueValidation(
  messageId: string,
  expression: string,
  more: Pick<CelValidation, 'data' | 'dataExpressions'> = {},
): CelValidation {
  return { expression: `${expression} || variables.specValueStays`, field: 'spec.value', messageId, ...more };
}

/** Returns the CEL of a rule on the ids of ClusterProperty alone. */
export function forPropertyIds(validation: CelValidation): CelRule {
  const matchConditions = matchesId(clusterProperty.claim);
  const expressions: CelExpressions = { variables, matchConditions, validations: [validation] };
  return { byDialect: { 'cluster-property': expressions } };
}

/** Returns a validation that the value does not change; the rule's message is `changed`. */
export function valueStays(data: Readonly<Record<string, string>>): CelValidation {
  const field = 'spec.value';
  return { expression: 'variables.specValueStays', field, messageId: 'changed', data, dataExpressions: SHOWN_VALUE };
}

/** Returns the match condition for the claims with the cluster's id. */
export function matchesId({ idNames }: ClaimDetails): readonly string[] {
  return [`object.metadata.name in ${listLiteral(idNames)}`];
}

/** Returns the match condition for the claim with the cluster's membership. */
export function matchesMembership({ membershipName }: ClaimDetails): readonly string[] {
  return [`object.metadata.name == ${stringLiteral(membershipName)}`];
}
