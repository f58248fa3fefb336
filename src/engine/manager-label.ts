/**
 * The only mutation: adds the label with the manager's name to an inventory object that is created without it, and
 * restores it if an update removed it. A wrong label is not changed, since the rules report it. The answer is a patch
 * and never the whole object, as `JSON.parse` rounds numbers beyond 2^53.
 */

import type { Dialect } from '../api/dialects.ts';
import { MANAGER_LABEL } from '../api/labels.ts';
import { at, isObject, type Json, type JsonObject } from '../base/json.ts';
import { fieldOf } from '../base/text.ts';
import { MANAGER_LABEL_PATH, managerLabelOf, managerOf } from '../rules/inventory/inventory-fields.ts';
import type { Subject } from '../rules/rule.ts';
import type { RuleId } from '../rules/rule-id.generated.ts';
import { type Engine, isExempt } from './evaluate.ts';

/** Returns the value of the label that an object lacks; undefined if it has the label, or no valid manager. */
export function missingManagerLabel(dialect: Dialect, object: JsonObject): string | undefined {
  const labels = at(object, ['metadata', 'labels']) ?? {};
  if (dialect.concept !== 'inventory' || !isObject(labels) || at(labels, [MANAGER_LABEL]) !== undefined)
    return undefined;
  return managerOf(object);
}

/**
 * Returns the value of the label that an UPDATE removed: tools that replace an object by a manifest write it without
 * the label that was added. Undefined if the stored label was wrong, or if the manager changes too, which the rules
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
  /** The JSON Patch; empty if none is needed. It has to apply, or the API server answers 500. */
  readonly operations: readonly AddOperation[];
  readonly warnings: readonly string[];
}

const NONE: Mutation = { operations: [], warnings: [] };
const RULE: RuleId = 'inventory/cluster-manager-label';

/**
 * Returns the mutation of a write; none for an exempt caller. On an update it also warns, so that users add the label
 * to their manifests; but not where the rule only audits or is ignored, and writes pass without a warning.
 */
export function findMutation(subject: Subject, engine: Pick<Engine, 'policy' | 'actionOn'>): Mutation {
  const { dialect, operation, subresource, object, oldObject } = subject;
  if (subresource !== '' || !isObject(at(object, ['metadata'])) || isExempt(subject, engine.policy)) return NONE;
  if (operation === 'CREATE') {
    const manager = missingManagerLabel(dialect, object);
    return manager === undefined ? NONE : { operations: [addLabel(object, manager)], warnings: [] };
  }
  const lost = operation === 'UPDATE' && oldObject ? lostManagerLabel(dialect, object, oldObject) : undefined;
  if (lost === undefined) return NONE;
  const message = `was missing in this update and is put back as stored ("${lost}"); add it to the manifest`;
  const action = engine.actionOn(RULE, subject);
  const warns = action === 'deny' || action === 'warn';
  return {
    operations: [addLabel(object, lost)],
    warnings: warns ? [`[${RULE}] ${fieldOf(MANAGER_LABEL_PATH)}: ${message}`] : [],
  };
}

function addLabel(object: Subject['object'], manager: string): AddOperation {
  const path = '/metadata/labels';
  if (at(object, ['metadata', 'labels']) === undefined) return { op: 'add', path, value: { [MANAGER_LABEL]: manager } };
  return { op: 'add', path: `${path}/${MANAGER_LABEL.replaceAll('/', '~1')}`, value: manager };
}
