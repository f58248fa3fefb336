/**
 * The one thing that is added to what users write: an inventory object that is created without its manager's label gets
 * it, and one that lost it in an update gets it back. A wrong label is never overwritten (that is for the rules to
 * refuse), and nothing else is patched: `JSON.parse` has rounded what is beyond 2^53, so the object itself can't be
 * given back.
 */

import type { Dialect } from '../api/dialects.ts';
import { MANAGER_LABEL } from '../api/labels.ts';
import { at, isObject, type Json, type JsonObject } from '../base/json.ts';
import { fieldOf } from '../base/text.ts';
import { MANAGER_LABEL_PATH, managerLabelOf, managerOf } from '../rules/inventory/inventory-fields.ts';
import type { Subject } from '../rules/rule.ts';

/** The value that the label of an object being created lacks; undefined where it lacks none. */
export function missingManagerLabel(dialect: Dialect, object: JsonObject): string | undefined {
  const labels = at(object, ['metadata', 'labels']) ?? {};
  if (dialect.concept !== 'inventory' || !isObject(labels) || at(labels, [MANAGER_LABEL]) !== undefined)
    return undefined;
  return managerOf(object);
}

/**
 * The value of the label that an UPDATE lost: tools that replace an object by a manifest write it without the label
 * that was added. Undefined where the stored label was wrong itself, or where the manager changes too, which the rules
 * refuse.
 */
export function lostManagerLabel(dialect: Dialect, object: JsonObject, oldObject: JsonObject): string | undefined {
  const name = missingManagerLabel(dialect, object);
  const wasRight = name !== undefined && managerLabelOf(oldObject) === name && managerOf(oldObject) === name;
  return wasRight ? name : undefined;
}

export interface AddOperation {
  readonly op: 'add';
  /** A JSON Pointer. */
  readonly path: string;
  readonly value: Json;
}

export interface Mutation {
  /** The JSON Patch the object needs; empty where it needs none. A patch that does not apply would be a 500. */
  readonly operations: readonly AddOperation[];
  readonly warnings: readonly string[];
}

const NONE: Mutation = { operations: [], warnings: [] };
const RULE = 'inventory/cluster-manager-label';

/** What the object of a write needs. An update warns: who writes manifests without the label should add it there. */
export function findMutation({ dialect, operation, subresource, object, oldObject }: Subject): Mutation {
  if (subresource !== '' || !isObject(at(object, ['metadata']))) return NONE;
  if (operation === 'CREATE') {
    const manager = missingManagerLabel(dialect, object);
    return manager === undefined ? NONE : { operations: [addLabel(object, manager)], warnings: [] };
  }
  const lost = operation === 'UPDATE' && oldObject ? lostManagerLabel(dialect, object, oldObject) : undefined;
  if (lost === undefined) return NONE;
  const message = `was missing in this update and is put back as stored ("${lost}"); add it to the manifest`;
  return {
    operations: [addLabel(object, lost)],
    warnings: [`[${RULE}] ${fieldOf(MANAGER_LABEL_PATH)}: ${message}`],
  };
}

function addLabel(object: Subject['object'], manager: string): AddOperation {
  const path = '/metadata/labels';
  if (at(object, ['metadata', 'labels']) === undefined) return { op: 'add', path, value: { [MANAGER_LABEL]: manager } };
  return { op: 'add', path: `${path}/${MANAGER_LABEL.replaceAll('/', '~1')}`, value: manager };
}
