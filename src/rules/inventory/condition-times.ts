import { isObject, type Json, type JsonObject, listOf, same, textOf } from '../../base/json.ts';
import { statusOf } from '../../base/object.ts';
import { parseTime } from '../../base/syntax.ts';
import { CONDITION_TIMES, forInventory } from '../cel/inventory.ts';
import { OMITTED_FROM_LISTS } from '../cel/shape-validations.ts';
import { defineRule, type RuleResult, STATUS_WRITES } from '../rule.ts';
import { neverFreezesStatus } from './inventory-fields.ts';

export const rule = defineRule({
  id: 'inventory/condition-times',
  ...STATUS_WRITES,
  ratchets: false,
  meta: {
    summary: 'The lastTransitionTime of a condition changes with its status, and only then.',
    fix: 'Set lastTransitionTime to the current time when the status changes. Otherwise write the stored time again.',
    level: 'SHOULD',
    basis: 'upstream',
    source: 'metav1.Condition of k8s.io/apimachinery, lastTransitionTime',
    quote: 'lastTransitionTime is the last time the condition transitioned from one status to another.',
    needs: ['object', 'oldObject'],
    why: 'Whether a status changed depends on the stored condition; and a health report must not be refused for it.',
    code: 422,
    messages: {
      kept:
        'should be a new time, since the status of "{{type}}" changes to "{{status}}", got "{{value}}"; set it to ' +
        'the time of the change',
      moved:
        'should not change, since the status of "{{type}}" is still "{{status}}", got "{{value}}"; keep the ' +
        'stored time',
    },
  },
  cel: forInventory(CONDITION_TIMES, OMITTED_FROM_LISTS),
  capAction: neverFreezesStatus,
  check({ object, oldObject }) {
    const before = conditionsOf(oldObject);
    return before.length === 0 ? [] : problems(conditionsOf(object), before);
  },
});

function problems(now: readonly Json[], before: readonly Json[]): RuleResult[] {
  const stored = new Map<string, JsonObject | undefined>();
  for (const condition of before) {
    const type = isObject(condition) ? textOf(condition['type']) : undefined;
    // If a type is listed twice, it is not known which of the two is the previous condition.
    if (type !== undefined) stored.set(type, stored.has(type) ? undefined : (condition as JsonObject));
  }
  return now.flatMap((condition, index) => {
    const messageId = wrong(condition, stored);
    if (messageId === undefined) return [];
    const { type, status, lastTransitionTime: value } = condition as JsonObject;
    return [{ path: ['status', 'conditions', index, 'lastTransitionTime'], messageId, data: { type, status, value } }];
  });
}

/**
 * Returns the message for a condition with a wrong time. Undefined also if the condition can't be read, which
 * inventory/conditions reports, and if its type is new, so that there is no time to compare.
 */
function wrong(condition: Json, stored: ReadonlyMap<string, JsonObject | undefined>): 'kept' | 'moved' | undefined {
  const type = isObject(condition) ? textOf(condition['type']) : undefined;
  const before = type === undefined ? undefined : stored.get(type);
  if (before === undefined || !isObject(condition)) return undefined;
  const now = momentOf(condition);
  const then = momentOf(before);
  if (now === undefined || then === undefined) return undefined;
  if (same(condition['status'], before['status'])) return now === then ? undefined : 'moved';
  return now === then ? 'kept' : undefined;
}

function momentOf({ lastTransitionTime }: JsonObject): number | undefined {
  return typeof lastTransitionTime === 'string' ? parseTime(lastTransitionTime) : undefined;
}

function conditionsOf(object: JsonObject | undefined): readonly Json[] {
  return listOf(statusOf(object)?.['conditions']);
}
