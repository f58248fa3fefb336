/** Converts a rule to data for `-o json` of `rules` and `explain`. */
import { type Concept, dialects } from '../api/dialects.ts';
import { defaultAction, pointsOf, reportsOn } from '../engine/plan.ts';
import { ruleUrl, sourceUrl } from '../rules/documentation.ts';
import type { Action, Rule, RuleMeta, Subresource } from '../rules/rule.ts';

/** The facts of a rule, as `-o json` shows them. */
export interface RuleFacts extends Omit<RuleMeta, 'phrases' | 'messageLevels' | 'pointLevels'> {
  readonly id: string;
  readonly concept: Concept;
  readonly levelByPoint?: RuleMeta['pointLevels'];
  readonly levelByMessage?: RuleMeta['messageLevels'];
  readonly defaultAction: Action;
  /** The default actions that differ from it, by `Kind.group`. */
  readonly defaultActionByKind: Readonly<Record<string, Action>>;
  readonly defaultActionByPoint?: Readonly<Record<string, Action>>;
  readonly operations: Rule['on'];
  readonly subresources: readonly Subresource[];
  /** The enforcement points that evaluate a rule on no write. */
  readonly evaluatedIn?: readonly string[];
  readonly acrossClusters?: boolean;
  /** The kinds that it applies to, as `Kind.group`. */
  readonly kinds: readonly string[];
  readonly sourceUrl?: string;
  readonly url: string;
}

/** Returns the facts of one rule. */
export function factsOf(rule: Rule): RuleFacts {
  const { meta } = rule;
  const norm = sourceUrl(meta.source);
  return {
    id: rule.id,
    summary: meta.summary,
    concept: rule.concept,
    level: meta.level,
    ...(meta.pointLevels !== undefined && { levelByPoint: meta.pointLevels }),
    ...(meta.messageLevels !== undefined && { levelByMessage: meta.messageLevels }),
    basis: meta.basis,
    defaultAction: defaultAction(rule),
    defaultActionByKind: specialActions(rule),
    ...(meta.pointLevels !== undefined && { defaultActionByPoint: actionsByPoint(rule) }),
    operations: rule.on,
    subresources: rule.subresources ?? [''],
    ...(rule.on.length === 0 && { evaluatedIn: pointsOf(rule), acrossClusters: rule.comparison?.acrossOnly === true }),
    kinds: kindsOf(rule),
    code: meta.code,
    source: meta.source,
    ...(norm !== undefined && { sourceUrl: norm }),
    ...(meta.quote !== undefined && { quote: meta.quote }),
    why: meta.why,
    needs: meta.needs,
    ...(meta.inertUntil !== undefined && { inertUntil: meta.inertUntil }),
    messages: meta.messages,
    ...(meta.pairs !== undefined && { pairs: meta.pairs }),
    fix: meta.fix,
    url: ruleUrl(rule.id),
  };
}

function kindsOf(rule: Rule): string[] {
  return dialects.filter((dialect) => reportsOn(rule, dialect)).map(({ kind, group }) => `${kind}.${group}`);
}

/** Returns the default action at each enforcement point where it differs from the general one. */
function actionsByPoint(rule: Rule): Readonly<Record<string, Action>> {
  const points = (['webhook', 'check', 'scan'] as const).map((point) => [point, defaultAction(rule, undefined, point)]);
  return Object.fromEntries(points.filter(([, action]) => action !== defaultAction(rule)));
}

function specialActions(rule: Rule): Readonly<Record<string, Action>> {
  const special = dialects.filter(({ name }) => rule.dialectActions?.[name] !== undefined);
  return Object.fromEntries(
    special.map((dialect) => [`${dialect.kind}.${dialect.group}`, defaultAction(rule, dialect)]),
  );
}
