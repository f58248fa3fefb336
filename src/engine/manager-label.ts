/** The one thing that is added to what users write: the manager's label of an inventory object. */

import type { Dialect } from '../api/dialects.ts';
import { MANAGER_LABEL, managerLabelOf, managerOf } from '../rules/inventory/reading.ts';
import { at, isObject } from '../rules/json.ts';
import type { JsonObject } from '../rules/rule.ts';

export { MANAGER_LABEL } from '../rules/inventory/reading.ts';

/**
 * The value that the label of an object being created lacks; undefined where it lacks none. A wrong label is never
 * overwritten, and a name that no label can hold is `inventory/cluster-manager`'s to refuse.
 */
export function missingManagerLabel(dialect: Dialect, object: JsonObject): string | undefined {
  const labels = at(object, ['metadata', 'labels']) ?? {};
  if (dialect.concept !== 'inventory' || !isObject(labels) || at(labels, [MANAGER_LABEL]) !== undefined)
    return undefined;
  return managerOf(object);
}

/**
 * The value of the label that an UPDATE lost: tools that replace an object by a manifest write it without the label that was
 * added. Undefined where the stored label was wrong itself, or where the manager changes too, which the rules refuse.
 */
export function lostManagerLabel(dialect: Dialect, object: JsonObject, oldObject: JsonObject): string | undefined {
  const name = missingManagerLabel(dialect, object);
  const wasRight = name !== undefined && managerLabelOf(oldObject) === name && managerOf(oldObject) === name;
  return wasRight ? name : undefined;
}
