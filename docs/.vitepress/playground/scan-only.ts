/** Rules that the playground can't show: it evaluates writes, as the webhook and `muster check` do. */
import type { Rule } from '../../../src/rules/rule.ts';

/** Whether only `muster scan` evaluates the rule: neither a write does, nor the end of a check. */
export function isScanOnly({ on, comparison }: Rule): boolean {
  return on.length === 0 && (comparison === undefined || comparison.points?.includes('check') === false);
}
