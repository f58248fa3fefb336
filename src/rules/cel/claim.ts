/** What the rules on claims say in CEL alike: for each claim dialect its own names and limits. */
import { type ClaimFacts, clusterProperty, type Dialect, dialects } from '../../api/dialects.ts';
import type { CelExpressions, CelSaid, CelValidation, CelVariable } from '../rule.ts';
import { read, text, texts } from './text.ts';

/** `specValue`, `oldSpecValue` and `specValueStays`: what was wrong before stays editable around. */
export const VALUE: readonly CelVariable[] = read(['spec', 'value']);
export const SHOWN_VALUE = { value: 'variables.specValue' };

/** The names that are free although they are reserved; `*.suffix` means all below it. */
export const ALLOWED_NAMES: CelVariable = {
  name: 'allowed',
  expression: 'dyn([])',
  configured: ({ claims }) => `dyn(${texts(claims.allowedReservedNames)})`,
};

/** The same for every claim dialect, with the facts of each. */
export function forClaims(expressions: (facts: ClaimFacts) => CelExpressions, lacks?: string): CelSaid {
  const claims = dialects.filter((dialect): dialect is Dialect & { claim: ClaimFacts } => dialect.claim !== undefined);
  const byDialect = Object.fromEntries(claims.map(({ name, claim }) => [name, expressions(claim)]));
  return { byDialect, ...(lacks === undefined ? {} : { lacks }) };
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
  const expressions = { variables: VALUE, about: aboutIds(clusterProperty.claim), validations: [validation] };
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
