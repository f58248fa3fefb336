/** Rules that the playground can't show: it evaluates writes, as the webhook and `muster check` do. */
import type { Rule } from '../../../src/rules/rule.ts';

/** They need a hub, and what clusters held before. */
const BEYOND: readonly string[] = ['claim/id-reserved', 'export/removal'];

/**
 * Whether the playground leaves out the rule: it lacks what the rule reads, or only `muster scan` evaluates it, neither
 * a write nor the end of a check.
 */
export function isLeftOut({ id, on, comparison }: Rule): boolean {
  const isScanOnly = on.length === 0 && (comparison === undefined || comparison.points?.includes('check') === false);
  return isScanOnly || BEYOND.includes(id);
}
