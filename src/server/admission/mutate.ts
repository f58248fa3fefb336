/**
 * The one thing the mutating webhook does: an inventory object that is created without its manager's label gets it, and one
 * that lost it in an update gets it back. It never overwrites a wrong one (that is for `/validate` to refuse), and patches
 * nothing else: `JSON.parse` has rounded what is beyond 2^53, so the object itself can't be given back.
 */
import type { Subject } from '../../engine/index.ts';
import { lostManagerLabel, MANAGER_LABEL, missingManagerLabel } from '../../engine/manager-label.ts';
import { fieldOf } from '../../engine/text.ts';
import { MANAGER_LABEL_PATH } from '../../rules/inventory/reading.ts';
import { at, isObject } from '../../rules/json.ts';
import type { Json } from '../../rules/rule.ts';

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
export function mutationOf({ dialect, operation, subresource, object, oldObject }: Subject): Mutation {
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
