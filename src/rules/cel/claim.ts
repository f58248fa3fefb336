/** What the rules on claims say in CEL alike: for each claim dialect its own names and limits. */
import { type ClaimFacts, clusterProperty, dialects } from '../../api/dialects.ts';
import type { CelExpressions, CelRule, CelValidation, CelVariable } from '../rule.ts';
import { listLiteral, stringLiteral, variablesAt } from './expressions.ts';

export const SHOWN_VALUE = { value: 'variables.specValue' };

/** `specValue`, `oldSpecValue`, `specValueStays`; and `allowed`: the reserved names that are free. */
const variables: readonly CelVariable[] = [
  ...variablesAt(['spec', 'value']),
  {
    name: 'allowed',
    expression: 'dyn([])',
    configured: ({ claims }) => `dyn(${listLiteral(claims.allowedReservedNames)})`,
  },
];

/** The same for every claim dialect, with the facts of each. */
export function forClaims(expressions: (facts: ClaimFacts) => CelExpressions, omits?: string): CelRule {
  const byDialect = dialects.flatMap(({ name, claim }) =>
    claim ? [[name, { variables, ...expressions(claim) }]] : [],
  );
  return { byDialect: Object.fromEntries(byDialect), omits };
}

/** Returns what the expression says of the value, unless an update leaves the value as it is. */
export function valueValidation(
  messageId: string,
  expression: string,
  more: Pick<CelValidation, 'data' | 'dataExpressions'> = {},
): CelValidation {
  return { expression: `${expression} || variables.specValueStays`, field: 'spec.value', messageId, ...more };
}

/** Returns the same for the ids of ClusterProperty alone. */
export function forPropertyIds(validation: CelValidation): CelRule {
  const expressions = { variables, matchConditions: matchesId(clusterProperty.claim), validations: [validation] };
  return { byDialect: { 'cluster-property': expressions } };
}

/** That the value is the stored one; the rule's message is `changed`. */
export function valueStays(data: Readonly<Record<string, string>>): CelValidation {
  const field = 'spec.value';
  return { expression: 'variables.specValueStays', field, messageId: 'changed', data, dataExpressions: SHOWN_VALUE };
}

/** About the claims that hold the cluster's id. */
export function matchesId({ idNames }: ClaimFacts): readonly string[] {
  return [`object.metadata.name in ${listLiteral(idNames)}`];
}

/** About the claim that holds the cluster's membership. */
export function matchesMembership({ membershipName }: ClaimFacts): readonly string[] {
  return [`object.metadata.name == ${stringLiteral(membershipName)}`];
}
