/**
 * Which writes the API server need not call for: those no rule in force could find fault with. While muster is away, such a
 * write must go through: a finalizer comes off, a namespace goes, an unrelated label is written.
 * An expression that breaks refuses the write under `Fail`, so every access is optional (`.?`).
 * A null and a missing member differ here while they are one to the rules: that calls once too often, never too rarely.
 */

import { type Concept, type Dialect, dialects } from '../api/dialects.ts';
import { MANAGER_LABEL, MEMBER_ID_LABEL } from '../rules/inventory/reading.ts';

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

const TERMINATING = 'oldObject.?metadata.?deletionTimestamp.hasValue()';

/** A part of an object, in CEL: an optional value. */
type Part = (of: 'object' | 'oldObject') => string;

const spec: Part = (of) => `${of}.?spec`;
const status: Part = (of) => `${of}.?status`;
/** Where a CRD lets in a spec that is no object, all of it counts: to look into it would break the expression. */
const clusterManager: Part = (of) =>
  `(type(${of}.?spec.orValue({})) == map ? ${of}.?spec.?clusterManager : ${of}.?spec)`;
const label =
  (name: string): Part =>
  (of) =>
    `${of}.?metadata.?labels[?'${name}']`;

/** What rules read of an object of each concept, beside what only creating or deleting it concerns. */
const READ: Readonly<Record<Concept, { readonly content: readonly Part[]; readonly labels: readonly string[] }>> = {
  claim: { content: [spec], labels: [] },
  // The status counts where a CRD has no status subresource.
  inventory: { content: [clusterManager, status], labels: [MANAGER_LABEL, MEMBER_ID_LABEL] },
  // A write of one leaves the other as it is: the conditions serve the object and its status alike.
  feature: { content: [spec, status], labels: [] },
};

/** Rules on claims read the value, and on deletion are about the id; leaving a ClusterSet settles a join, so it is always seen. */
export function claimConditions(): readonly MatchCondition[] {
  return [
    { name: CHANGES, expression: `request.operation != 'UPDATE' || ${changed('claim')}` },
    // By the object's own name: request.name is empty on deletecollection.
    {
      name: 'deletes-id-or-membership',
      expression: `request.operation != 'DELETE' || (oldObject.?metadata.?name.orValue('') in ${listed(dialects.flatMap(guardedNames))} && !${TERMINATING})`,
    },
  ];
}

/** For creating and updating inventory objects, or features and their status. */
export function writeConditions(concept: 'inventory' | 'feature', options: LabelOptions): readonly MatchCondition[] {
  return updates(concept, options).map(({ name, expression }) => ({
    name,
    expression: `request.operation != 'UPDATE' || ${expression}`,
  }));
}

export interface LabelOptions {
  /** Whether a ClusterProfile without its manager's label is denied. Else its loss only warns, as `/mutate` puts it back. */
  readonly profileLabel: boolean;
}

export function inventoryStatusConditions(): readonly MatchCondition[] {
  return [{ name: CHANGES, expression: differs(status) }];
}

/** No rule may refuse the collectors a deletion, nor anybody one of what is going already. */
export function deletionConditions(): readonly MatchCondition[] {
  return [notCollectors, { name: 'not-terminating', expression: `!${TERMINATING}` }];
}

/**
 * Writes that add or change an ownerReference and that no other webhook sees: whoever may do so can have the object deleted.
 * Of claims it is the membership that a rule guards.
 */
export function ownerConditions(concept: Concept, options: LabelOptions): readonly MatchCondition[] {
  const owners = (of: string) => `${of}.?metadata.?ownerReferences.orValue([])`;
  const gains = `type(${owners('object')}) == list && ${owners('object')}.exists(o, type(${owners('oldObject')}) != list || !(o in ${owners('oldObject')}))`;
  const seen = updates(concept, options)
    .map(({ expression }) => `(${expression})`)
    .join(' && ');
  const memberships = dialects.flatMap(({ claim }) => (claim ? [claim.membershipName] : []));
  return [
    { name: 'gains-owner', expression: gains },
    { name: 'seen-by-no-other', expression: `!(${seen}) && !${TERMINATING}` },
    notCollectors,
    ...(concept === 'claim'
      ? [{ name: 'is-membership', expression: `object.?metadata.?name.orValue('') in ${listed(memberships)}` }]
      : []),
  ];
}

/** The mutating webhook adds a label that is missing, on UPDATE where the stored object has it, and does nothing else. */
export function labelConditions(): readonly MatchCondition[] {
  const has = (of: 'object' | 'oldObject') => `${label(MANAGER_LABEL)(of)}.hasValue()`;
  return [
    { name: 'lacks-manager-label', expression: `!${has('object')}` },
    { name: 'had-manager-label', expression: `request.operation != 'UPDATE' || ${has('oldObject')}` },
  ];
}

const CHANGES = 'changes-what-rules-read';

/**
 * Which updates are called for. Nothing that a rule reads changes on most: annotations, finalizers, managed fields. What was
 * wrong before stays allowed, as the rules have it. All conditions must hold.
 */
function updates(concept: Concept, { profileLabel }: LabelOptions): readonly MatchCondition[] {
  const all = { name: CHANGES, expression: changed(concept) };
  if (concept !== 'inventory' || profileLabel) return [all];
  const loses = `request.kind.kind == 'ClusterProfile' && !${label(MANAGER_LABEL)('object')}.hasValue()`;
  const expression = `!(${loses}) || ${changed(concept, MANAGER_LABEL)}`;
  return [all, { name: 'does-more-than-lose-the-label', expression }];
}

/** What metadata a write changes is free on an object that is being deleted. */
function changed(concept: Concept, except?: string): string {
  const { content, labels } = READ[concept];
  const names = labels.filter((name) => name !== except).map((name) => differs(label(name)));
  const ofLabels = names.length === 0 ? [] : [`(!${TERMINATING} && (${names.join(' || ')}))`];
  return [...content.map(differs), ...ofLabels].join(' || ');
}

function differs(part: Part): string {
  return `${part('object')} != ${part('oldObject')}`;
}

/** A namespace can go, and its objects with it, while the webhook is away. Not for claims: the id of a member is kept even from them. */
const notCollectors: MatchCondition = {
  name: 'not-collected',
  expression:
    '!(request.userInfo.username in ' +
    "['system:serviceaccount:kube-system:generic-garbage-collector', " +
    "'system:serviceaccount:kube-system:namespace-controller'])",
};

function guardedNames({ claim }: Dialect): readonly string[] {
  return claim ? [...claim.idNames, claim.membershipName] : [];
}

function listed(names: readonly string[]): string {
  return `[${[...new Set(names)].map((name) => `'${name}'`).join(', ')}]`;
}
