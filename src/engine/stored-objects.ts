/**
 * Evaluates stored objects, each by itself: the object as if it were created as stored, and its status as if it were
 * written to an object without one. How each rule applies to stored objects is in rules/scan-variant.ts.
 */
import { hasStatus } from '../api/dialects.ts';
import { at } from '../base/json.ts';
import { rules } from '../rules/index.ts';
import type { ClusterView, Reference, Rule } from '../rules/rule.ts';
import { scanVariantOf } from '../rules/scan-variant.ts';
import { createEngine } from './evaluate.ts';
import { uncapped } from './plan.ts';
import type { Policy } from './policy.ts';
import { subjectOf, type Write } from './review.ts';
import type { Verdict } from './verdict.ts';

/**
 * Evaluates one stored object, in the version in which it was read; its status has a verdict of its own. Never rejects.
 */
export type StoredEngine = (
  reference: Reference,
  stored: Pick<Write, 'version' | 'object'>,
  view: ClusterView,
) => Promise<readonly Verdict[]>;

/**
 * Creates an engine for stored objects. Without a policy, it is that of no configuration.
 * @param clock milliseconds since the epoch; default: the system's clock
 */
export function createStoredEngine(
  policy?: Policy,
  clock?: () => number,
  catalogue: readonly Rule[] = rules,
): StoredEngine {
  const engine = createEngine({ point: 'scan', catalogue: storedRules(catalogue), policy, clock });
  return async (reference, { version, object }, view) => {
    const created = subjectOf(reference, { version, object, operation: 'CREATE' });
    const main = await engine.evaluate(created, view);
    if (!hasStatus(reference.dialect) || at(object, ['status']) === undefined) return [main];
    const written = subjectOf(reference, { version, object, operation: 'UPDATE', subresource: 'status' });
    return [main, await engine.evaluate(written, view)];
  };
}

/** Returns the rules that evaluate a stored object by itself, in their variant for `scan`. */
function storedRules(catalogue: readonly Rule[]): readonly Rule[] {
  return catalogue.flatMap((rule) => {
    const variant = scanVariantOf(rule);
    if (variant === 'object') return [uncapped(rule)];
    if (variant === 'compared' || 'skip' in variant) return [];
    const { level = rule.meta.level, messages, check } = variant;
    const meta = { ...rule.meta, level, messages: { ...rule.meta.messages, ...messages } };
    // A rule that applies to no write applies to each stored object.
    const on = rule.on.length > 0 ? rule.on : (['CREATE'] as const);
    return [{ ...uncapped(rule), on, meta, check }];
  });
}
