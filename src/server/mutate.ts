/**
 * The one thing the mutating webhook does: an inventory object that is created without its manager's label gets it.
 * It never overwrites a wrong one (that is for `/validate` to refuse), never repairs on UPDATE, and patches nothing else:
 * `JSON.parse` has rounded what is beyond 2^53, so the object itself can't be given back.
 */
import type { Subject } from '../engine/index.ts';
import { MANAGER_LABEL, missingManagerLabel } from '../engine/manager-label.ts';
import { at, isObject } from '../rules/json.ts';
import type { Json } from '../rules/rule.ts';

export interface AddOperation {
  readonly op: 'add';
  /** A JSON Pointer. */
  readonly path: string;
  readonly value: Json;
}

/** The JSON Patch a new object needs; empty where it needs none. A patch that does not apply would be a 500. */
export function labelPatch({ dialect, operation, subresource, object }: Subject): readonly AddOperation[] {
  if (operation !== 'CREATE' || subresource !== '' || !isObject(at(object, ['metadata']))) return [];
  const manager = missingManagerLabel(dialect, object);
  if (manager === undefined) return [];
  const path = '/metadata/labels';
  if (at(object, ['metadata', 'labels']) === undefined)
    return [{ op: 'add', path, value: { [MANAGER_LABEL]: manager } }];
  return [{ op: 'add', path: `${path}/${MANAGER_LABEL.replaceAll('/', '~1')}`, value: manager }];
}
