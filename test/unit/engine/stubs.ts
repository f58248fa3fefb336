/** Rules made for tests of the engine itself. */

import { claimDialects } from '../../../src/api/dialects.ts';
import type { MaybePromise } from '../../../src/base/promise.ts';
import type { Context, ObjectComparison, Rule, RuleMeta, RuleResult } from '../../../src/rules/rule.ts';

export const META: RuleMeta = {
  summary: 'Values are good.',
  fix: 'Write a good value.',
  level: 'MUST',
  basis: 'kep',
  source: 'a test',
  quote: 'a norm',
  needs: ['object'],
  why: 'a reason',
  code: 422,
  messages: { bad: 'is bad, got "{{value}}"', worse: 'is worse' },
};

/** A rule on claims with this check. */
export function ruleOf(
  id: string,
  check: (context: Context) => MaybePromise<readonly RuleResult[]>,
  more: Partial<Rule> = {},
): Rule {
  return { id, concept: 'claim', on: ['CREATE', 'UPDATE', 'DELETE'], meta: META, check, ...more };
}

/** A rule that reports every `spec.value`. */
export function always(id: string, more: Partial<Rule> = {}, meta: Partial<RuleMeta> = {}): Rule {
  const find = (): RuleResult[] => [{ path: ['spec', 'value'], messageId: 'bad', data: { value: 'x' } }];
  return ruleOf(id, find, { ...more, meta: { ...META, ...meta } });
}

/** Compares the objects of one kind, and finds nothing. */
export const COMPARISON: ObjectComparison = {
  kinds: claimDialects,
  acrossOnly: false,
  factOf: () => undefined,
  conflicts: () => [],
};
