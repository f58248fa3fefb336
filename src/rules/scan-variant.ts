/** How `muster scan` applies each rule to stored objects. */
import { service } from '../api/supporting-kinds.ts';
import type { Rule, ScanVariant } from './rule.ts';

/**
 * Returns how a rule applies to stored objects. By default it evaluates an object as if it were created as stored, and
 * its status as if it were written to an object that has none.
 */
export function scanVariantOf(rule: Rule): ScanVariant | 'compared' {
  if (rule.scan) return rule.scan;
  if (rule.comparison?.points?.includes('scan') === false)
    return { skip: 'it is about a change, and what there was before is not stored' };
  if (rule.comparison) return 'compared';
  if (rule.on.every((operation) => operation === 'DELETE')) return { skip: 'it is about deletions' };
  if (rule.ratchets === false) return { skip: 'it is about a change, and the former object is not stored' };
  return 'object';
}

/** Returns the variant in words, for the reference of the rules. */
export function scanText(rule: Rule): string {
  const variant = scanVariantOf(rule);
  if (variant === 'object')
    return rule.comparison ? `each object by itself, and ${compared(rule)}` : 'each object by itself';
  if (variant === 'compared') return compared(rule);
  return 'skip' in variant ? `skipped: ${variant.skip}` : variant.how;
}

function compared({ comparison }: Rule): string {
  if (comparison?.acrossOnly) return 'the objects of several clusters compared';
  // A service consists of what all clusters export under one name.
  if (comparison?.kinds.includes(service))
    return 'the exports, imports and Services of all clusters of the run compared';
  return 'the objects of each cluster compared';
}
