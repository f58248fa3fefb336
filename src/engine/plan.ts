/** Which rules apply to a request and what each may lead to: computed once for a policy. A request only looks it up. */

import { type Dialect, dialects } from '../api/dialects.ts';
import type { Path } from '../base/json.ts';
import { rules } from '../rules/index.ts';
import type { Action, EnforcementPoint, Level, Operation, Rule, Subresource } from '../rules/rule.ts';
import { validators } from '../schema/shapes.generated.ts';
import type { CompiledSchema } from '../schema/validate.ts';
import type { Mode, Policy } from './policy.ts';

/** One of a rule's shapes with its compiled schema. */
export interface CompiledShape {
  readonly at: Path;
  readonly validate: CompiledSchema;
  /** For a list: the paths of the keys within an entry. */
  readonly keys: readonly Path[] | undefined;
}

/** A rule with those of its shapes that apply here, and its action, capped by the mode already. */
export interface PlannedRule {
  readonly rule: Rule;
  readonly shapes: readonly CompiledShape[];
  readonly level: Level;
  readonly action: Exclude<Action, 'ignore'>;
  /** By message id, for messages with a level of their own. */
  readonly messageActions: ReadonlyMap<string, Exclude<Action, 'ignore'>>;
  /**
   * The messages that would deny if the mode were not `warn`, of those in `messageActions`; undefined stands for all
   * others.
   */
  readonly deniesIfEnforced: ReadonlySet<string | undefined>;
}

/** By dialect, operation and subresource. */
export type RulePlan = Readonly<Record<Dialect['name'], OfDialect>>;
type OfDialect = Readonly<Record<Operation, Readonly<Record<Subresource, readonly PlannedRule[]>>>>;

export const STRENGTH: Readonly<Record<Action, number>> = { deny: 3, warn: 2, audit: 1, ignore: 0 };
const MODE_CAP: Readonly<Record<Mode, Action>> = { enforce: 'deny', warn: 'warn', audit: 'audit' };
export const OPERATIONS: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE'];

/** The weaker of two actions. */
export function weaker<A extends Action>(a: A, b: Action): A | Action {
  return STRENGTH[a] <= STRENGTH[b] ? a : b;
}

/** The strength of a rule at an enforcement point, or of the part of it that a message is about. */
export function levelOf({ meta }: Rule, point?: EnforcementPoint, messageId = ''): Level {
  return meta.messageLevels?.[messageId] ?? (point && meta.pointLevels?.[point]) ?? meta.level;
}

/** What a rule leads to where no configuration names it; with a message id, what that part of the rule leads to. */
export function defaultAction(rule: Rule, dialect?: Dialect, point?: EnforcementPoint, messageId?: string): Action {
  const special = dialect && rule.dialectActions?.[dialect.name];
  if (special) return special;
  const level = levelOf(rule, point, messageId);
  if (level === 'ADVICE') return 'ignore';
  return level === 'MUST' && rule.meta.basis !== 'muster' ? 'deny' : 'warn';
}

/**
 * What a rule leads to under a policy: what is configured (for all parts of the rule), or its default, capped by the
 * mode.
 */
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

/** Returns where a rule is evaluated. One on no write compares objects, or reads stored ones in a scan. */
export function pointsOf({ on, comparison }: Rule): readonly EnforcementPoint[] {
  if (on.length > 0) return ['webhook', 'check', 'scan'];
  return comparison === undefined ? ['scan'] : (comparison.points ?? ['check', 'scan']);
}

/** Whether the rule, or a part of it, is to deny. On some writes its `capAction` may still make that a warning. */
export function mayDeny({ action, messageActions }: PlannedRule): boolean {
  return action === 'deny' || [...messageActions.values()].includes('deny');
}

/**
 * Plans all requests at one enforcement point. Rules that are disabled or ignored are left out and cost nothing.
 * @param catalogue for tests of the engine itself
 * @param leavesToScan whether rules that compare whole lists are left out too
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
    policy.mode === 'warn' ? [undefined, ...messageActions.keys()].filter(wouldDeny) : [],
  );
  const shapes = compiledShapes(rule, dialect, subresource);
  return [{ rule, shapes, level: levelOf(rule, point), action, messageActions, deniesIfEnforced }];
}

/** Returns the rule without its cap, which keeps a write from being refused: stored objects are no writes. */
export function uncapped({ capAction: _, ...rule }: Rule): Rule {
  return rule;
}

/** Whether a rule applies to such a write at all, whatever is configured. */
export function appliesTo(rule: Rule, dialect: Dialect, operation: Operation, subresource: Subresource): boolean {
  if (rule.concept !== dialect.concept || !rule.on.includes(operation)) return false;
  if (subresource !== '' && operation !== 'UPDATE') return false;
  return (rule.subresources ?? ['']).includes(subresource) && (rule.dialects?.includes(dialect.name) ?? true);
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

/** The shapes of a rule that apply to a dialect and a subresource, in the rule's order. */
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
