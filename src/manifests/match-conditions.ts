/**
 * The match conditions of the webhooks. They exclude writes for which no active rule can report anything, so that these
 * pass while muster is down. Under `Fail`, an expression that fails refuses the write, so every access is optional
 * (`.?`). Unlike for the rules, null and missing members differ here. That may lead to a needless call, but never to a
 * missing one.
 */
import { type Concept, claimDialects, placementDecision } from '../api/dialects.ts';
import { DECISION_INDEX_LABEL, MANAGER_LABEL, MEMBER_ID_LABEL } from '../api/labels.ts';
import { listLiteral } from '../rules/cel/expressions.ts';
import { MOST_DECISIONS } from '../rules/cel/placement.ts';
import { RESERVED } from '../rules/claim/reserved-name.ts';
import { COLLECTORS } from '../rules/principal.ts';

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** Returns conditions. @param guardsLabel whether a ClusterProfile without its manager's label is denied */
export type ConditionsOf = (guardsLabel: boolean) => readonly MatchCondition[];

const TERMINATING = 'oldObject.?metadata.?deletionTimestamp.hasValue()';

/** Returns CEL for a part of an object: an optional value. */
type MemberExpression = (of: 'object' | 'oldObject') => string;

const spec = memberOf('spec');
const status = memberOf('status');
function memberOf(name: string): MemberExpression {
  return (of) => `${of}.?${name}`;
}
/** The manager. If a CRD allows a spec that is not an object, it is the whole spec: access to a member would fail. */
const clusterManager: MemberExpression = (of) =>
  `(type(${of}.?spec.orValue({})) == map ? ${of}.?spec.?clusterManager : ${of}.?spec)`;
function metadataOf(key: string): MemberExpression {
  return (of) => `${of}.?metadata.?${key}`;
}
function label(name: string): MemberExpression {
  return (of) => `${of}.?metadata.?labels[?'${name}']`;
}

/** The parts of an object that rules read on UPDATE, by concept. */
const READ: Readonly<
  Record<Concept, { readonly content: readonly MemberExpression[]; readonly labels: readonly string[] }>
> = {
  claim: { content: [spec], labels: [] },
  // The status is compared for CRDs without a status subresource.
  inventory: { content: [clusterManager, status], labels: [MANAGER_LABEL, MEMBER_ID_LABEL] },
  // A write of one does not change the other, so the conditions fit the object and its status.
  feature: { content: [spec, status], labels: [] },
  // The index is a label, but no rule denies a wrong one without a configuration: see `indexConditions`. Of the
  // decisions, rules read what is new: see `namesMore`. Who changes anything else: see `schedulerConditions`.
  placement: { content: [], labels: [] },
  service: { content: [spec, status], labels: [] },
};

/**
 * CEL for an inventory object whose label is the name of its manager, and whose member id is not empty where it is set.
 * The API server sees to it that a label is valid.
 */
const IS_SOUND = [
  'type(object.?spec.orValue(null)) == map',
  'type(object.spec.?clusterManager.orValue(null)) == map',
  `${label(MANAGER_LABEL)('object')}.orValue('') != ''`,
  `${label(MANAGER_LABEL)('object')} == object.spec.clusterManager.?name`,
  `${label(MEMBER_ID_LABEL)('object')}.orValue('any') != ''`,
].join(' && ');

const IDS = [...new Set(claimDialects.flatMap(({ claim }) => claim.idNames))];
const MEMBERSHIPS = [...new Set(claimDialects.map(({ claim }) => claim.membershipName))];

/** The groups whose claims need no value. */
const WITHOUT_VALUES = claimDialects.filter(({ claim }) => claim.valueOptional).map(({ group }) => group);
const MAY_LACK_VALUE = `request.kind.group in ${listLiteral(WITHOUT_VALUES)}`;

/** CEL for a claim whose value every API of claims takes, or that has none where its API takes that. */
const HAS_PLAIN_VALUE = [
  'type(object.?spec.orValue({})) == map',
  `(object.?spec.?value.hasValue() ? type(object.spec.value) == string : ${MAY_LACK_VALUE})`,
  `size(object.?spec.?value.orValue('')) <= ${Math.min(...claimDialects.map(({ claim }) => claim.valueLimit))}`,
].join(' && ');

/** Returns CEL for the object's own name, since request.name is empty on deletecollection. */
function nameOf(of: 'object' | 'oldObject'): string {
  return `${of}.?metadata.?name.orValue('')`;
}

function isNamed(of: 'object' | 'oldObject', names: readonly string[]): string {
  return `${nameOf(of)} in ${listLiteral(names)}`;
}

/**
 * Returns the conditions for claims: creations, changes of the value, and deletions of an id. Of a claim with a name of
 * its own, rules can only report a value that its API does not take, and of a new one a name that is reserved or has no
 * domain.
 */
