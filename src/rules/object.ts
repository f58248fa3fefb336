/** What every stored object tells, whatever its kind. */
import { at } from './json.ts';
import type { JsonObject } from './rule.ts';

/** Whether an object is on its way out: deleted, and held back by its finalizers. */
export function isTerminating(object: JsonObject | undefined): boolean {
  return at(object, ['metadata', 'deletionTimestamp']) !== undefined;
}
