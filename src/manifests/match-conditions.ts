/**
 * The match conditions of the webhooks: they exclude writes in which no active rule can find anything, which must pass
 * while muster is down. An expression that fails refuses the write under `Fail`, so every access is optional (`.?`).
 * Null and missing members differ here, but not for the rules: so a webhook may be called without need, but is never
 * left out.
 */
import { type Concept, dialects, placementDecision } from '../api/dialects.ts';
import { DECISION_INDEX_LABEL, MANAGER_LABEL, MEMBER_ID_LABEL } from '../api/labels.ts';
import { listLiteral } from '../rules/cel/expressions.ts';
import { COLLECTORS } from '../rules/principal.ts';
import type { Enforcement } from './requirements.ts';

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

const TERMINATING = 'oldObject.?metadata.?deletionTimestamp.hasValue()';

/** A part of an object, in CEL: an optional value. */
type MemberExpression = (of: 'object' | 'oldObject') => string;

const spec = memberOf('spec');
const status = memberOf('status');
function memberOf(name: string): MemberExpression {
  return (of) => `${of}.?${name}`;
}
/** Where a CRD admits a spec that is no object, all of it counts: access to a member would fail. */
const clusterManager: MemberExpression = (of) =>
  `(type(${of}.?spec.orValue({})) == map ? ${of}.?spec.?clusterManager : ${of}.?spec)`;
function label(name: string): MemberExpression {
  return (of) => `${of}.?metadata.?labels[?'${name}']`;
}

/** What rules read of an object of each concept on UPDATE. */
const READ: Readonly<
  Record<Concept, { readonly content: readonly MemberExpression[]; readonly labels: readonly string[] }>
> = {
  claim: { content: [spec], labels: [] },
  // The status counts if a CRD has no status subresource.
  inventory: { content: [clusterManager, status], labels: [MANAGER_LABEL, MEMBER_ID_LABEL] },
  // A write of one does not change the other, so the conditions fit the object and its status.
  feature: { content: [spec, status], labels: [] },
  // The index is a label, but no rule denies a wrong one without a configuration: see `indexConditions`.
  placement: { content: placementDecision.content.map(memberOf), labels: [] },
  service: { content: [spec, status], labels: [] },
};

/**
 * Returns the conditions for claims. Rules read the value and, on deletion, the id. Leaving a ClusterSet is always
 * sent.
 */
export function claimConditions(): readonly MatchCondition[] {
  const guarded = new Set(dialects.flatMap(({ claim }) => (claim ? [...claim.idNames, claim.membershipName] : [])));
  // By the object's own name: request.name is empty on deletecollection.
  const isGuarded = `oldObject.?metadata.?name.orValue('') in ${listLiteral([...guarded])}`;
  const deletes = `request.operation != 'DELETE' || (${isGuarded} && !${TERMINATING})`;
  return [
    { name: CHANGES, expression: `request.operation != 'UPDATE' || ${changed('claim')}` },
    { name: 'deletes-id-or-membership', expression: deletes },
  ];
}

/**
 * Returns the conditions for creating and updating inventory objects, features and their status, or placement
 * decisions.
 */
export function writeConditions(
  concept: Exclude<Concept, 'claim'>,
  enforcement: Enforcement,
): readonly MatchCondition[] {
  const orCreated = (expression: string) => `request.operation != 'UPDATE' || ${expression}`;
  return updates(concept, enforcement).map(({ name, expression }) => ({ name, expression: orCreated(expression) }));
}

/** Returns the conditions for the status of inventory objects, and of ServiceImports. */
export function statusConditions(): readonly MatchCondition[] {
  return [{ name: CHANGES, expression: differs(status) }];
}

/**
 * Returns the conditions for deletions of all kinds but claims: no rule denies one by the collectors there, nor one of
 * an object that is being deleted.
 */
export function deletionConditions(): readonly MatchCondition[] {
  return [notCollectors, { name: 'not-terminating', expression: `!${TERMINATING}` }];
}

/** Returns the conditions for updates that change the index of a slice and are sent to no other webhook. */
export function indexConditions(enforcement: Enforcement): readonly MatchCondition[] {
  const index = { name: 'changes-the-index', expression: differs(label(DECISION_INDEX_LABEL)) };
  return [index, ...unseen('placement', enforcement)];
}

/**
 * Returns the conditions for deletions of placement decisions, and for updates of their labels and ownerReferences that
 * are sent to no other webhook: those are the scheduler's alone, too.
 */
export function schedulerConditions(enforcement: Enforcement): readonly MatchCondition[] {
  const labels: MemberExpression = (of) => `${of}.?metadata.?labels`;
  const changes = `${differs(labels)} || (${CHANGES_OWNERS})`;
  return managersConditions('placement', enforcement, 'labels-or-owners', changes);
}