export function claimConditions(): readonly MatchCondition[] {
  const isWellKnown = isNamed('object', [...IDS, ...MEMBERSHIPS]);
  const isReserved = `${listLiteral(RESERVED)}.exists(suffix, ${nameOf('object')}.endsWith(suffix))`;
  const hasOddName = `request.operation == 'CREATE' && (!${nameOf('object')}.contains('.') || ${isReserved})`;
  const mayBreakRules = [isWellKnown, `!(${HAS_PLAIN_VALUE})`, `(${hasOddName})`].join(' || ');
  const deletes = `request.operation != 'DELETE' || (${isNamed('oldObject', IDS)} && !${TERMINATING})`;
  return [
    { name: CHANGES, expression: `request.operation != 'UPDATE' || ${changed('claim')}` },
    { name: 'is-well-known-or-invalid', expression: `request.operation == 'DELETE' || ${mayBreakRules}` },
    { name: 'deletes-id', expression: deletes },
  ];
}

/**
 * Returns the conditions for creating and updating inventory objects, features and their status, placement decisions,
 * or ServiceImports.
 */
export function writeConditions(concept: Exclude<Concept, 'claim'>): ConditionsOf {
  const orCreated = (expression: string) => `request.operation != 'UPDATE' || ${expression}`;
  return (guardsLabel) =>
    updates(concept, guardsLabel).map(({ name, expression }) => ({ name, expression: orCreated(expression) }));
}

/**
 * Returns the conditions for creating and updating inventory objects. They exclude sound ones that are created: see
 * `soundCreationConditions`.
 */
export function inventoryConditions(guardsLabel: boolean): readonly MatchCondition[] {
  const expression = `request.operation != 'CREATE' || !(${IS_SOUND})`;
  return [...writeConditions('inventory')(guardsLabel), { name: 'is-not-a-sound-creation', expression }];
}

/** Returns the condition for creating inventory objects that no rule denies without a configuration. */
export function soundCreationConditions(): readonly MatchCondition[] {
  return [{ name: 'is-sound', expression: IS_SOUND }];
}

/** Returns the conditions for the status of inventory objects, and of ServiceImports. */
export function statusConditions(): readonly MatchCondition[] {
  return [{ name: CHANGES, expression: differs(status) }];
}

/**
 * Returns the conditions for deletions of inventory objects and features. They exclude objects that are being deleted
 * already, and deletions by the garbage collector and the namespace controller: no rule denies those.
 */
export function deletionConditions(): readonly MatchCondition[] {
  return [notCollectors, notTerminating];
}

/** Returns the conditions for deletions of memberships, also by the collectors, since each leave releases a lock. */
export function leaveConditions(): readonly MatchCondition[] {
  return [{ name: 'is-membership', expression: isNamed('oldObject', MEMBERSHIPS) }, notTerminating];
}

/** Returns the conditions for updates of the index of a slice that no other webhook gets. */
export function indexConditions(): readonly MatchCondition[] {
  const index = { name: 'changes-the-index', expression: differs(label(DECISION_INDEX_LABEL)) };
  return [index, ...unseen('placement')];
}

/**
 * Returns the condition for deletions of placement decisions, and for updates of their content, labels and
 * ownerReferences that no other webhook gets: only the scheduler may do that. The content of a decision is the
 * scheduler's also while the decision is being deleted.
 */
export function schedulerConditions(): readonly MatchCondition[] {
  const changesContent = placementDecision.content.map(memberOf).map(differs).join(' || ');
  const changesMetadata = `${differs(metadataOf('labels'))} || (${CHANGES_OWNERS})`;
  const guarded = [
    notTerminating.expression,
    notCollectors.expression,
    `(request.operation == 'DELETE' || ${changesMetadata})`,
  ].join(' && ');
  const expression = `request.operation == 'UPDATE' && (${changesContent}) ? !(${namesMore()}) : (${guarded})`;
  return [{ name: 'deletes-or-changes-what-schedulers-own', expression }];
}

/**
 * Returns the conditions for deletions of ServiceImports, and for updates of their metadata that no other webhook gets:
 * only import managers may do that. Anyone may remove finalizers.
 */
export function managerConditions(): readonly MatchCondition[] {
  const metadata = ['labels', 'annotations', 'ownerReferences'].map(metadataOf);
  const finalizers: MemberExpression = (of) => `${metadataOf('finalizers')(of)}.orValue([])`;
  const adds = `!${finalizers('object')}.all(f, f in ${finalizers('oldObject')})`;
  const changes = [...metadata.map(differs), adds].join(' || ');
  const isUnseen = unseen('service').map(({ expression }) => `(${expression})`);
  const updates = [`(${changes})`, ...isUnseen].join(' && ');
  return [
    notTerminating,
    notCollectors,
    { name: 'deletes-or-changes-metadata', expression: `request.operation == 'DELETE' || (${updates})` },
  ];
}

