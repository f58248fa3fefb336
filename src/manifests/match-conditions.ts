/**
 * Which writes the API server need not call for: those no rule would judge, whatever is configured.
 * An expression that breaks refuses the write under `Fail`, so every access is optional (`.?`).
 * A null and a missing member differ here while they are one to the rules: that calls once too often, never too rarely.
 */
import { MANAGER_LABEL } from '../rules/inventory/reading.ts';
import { type Dialect, dialects } from '../schemas/dialects.ts';

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** Rules on claims read the value, and on deletion speak of the id; leaving a ClusterSet settles a join, so it is always seen. */
export function claimConditions(): readonly MatchCondition[] {
  const names = new Set(dialects.flatMap(guardedNames));
  const listed = [...names].map((name) => `'${name}'`).join(', ');
  return [
    changed('spec'),
    // By the object's own name: request.name is empty on deletecollection.
    {
      name: 'deletes-id-or-membership',
      expression: `request.operation != 'DELETE' || oldObject.?metadata.?name.orValue('') in [${listed}]`,
    },
  ];
}

/** The status counts where a CRD has no status subresource. */
export function inventoryConditions(): readonly MatchCondition[] {
  return [changed('spec', 'status', 'metadata.?labels'), notCollected];
}

export function inventoryStatusConditions(): readonly MatchCondition[] {
  return [changed('status')];
}

/** For features and their status alike: a write of one leaves the other as it is. */
export function featureConditions(): readonly MatchCondition[] {
  return [changed('spec', 'status'), notCollected];
}

/** The mutating webhook adds a label that is missing, and does nothing else. */
export function labelConditions(): readonly MatchCondition[] {
  return [{ name: 'lacks-manager-label', expression: `!object.?metadata.?labels[?'${MANAGER_LABEL}'].hasValue()` }];
}

/**
 * Nothing that a rule reads changes on most updates: annotations, finalizers, managed fields. What was wrong before
 * stays allowed, as the rules have it.
 */
function changed(...parts: readonly string[]): MatchCondition {
  const differs = parts.map((part) => `object.?${part} != oldObject.?${part}`);
  return { name: 'changes-what-rules-read', expression: [`request.operation != 'UPDATE'`, ...differs].join(' || ') };
}

/**
 * No rule may refuse these a deletion, so a namespace can go while the webhook is away. Not for claims: the id of a
 * ClusterSet's member is kept even from them.
 */
const notCollected: MatchCondition = {
  name: 'not-collected',
  expression:
    "request.operation != 'DELETE' || !(request.userInfo.username in " +
    "['system:serviceaccount:kube-system:generic-garbage-collector', " +
    "'system:serviceaccount:kube-system:namespace-controller'])",
};

function guardedNames({ claim }: Dialect): readonly string[] {
  return claim ? [...claim.idNames, claim.membershipName] : [];
}
