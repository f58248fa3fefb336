/** From what a rule said to what happens: caps, collectors, exceptions; and from all of it to one outcome. */
import type { Action, Context, Problem, Rule, Unknown } from '../rules/rule.ts';
import type { Planned } from './plan.ts';
import type { Exception, Policy } from './policy.ts';
import { fieldOf, fill } from './text.ts';
import type { Finding, Indeterminate } from './verdict.ts';

/** Whether a finding of the rule is only recorded on this request: for the collectors, and where an exception covers it. */
export function isExcused({ rule }: Planned, context: Context, policy: Policy, forCollector: boolean): boolean {
  if (forCollector && !rule.bindsCollectors) return true;
  return policy.exceptions.some((exception) => excepts(exception, rule.id, context));
}

/** A problem as it is reported. */
export function findingOf(
  { rule, level: ofRule }: Planned,
  problem: Problem,
  action: Exclude<Action, 'ignore'>,
  context: Context,
): Finding {
  const { path, messageId, data } = problem;
  const { messages, messageLevels } = rule.meta;
  const level = messageLevels?.[messageId] ?? ofRule;
  const code = codeOf(rule, context);
  const template =
    messages[messageId] ?? messages[messageId.split(':')[0] ?? ''] ?? 'is not as it must be, got "{{value}}"';
  return { ruleId: rule.id, level, action, path, field: fieldOf(path), message: fill(template, data), code };
}

/**
 * `status.code` of a denial. On UPDATE of the main resource always 403: on 422 `kubectl apply --force` and the `force` of
 * delivery tools delete the object and create it anew.
 */
function codeOf({ meta }: Rule, { operation, subresource }: Context): 403 | 422 {
  return operation === 'UPDATE' && subresource === '' ? 403 : meta.code;
}

/** What a rule that would deny can't tell, as it is reported. */
export function indeterminateOf({ rule, level }: Planned, { path, unknown }: Unknown): Indeterminate {
  const message = `cannot be decided now: ${unknown}`;
  return { ruleId: rule.id, level, field: fieldOf(path), message };
}

function excepts(exception: Exception, ruleId: string, { dialect, name, namespace, now }: Context): boolean {
  return (
    exception.rules.has(ruleId) &&
    exception.apiGroup === dialect.group &&
    exception.kind === dialect.kind &&
    exception.name === name &&
    (exception.namespace === undefined || exception.namespace === namespace) &&
    now < exception.expires
  );
}
