/** The type of rule ids, written out: derived from the catalogue it would carry every rule's text into what is published. */
import type { Rule } from '../rules/rule.ts';

/** A module that exports `RuleId`, in the order of the catalogue. */
export function ruleIdsModule(rules: readonly Pick<Rule, 'id'>[]): string {
  return [
    '/** Generated from the catalogue by `npm run generate`. Do not edit. */',
    'export type RuleId =',
    `${rules.map(({ id }) => `  | '${id}'`).join('\n')};`,
    '',
  ].join('\n');
}
