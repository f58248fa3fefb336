/**
 * Plans which rules apply to a request, and what each may lead to: once for a policy, so that requests only look it up.
 */

import { type Dialect, dialects } from '../api/dialects.ts';
import type { Path } from '../base/json.ts';
import { rules } from '../rules/index.ts';
import {
  type Action,
  ENFORCEMENT_POINTS,
  type EnforcementPoint,
  type Level,
  type Operation,
  type Rule,
  type Subresource,
} from '../rules/rule.ts';
import { validators } from '../schema/shapes.generated.ts';
import type { CompiledSchema } from '../schema/validate.ts';
import type { Mode, Policy } from './policy.ts';

/** One of a rule's shapes with its compiled schema. */
export interface CompiledShape {
  readonly at: Path;
  readonly validate: CompiledSchema;
  /** For a list, the paths of the keys within an entry; else undefined. */
  readonly keys: readonly Path[] | undefined;
}

/** A rule for one kind of write, with the shapes that apply to it. The actions are already capped by the mode. */
export interface PlannedRule {
  readonly rule: Rule;
  readonly shapes: readonly CompiledShape[];
  readonly level: Level;
  readonly action: Exclude<Action, 'ignore'>;
  /** The actions of messages with a level of their own, by message id. */
  readonly messageActions: ReadonlyMap<string, Exclude<Action, 'ignore'>>;
  /**
   * In the modes `warn` and `audit`, the ids of messages that would deny in the mode `enforce`. Undefined stands for
   * all messages that are not in `messageActions`.
   */
  readonly deniesIfEnforced: ReadonlySet<string | undefined>;
}

/** By dialect, operation and subresource. */
export type RulePlan = Readonly<Record<Dialect['name'], OfDialect>>;
type OfDialect = Readonly<Record<Operation, Readonly<Record<Subresource, readonly PlannedRule[]>>>>;

export const STRENGTH: Readonly<Record<Action, number>> = { deny: 3, warn: 2, audit: 1, ignore: 0 };
const MODE_CAP: Readonly<Record<Mode, Action>> = { enforce: 'deny', warn: 'warn', audit: 'audit' };

/** Returns the weaker of two actions. */
export function weaker<A extends Action>(a: A, b: Action): A | Action {
  return STRENGTH[a] <= STRENGTH[b] ? a : b;
}

/** Returns the level of a rule at an enforcement point, or that of one of its messages. */
export function levelOf({ meta }: Rule, point?: EnforcementPoint, messageId = ''): Level {
  return meta.messageLevels?.[messageId] ?? (point && meta.pointLevels?.[point]) ?? meta.level;
}

/** Returns the action of a rule, or of one of its messages, without a configuration. */
export function defaultAction(rule: Rule, dialect?: Dialect, point?: EnforcementPoint, messageId?: string): Action {
  const special = dialect && rule.dialectActions?.[dialect.name];
  if (special) return special;
  const level = levelOf(rule, point, messageId);
  if (level === 'ADVICE') return 'ignore';
  return level === 'MUST' && rule.meta.basis !== 'muster' ? 'deny' : 'warn';
}

/** Returns the action of a rule under a policy: the configured one, which holds for all messages, or the default. */
export function plannedAction(
  rule: Rule,
  dialect: Dialect | undefined,
  policy: Policy,
  point: EnforcementPoint,
  messageId?: string,
): Action {
  const wanted = policy.actions.get(rule.id)?.[point] ?? defaultAction(rule, dialect, point, messageId);
  return weaker(wanted, MODE_CAP[policy.mode]);
}

/** Returns where a rule is evaluated. A rule with an empty `on` compares objects, or is for `scan` alone. */
export function pointsOf({ on, comparison }: Rule): readonly EnforcementPoint[] {
  if (on.length > 0) return ENFORCEMENT_POINTS;
  return comparison === undefined ? ['scan'] : (comparison.points ?? ['check', 'scan']);
}

/** Whether the rule, or one of its messages, denies. On some writes `capAction` may weaken that to a warning. */
export function mayDeny({ action, messageActions }: PlannedRule): boolean {
  return action === 'deny' || [...messageActions.values()].includes('deny');
}

/**
 * Plans all kinds of writes at one enforcement point, without the rules that are disabled or ignored.
 * @param leavesToScan whether rules that list objects are left out too
 */
