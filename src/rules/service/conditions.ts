/** Reads the conditions of an export. */
import type { Condition } from './facts.ts';

/** Whether a condition is true. */
export function isTrue(conditions: readonly Condition[], type: 'Valid' | 'Conflict'): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === 'True');
}

/**
 * Whether a conflict was resolved: `Conflict` became false after `Valid` was set. Without a conflict, it is false from
 * the beginning.
 */
export function wasResolved(conditions: readonly Condition[]): boolean {
  const changed = (type: string) => conditions.find((condition) => condition.type === type)?.changed;
  const conflict = conditions.find(({ type }) => type === 'Conflict');
  const valid = changed('Valid');
  if (conflict?.status !== 'False' || conflict.changed === undefined || valid === undefined) return false;
  return conflict.changed > valid;
}
