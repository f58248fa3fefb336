/** From what a rule said to what happens: caps, collectors, exceptions; and from all of it to one outcome. */
import type { Action, Context, Problem, Unknown } from '../rules/rule.ts';
import { actionOn, type Planned } from './plan.ts';
import type { Exception, Policy } from './policy.ts';
import { fieldOf, fill } from './text.ts';
import type { Finding, Indeterminate } from './verdict.ts';

/** What a rule leads to on this request: planned action, the rule's own cap, collectors, exceptions. */
export function effectiveAction(
  planned: Planned,
  context: Context,
  policy: Policy,
  forCollector: boolean,
): Exclude<Action, 'ignore'> {
  if (forCollector && !planned.rule.bindsCollectors) return 'audit';
  if (policy.exceptions.some((exception) => excepts(exception, planned.rule.id, context))) return 'audit';
  return actionOn(planned, context);
}

export function findingOf({ rule }: Planned, problem: Problem, action: Exclude<Action, 'ignore'>): Finding {
  const { path, messageId, data } = problem;
  const { messages, level, code } = rule.meta;
  const template =
    messages[messageId] ?? messages[messageId.split(':')[0] ?? ''] ?? 'is not as it must be, got "{{value}}"';
  return { ruleId: rule.id, level, action, path, field: fieldOf(path), message: fill(template, data), code };
}

export function indeterminateOf({ rule }: Planned, { path, unknown }: Unknown): Indeterminate {
  const message = `cannot be decided now: ${unknown}`;
  return { ruleId: rule.id, level: rule.meta.level, field: fieldOf(path), message };
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