/**
 * Returns the conditions for deletions of ServiceImports, and for updates of their metadata that are sent to no other
 * webhook: those are the import managers' alone, too. Whoever removes finalizers lets the object go.
 */
export function importManagerConditions(enforcement: Enforcement): readonly MatchCondition[] {
  const metadata = ['labels', 'annotations', 'ownerReferences'].map(
    (key): MemberExpression =>
      (of) =>
        `${of}.?metadata.?${key}`,
  );
  const finalizers: MemberExpression = (of) => `${of}.?metadata.?finalizers.orValue([])`;
  const adds = `!${finalizers('object')}.all(f, f in ${finalizers('oldObject')})`;
  const changes = [...metadata.map(differs), adds].join(' || ');
  return managersConditions('service', enforcement, 'metadata', changes);
}

/**
 * Returns the conditions for writes that change ownerReferences, leave some, and are sent to no other webhook: such a
 * write can lead to a deletion of the object. Of claims, a rule guards the membership.
 */
export function ownerConditions(concept: Concept, enforcement: Enforcement): readonly MatchCondition[] {
  const all = [{ name: 'changes-owners', expression: CHANGES_OWNERS }, ...unseen(concept, enforcement), notCollectors];
  if (concept !== 'claim') return all;
  const memberships = new Set(dialects.flatMap(({ claim }) => claim?.membershipName ?? []));
  const isMembership = `object.?metadata.?name.orValue('') in ${listLiteral([...memberships])}`;
  return [...all, { name: 'is-membership', expression: isMembership }];
}

/**
 * Returns the conditions of the mutating webhook. It only adds a missing label; on UPDATE only if the stored object has
 * it.
 */
export function labelConditions(): readonly MatchCondition[] {
  const has = (of: 'object' | 'oldObject') => `${label(MANAGER_LABEL)(of)}.hasValue()`;
  return [
    { name: 'lacks-manager-label', expression: `!${has('object')}` },
    { name: 'had-manager-label', expression: `request.operation != 'UPDATE' || ${has('oldObject')}` },
  ];
}

/** @param changes what an update changes that no other webhook is sent; `what` names it */
function managersConditions(
  concept: Concept,
  enforcement: Enforcement,
  what: string,
  changes: string,
): readonly MatchCondition[] {
  const isUnseen = unseen(concept, enforcement).map(({ expression }) => `(${expression})`);
  const updates = [`(${changes})`, ...isUnseen].join(' && ');
  return [
    { name: 'not-terminating', expression: `!${TERMINATING}` },
    notCollectors,
    { name: `deletes-or-changes-${what}`, expression: `request.operation == 'DELETE' || (${updates})` },
  ];
}

const CHANGES = 'changes-what-rules-read';

const owners = (of: string) => `${of}.?metadata.?ownerReferences.orValue([])`;
/** Which leaves an owner: removing all of them is free. */
const CHANGES_OWNERS = `${owners('object')} != [] && ${owners('object')} != ${owners('oldObject')}`;

/** Updates that the concept's own webhook is not sent, of objects that are not being deleted. */
function unseen(concept: Concept, enforcement: Enforcement): readonly MatchCondition[] {
  const seen = updates(concept, enforcement).map(({ expression }) => `(${expression})`);
  return [{ name: 'seen-by-no-other', expression: `!(${seen.join(' && ')}) && !${TERMINATING}` }];
}

/**
 * Updates that change what rules read. Most do not: annotations, finalizers, managed fields. Old problems stay allowed,
 * as in the rules. All conditions must be true. Where the loss of a ClusterProfile's label only warns, `/mutate`
 * restores it.
 */
function updates(concept: Concept, { profileLabel }: Enforcement): readonly MatchCondition[] {
  const all = { name: CHANGES, expression: changed(concept) };
  if (concept !== 'inventory' || profileLabel) return [all];
  const loses = `request.kind.kind == 'ClusterProfile' && !${label(MANAGER_LABEL)('object')}.hasValue()`;
  const expression = `!(${loses}) || ${changed(concept, MANAGER_LABEL)}`;
  return [all, { name: 'does-more-than-lose-the-label', expression }];
}

/** On an object that is being deleted, changes of metadata do not count. */
function changed(concept: Concept, except?: string): string {
  const { content, labels } = READ[concept];
  const names = labels.filter((name) => name !== except).map((name) => differs(label(name)));
  const ofLabels = names.length === 0 ? [] : [`(!${TERMINATING} && (${names.join(' || ')}))`];
  return [...content.map(differs), ...ofLabels].join(' || ');
}

function differs(part: MemberExpression): string {
  return `${part('object')} != ${part('oldObject')}`;
}

/**
 * A namespace can be deleted with its objects while the webhook is down. Not for claims: even collectors may not delete
 * a member's id.
 */
const notCollectors: MatchCondition = {
  name: 'not-collected',
  expression: `!(request.userInfo.username in ${listLiteral([...COLLECTORS])})`,
};
