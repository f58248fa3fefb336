/** Converts a rule to data for `-o json` of `rules` and `explain`. */
import { dialects } from '../api/dialects.ts';
import { defaultAction, pointsOf, reportsOn } from '../engine/plan.ts';
import { ruleUrl, sourceUrl } from '../rules/documentation.ts';
import type { Action, Rule } from '../rules/rule.ts';

export type RuleFacts = ReturnType<typeof factsOf>;

/** Returns the facts of one rule, as `-o json` shows them: without members that are undefined. */
export function factsOf(rule: Rule) {
  const { meta } = rule;
  const isOnWrites = rule.on.length > 0;
  return {
    id: rule.id,
    summary: meta.summary,
    concept: rule.concept,
    level: meta.level,
    levelByPoint: meta.pointLevels,
    levelByMessage: meta.messageLevels,
    basis: meta.basis,
    defaultAction: defaultAction(rule),
    /** The default actions that differ from it, by `Kind.group`. */
    defaultActionByKind: specialActions(rule),
    defaultActionByPoint: meta.pointLevels && actionsByPoint(rule),
    operations: rule.on,
    subresources: rule.subresources ?? [''],
    /** The enforcement points that evaluate a rule on no write. */
    evaluatedIn: isOnWrites ? undefined : pointsOf(rule),
    acrossClusters: isOnWrites ? undefined : rule.comparison?.acrossOnly === true,
    /** The kinds that it applies to, as `Kind.group`. */
    kinds: kindsOf(rule),
    code: meta.code,
    source: meta.source,
    sourceUrl: sourceUrl(meta.source),
    quote: meta.quote,
    why: meta.why,
    needs: meta.needs,
    inertUntil: meta.inertUntil,
    messages: meta.messages,
    pairs: meta.pairs,
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
