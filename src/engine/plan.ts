/** Which rules speak on a request and what each may lead to, settled once for a policy and looked up for a request. */
import { rules } from '../rules/index.ts';
import type { Action, Context, EnforcementPoint, Operation, Rule, Subresource } from '../rules/rule.ts';
import { type Dialect, dialects } from '../schemas/dialects.ts';
import type { Mode, Policy } from './policy.ts';
import { type SettledShape, shapesOf } from './shapes.ts';

/** A rule with those of its shapes that hold here, and its action, capped by the mode already. */
export interface Planned {
  readonly rule: Rule;
  /** The rule's own. Rules are of many forms; what is read of every rule on every request is found faster here. */
  readonly check: Rule['check'];
  readonly shapes: readonly SettledShape[];
  readonly action: Exclude<Action, 'ignore'>;
}

export type Plan = (dialect: Dialect, operation: Operation, subresource: Subresource) => readonly Planned[];
type OfDialect = Readonly<Record<Operation, Readonly<Record<Subresource, readonly Planned[]>>>>;

const STRENGTH: Readonly<Record<Action, number>> = { deny: 3, warn: 2, audit: 1, ignore: 0 };
const MODE_CAP: Readonly<Record<Mode, Action>> = { enforce: 'deny', warn: 'warn', audit: 'audit' };
export const OPERATIONS: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE'];

/** The weaker of two actions. */
export function weaker<A extends Action>(a: A, b: Action): A | Action {
  return STRENGTH[a] <= STRENGTH[b] ? a : b;
}

/** What a rule leads to where no configuration speaks of it. */
export function defaultAction(rule: Rule, dialect?: Dialect): Action {
  const special = dialect && rule.dialectActions?.[dialect.name];
  if (special) return special;
  if (rule.meta.level === 'ADVICE') return 'ignore';
  return rule.meta.level === 'MUST' && rule.meta.basis !== 'muster' ? 'deny' : 'warn';
}

/** What a rule leads to under a policy: what is configured, or its default, capped by the mode. */
export function plannedAction(rule: Rule, dialect: Dialect, policy: Policy, point: EnforcementPoint): Action {
  const wanted = policy.actions.get(rule.id)?.[point] ?? defaultAction(rule, dialect);
  return weaker(wanted, MODE_CAP[policy.mode]);
}

/** What the rule may lead to on this request at most: the rule's own cap upon the planned action. */
export function actionOn({ rule, action }: Planned, context: Context): Exclude<Action, 'ignore'> {
  const capped = rule.atMost ? weaker(action, rule.atMost(context)) : action;
  return capped === 'ignore' ? 'audit' : capped;
}

/**
 * Rules that are asleep or ignored are left out: they cost nothing; with `live` those that only `scan` can answer there too.
 * `catalogue` is for tests of the engine itself.
 */
export function planOf(
  policy: Policy,
  point: EnforcementPoint,
  catalogue: readonly Rule[] = rules,
  live = false,
): Plan {
  const plans = new Map<string, OfDialect>();
  for (const dialect of dialects) {
    const on = (operation: Operation, subresource: Subresource): readonly Planned[] => {
      const speaking = catalogue.filter((rule) => speaksOn(rule, dialect, operation, subresource));
      const answered = speaking.filter((rule) => !(live && rule.live === 'scan'));
      return answered.flatMap((rule) => planned(rule, dialect, subresource, policy, point));
    };
    const both = (operation: Operation) => ({ '': on(operation, ''), status: on(operation, 'status') });
    plans.set(dialect.name, { CREATE: both('CREATE'), UPDATE: both('UPDATE'), DELETE: both('DELETE') });
  }
  return (dialect, operation, subresource) => plans.get(dialect.name)?.[operation][subresource] ?? [];
}

/** None where the rule sleeps or is ignored. */
function planned(
  rule: Rule,
  dialect: Dialect,
  subresource: Subresource,
  policy: Policy,
  point: EnforcementPoint,
): Planned[] {
  if (rule.awake && !rule.awake(policy.settings)) return [];
  const action = plannedAction(rule, dialect, policy, point);
  return action === 'ignore' ? [] : [{ rule, check: rule.check, shapes: shapesOf(rule, dialect, subresource), action }];
}

/** Whether a rule speaks on such a write at all, whatever is configured. */
export function speaksOn(rule: Rule, dialect: Dialect, operation: Operation, subresource: Subresource): boolean {
  if (rule.concept !== dialect.concept || !rule.on.includes(operation)) return false;
  if (subresource !== '' && operation !== 'UPDATE') return false;
  return (rule.subresources ?? ['']).includes(subresource) && (rule.dialects?.includes(dialect.name) ?? true);
}
