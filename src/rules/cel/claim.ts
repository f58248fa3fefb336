/** What the rules on claims say in CEL alike: for each claim dialect its own names and limits. */
import { type ClaimFacts, clusterProperty, dialects } from '../../api/dialects.ts';
import type { CelExpressions, CelSaid, CelValidation, CelVariable } from '../rule.ts';
import { read, text, texts } from './expressions.ts';

export const SHOWN_VALUE = { value: 'variables.specValue' };

/** `specValue`, `oldSpecValue`, `specValueStays`; and `allowed`: the reserved names that are free. */
const variables: readonly CelVariable[] = [
  ...read(['spec', 'value']),
  {
    name: 'allowed',
    expression: 'dyn([])',
    configured: ({ claims }) => `dyn(${texts(claims.allowedReservedNames)})`,
  },
];

/** The same for every claim dialect, with the facts of each. */
export function forClaims(expressions: (facts: ClaimFacts) => CelExpressions, lacks?: string): CelSaid {
  const byDialect = dialects.flatMap(({ name, claim }) =>
    claim ? [[name, { variables, ...expressions(claim) }]] : [],
  );
  return { byDialect: Object.fromEntries(byDialect), lacks };
}

/** Returns what the expression says of the value, unless an update leaves the value as it is. */
export function ofValue(
  messageId: string,
  expression: string,
  more: Pick<CelValidation, 'data' | 'shows'> = {},
): CelValidation {
  return { expression: `${expression} || variables.specValueStays`, field: 'spec.value', messageId, ...more };
}

/** Returns the same for the ids of ClusterProperty alone. */
export function forPropertyIds(validation: CelValidation): CelSaid {
  const expressions = { variables, about: aboutIds(clusterProperty.claim), validations: [validation] };
  return { byDialect: { 'cluster-property': expressions } };
}

/** That the value is the stored one; the rule's message is `changed`. */
export function valueStays(data: Readonly<Record<string, string>>): CelValidation {
  const field = 'spec.value';
  return { expression: 'variables.specValueStays', field, messageId: 'changed', data, shows: SHOWN_VALUE };
}

/** About the claims that hold the cluster's id. */
export function aboutIds({ idNames }: ClaimFacts): readonly string[] {
  return [`object.metadata.name in ${texts(idNames)}`];
}

/** About the claim that holds the cluster's membership. */
export function aboutMembership({ membershipName }: ClaimFacts): readonly string[] {
  return [`object.metadata.name == ${text(membershipName)}`];
}