/**
 * Returns the conditions for updates of ownerReferences that leave some of them, and that no other webhook gets. Such a
 * write can lead to a deletion of the object. For claims, only the membership is guarded.
 */
export function ownerConditions(concept: Concept): ConditionsOf {
  const changes = { name: 'changes-owners', expression: CHANGES_OWNERS };
  const isMembership = { name: 'is-membership', expression: isNamed('object', MEMBERSHIPS) };
  const last = concept === 'claim' ? [isMembership] : [];
  return (guardsLabel) => [changes, ...unseen(concept, guardsLabel), notCollectors, ...last];
}

/** Returns the conditions of the mutating webhook, which adds a missing label; on UPDATE, only if it was removed. */
export function labelConditions(): readonly MatchCondition[] {
  const has = (of: 'object' | 'oldObject') => `${label(MANAGER_LABEL)(of)}.hasValue()`;
  return [
    { name: 'lacks-manager-label', expression: `!${has('object')}` },
    { name: 'had-manager-label', expression: `request.operation != 'UPDATE' || ${has('oldObject')}` },
  ];
}

const CHANGES = 'changes-what-rules-read';

const owners: MemberExpression = (of) => `${metadataOf('ownerReferences')(of)}.orValue([])`;
/** That the owners change, and some remain: anyone may remove all of them. */
const CHANGES_OWNERS = `${owners('object')} != [] && ${owners('object')} != ${owners('oldObject')}`;

/**
 * Returns the condition for updates that the concept's main webhook does not get, of objects that are not being
 * deleted.
 */
function unseen(concept: Concept, guardsLabel = false): readonly MatchCondition[] {
  const seen = updates(concept, guardsLabel).map(({ expression }) => `(${expression})`);
  return [{ name: 'seen-by-no-other', expression: `!(${seen.join(' && ')}) && !${TERMINATING}` }];
}

/**
 * Returns the conditions for updates that change what rules read; all of them must be true. Most updates do not: they
 * change annotations, finalizers or managed fields. The removal of a ClusterProfile's label alone is excluded, unless
 * it is denied, since `/mutate` restores the label.
 */
function updates(concept: Concept, guardsLabel: boolean): readonly MatchCondition[] {
  if (concept === 'placement') return [{ name: CHANGES, expression: namesMore() }];
  const all = { name: CHANGES, expression: changed(concept) };
  if (concept !== 'inventory' || guardsLabel) return [all];
  const loses = `request.kind.kind == 'ClusterProfile' && !${label(MANAGER_LABEL)('object')}.hasValue()`;
  const expression = `!(${loses}) || ${changed(concept, MANAGER_LABEL)}`;
  return [all, { name: 'does-more-than-lose-the-label', expression }];
}

/** Returns CEL for changes of the content or the labels; labels of an object that is being deleted do not count. */
function changed(concept: Concept, except?: string): string {
  const { content, labels } = READ[concept];
  const names = labels.filter((name) => name !== except).map((name) => differs(label(name)));
  const ofLabels = names.length === 0 ? [] : [`(!${TERMINATING} && (${names.join(' || ')}))`];
  return [...content.map(differs), ...ofLabels].join(' || ');
}

/**
 * Returns CEL for an update after which a placement decision names a profile that it did not name, or one of them
 * twice. So a scheduler can take a cluster out, and change the reasons, while muster is away. A change of a list counts
 * as one where the list has more entries than upstream's CRD allows, or some that are no objects: each entry is
 * compared with each other, and the API server limits what that may cost.
 */
function namesMore(): string {
  const [now, before] = ['object', 'oldObject'].map((of) => `${of}.?decisions.orValue([])`);
  const isSound = (list?: string) =>
    `type(${list}) == list && size(${list}) <= ${MOST_DECISIONS} && ${list}.all(d, type(d) == map)`;
  const isSame = 'e.?clusterProfileRef == d.?clusterProfileRef';
  const isOld = `${now}.exists_one(e, ${isSame}) && ${before}.exists(e, ${isSame})`;
  return `${differs(memberOf('decisions'))} && !(${isSound(now)} && ${isSound(before)} && ${now}.all(d, ${isOld}))`;
}

function differs(part: MemberExpression): string {
  return `${part('object')} != ${part('oldObject')}`;
}

/** Excludes objects that are being deleted already. */
const notTerminating: MatchCondition = { name: 'not-terminating', expression: `!${TERMINATING}` };

/** CEL for writes of the garbage collector and the namespace controller. */
export const BY_COLLECTOR = `request.userInfo.username in ${listLiteral([...COLLECTORS])}`;

/**
 * Excludes the garbage collector and the namespace controller, so that namespaces can be deleted while the webhook is
 * down. Not used for deletions of claims: not even the collector may delete a member's id. For updates of owners it
 * is used for all kinds.
 */
const notCollectors: MatchCondition = {
  name: 'not-collected',
  expression: `!(${BY_COLLECTOR})`,
};