export function planRules(
  policy: Policy,
  point: EnforcementPoint,
  catalogue: readonly Rule[] = rules,
  leavesToScan = false,
): RulePlan {
  const planFor = (dialect: Dialect): OfDialect => {
    const on = (operation: Operation, subresource: Subresource): readonly PlannedRule[] =>
      catalogue
        .filter((rule) => appliesTo(rule, dialect, operation, subresource) && !(leavesToScan && rule.readsLists))
        .flatMap((rule) => planRule(rule, dialect, subresource, policy, point));
    const both = (operation: Operation) => ({ '': on(operation, ''), status: on(operation, 'status') });
    return { CREATE: both('CREATE'), UPDATE: both('UPDATE'), DELETE: both('DELETE') };
  };
  return Object.fromEntries(dialects.map((dialect) => [dialect.name, planFor(dialect)])) as RulePlan;
}

/** Plans a rule for one kind of write; empty if the rule is disabled or ignored. */
export function planRule(
  rule: Rule,
  dialect: Dialect,
  subresource: Subresource,
  policy: Policy,
  point: EnforcementPoint,
): PlannedRule[] {
  if (rule.enabled?.(policy.settings) === false) return [];
  const action = plannedAction(rule, dialect, policy, point);
  if (action === 'ignore') return [];
  const messageActions = new Map(
    Object.keys(rule.meta.messageLevels ?? {}).map((messageId) => {
      const own = plannedAction(rule, dialect, policy, point, messageId);
      return [messageId, own === 'ignore' ? 'audit' : own] as const;
    }),
  );
  const enforced = { ...policy, mode: 'enforce' } as const;
  const wouldDeny = (id?: string) => plannedAction(rule, dialect, enforced, point, id) === 'deny';
  const deniesIfEnforced = new Set(
    policy.mode === 'enforce' ? [] : [undefined, ...messageActions.keys()].filter(wouldDeny),
  );
  const shapes = compiledShapes(rule, dialect, subresource);
  return [{ rule, shapes, level: levelOf(rule, point), action, messageActions, deniesIfEnforced }];
}

/** Returns the rule without `capAction`, which is only about the refusal of writes, and not about stored objects. */
export function uncapped({ capAction: _, ...rule }: Rule): Rule {
  return rule;
}

/** Whether a rule applies to such a write at all, whatever is configured. */
export function appliesTo(rule: Rule, dialect: Dialect, operation: Operation, subresource: Subresource): boolean {
  if (!rule.on.includes(operation) || !reportsOn(rule, dialect)) return false;
  if (subresource !== '' && operation !== 'UPDATE') return false;
  return (rule.subresources ?? ['']).includes(subresource);
}

/** Whether a rule reports on objects of a dialect. A rule on inventories may report on the claims that they repeat. */
export function reportsOn(rule: Rule, { name, concept }: Dialect): boolean {
  if (rule.dialects !== undefined) return rule.dialects.includes(name);
  return rule.comparison ? rule.comparison.kinds.some((kind) => kind.name === name) : rule.concept === concept;
}

/** Returns the names of the dialects for which a rule in force compares an update with the stored object. */
export function dialectsWithChangeRules(policy: Policy, point: EnforcementPoint): ReadonlySet<string> {
  const plan = planRules(policy, point);
  const compares = ({ rule }: PlannedRule) => rule.ratchets === false;
  const isChangeable = ({ name }: Dialect) => {
    const { '': main, status } = plan[name].UPDATE;
    return main.some(compares) || status.some(compares);
  };
  return new Set(dialects.filter(isChangeable).map(({ name }) => name));
}

/** Returns the shapes of a rule that apply to a dialect and a subresource, in the rule's order. */
function compiledShapes(rule: Rule, dialect: Dialect, subresource: Subresource): readonly CompiledShape[] {
  return (rule.shapes ?? []).flatMap((shape, index) => {
    if (shape.subresource !== subresource || shape.dialects?.includes(dialect.name) === false) return [];
    const keys = shape.each?.keys.map((key) => [key]);
    return [{ at: shape.at, validate: validatorOf(rule, index), keys }];
  });
}

function validatorOf(rule: Rule, index: number): CompiledSchema {
  const validator = validators[`${rule.id}#${index}`];
  if (!validator) throw new Error(`no compiled schema for ${rule.id}#${index}; run npm run generate`);
  return validator;
}
