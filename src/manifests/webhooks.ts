/**
 * The validating webhooks: the writes that each of them gets, and the rules for whose sake it is registered. Which of
 * them a configuration needs, and which refuse writes while muster is away, follows from this table.
 */
import { type Concept, type Dialect, dialects, serviceExport, serviceImport } from '../api/dialects.ts';
import { OPERATIONS, type Operation, type Rule, type Subresource } from '../rules/rule.ts';
import * as conditions from './match-conditions.ts';
import { NAMESPACE_LABEL } from './names.ts';

/** Writes of one kind of object. */
export interface Writes {
  readonly dialect: Dialect;
  readonly operations: readonly Operation[];
  readonly subresource: Subresource;
}

export type Selector = Readonly<Record<string, unknown>>;

/** Returns the selector of namespaces. @param own muster's @param closed those from which nothing is exported */
type Where = (own: string, closed: readonly string[]) => Selector;

/** What a webhook does with a write on which muster does not answer: `deny` refuses it. */
export type AwayAction = 'warn' | 'deny';

export interface ValidatingWebhook {
  /** The first part of its name, before `.validate.muster`. */
  readonly name: string;
  readonly writes: readonly Writes[];
  readonly where: Where;
  readonly conditions: conditions.ConditionsOf;
  /** The action while no rule of `serves` is in force. Without it, there is no such webhook then. */
  readonly action?: AwayAction;
  /** The rules whose strongest action is that of the webhook. Without it, the action never changes. */
  readonly serves?: (rule: Rule) => boolean;
}

const WRITES: readonly Operation[] = ['CREATE', 'UPDATE'];
const CHANGES: readonly Operation[] = ['UPDATE', 'DELETE'];
const FEATURES = [...writesOf('feature', WRITES), ...statusOf('feature')];
const DENIES = { action: 'deny' } as const;
const WARNS = { action: 'warn' } as const;
const BY_ANY = { serves: () => true };
const BY_OWNERS = { serves: ({ checksOwnerReferences = false }: Rule) => checksOwnerReferences };

/** Rules that find nothing in an inventory object that the conditions call sound. */
const KEPT_BY_SOUND_OBJECTS = ['inventory/cluster-manager', 'inventory/cluster-manager-label', 'inventory/member-id'];

const everywhere: Where = () => ({});
/** All namespaces but kube-system and muster's own. */
export const elsewhere = (own: string): Selector => inNamespaces(['NotIn', [...new Set(['kube-system', own])]]);
/** All namespaces but muster's own. */
const notOurs: Where = (own) => inNamespaces(['NotIn', [own]]);
/** The control plane's own features must not wait for a webhook when it starts. */
const system: Where = () => inNamespaces(['In', ['kube-system']]);
/** The namespaces from which nothing is exported: in others, exports do not wait for muster. */
const inClosed: Where = (own, closed) =>
  closed.length === 0 ? notOurs(own, closed) : inNamespaces(['NotIn', [own]], ['In', closed]);

/** All validating webhooks that some configuration needs, in their order. */
export const VALIDATING_WEBHOOKS: readonly ValidatingWebhook[] = [
  guarding('claims', everywhere, writesOf('claim'), conditions.claimConditions, DENIES),
  // By default no rule denies a leave: muster gets it to release a lock, which also ends by itself.
  guarding('membership-deletions', everywhere, writesOf('claim', ['DELETE']), conditions.leaveConditions, {
    ...WARNS,
    // Deletions of ids have the webhook of other writes. Their rules need the lock, which no leave takes.
    serves: ({ locks = false }) => !locks,
  }),
  ownersOf('claim', everywhere),
  guarding('inventory', elsewhere, writesOf('inventory', WRITES), conditions.inventoryConditions, DENIES),
  // Without a configuration, no rule denies these, so clusters can be added while muster is away.
  guarding('inventory-creations', elsewhere, writesOf('inventory', ['CREATE']), conditions.soundCreationConditions, {
    ...WARNS,
    serves: ({ id }) => !KEPT_BY_SOUND_OBJECTS.includes(id),
  }),
  // Rules can deny a status, but health reports and features of kube-system must work while muster is away.
  guarding('inventory-status', elsewhere, statusOf('inventory'), conditions.statusConditions, WARNS),
  deletionsOf('inventory', elsewhere),
  ownersOf('inventory', elsewhere),
  guarding('features', elsewhere, FEATURES, conditions.writeConditions('feature'), DENIES),
  guarding('system-features', system, FEATURES, conditions.writeConditions('feature'), WARNS),
  deletionsOf('feature', notOurs),
  ownersOf('feature', notOurs),
  guarding('placement', elsewhere, writesOf('placement', WRITES), conditions.writeConditions('placement'), DENIES),
  // Without a configuration, no rule denies an index, so it can be changed while muster is away.
  guarding('placement-index', elsewhere, writesOf('placement', ['UPDATE']), conditions.indexConditions, {
    ...WARNS,
    serves: ({ id }) => id === 'placement/index',
  }),
  // Writes that only schedulers may make, if schedulers are configured.
  guarding('placement-owners', elsewhere, writesOf('placement', CHANGES), conditions.schedulerConditions, BY_OWNERS),
  // Those of services also in kube-system, the first namespace from which administrators forbid exports.
  guarding('service-exports', inClosed, writesOf(serviceExport, ['CREATE']), () => [], BY_ANY),
  guarding('service-imports', notOurs, writesOf(serviceImport, WRITES), conditions.writeConditions('service'), BY_ANY),
  guarding('service-status', notOurs, statusOf(serviceImport), conditions.statusConditions, BY_ANY),
  // Writes that only import managers may make, if they are configured.
  guarding('service-owners', notOurs, writesOf(serviceImport, CHANGES), conditions.managerConditions, BY_OWNERS),
];

/** The writes of the mutating webhook. */
export const MUTATED = writesOf('inventory', WRITES);

function guarding(
  name: string,
  where: Where,
  writes: readonly Writes[],
  matching: conditions.ConditionsOf,
  actions: Pick<ValidatingWebhook, 'action' | 'serves'>,
): ValidatingWebhook {
  return { name, where, writes, conditions: matching, ...actions };
}

/** Returns the webhook for deletions. By default no rule denies one. */
function deletionsOf(concept: Concept, where: Where): ValidatingWebhook {
  const actions = { ...WARNS, ...BY_ANY };
  return guarding(`${concept}-deletions`, where, writesOf(concept, ['DELETE']), conditions.deletionConditions, actions);
}

/** Returns the webhook for changes of ownerReferences, if a rule guards them. */
function ownersOf(concept: Concept, where: Where): ValidatingWebhook {
  const matching = conditions.ownerConditions(concept);
  return guarding(`${concept}-owners`, where, writesOf(concept, ['UPDATE']), matching, BY_OWNERS);
}

function statusOf(of: Concept | Dialect): readonly Writes[] {
  return writesOf(of, ['UPDATE'], 'status');
}

/** Returns writes of the dialects of a concept, or of one dialect. */
function writesOf(
  of: Concept | Dialect,
  operations: readonly Operation[] = OPERATIONS,
  subresource: Subresource = '',
): readonly Writes[] {
  const among = typeof of === 'string' ? dialects.filter(({ concept }) => concept === of) : [of];
  return among.map((dialect) => ({ dialect, operations, subresource }));
}

function inNamespaces(...expressions: readonly (readonly ['In' | 'NotIn', readonly string[]])[]): Selector {
  return { matchExpressions: expressions.map(([operator, values]) => ({ key: NAMESPACE_LABEL, operator, values })) };
}
