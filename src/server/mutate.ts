/**
 * The one thing the mutating webhook does: an inventory object that is created without its manager's label gets it.
 * It never overwrites a wrong one (that is for `/validate` to refuse), never repairs on UPDATE, and patches nothing else:
 * `JSON.parse` has rounded what is beyond 2^53, so the object itself can't be given back.
 */
import type { Subject } from '../engine/index.ts';
import { at, isObject, textAt } from '../rules/json.ts';
import type { Json } from '../rules/rule.ts';
import { isLabelValue } from '../rules/syntax.ts';

export interface AddOperation {
  readonly op: 'add';
  /** A JSON Pointer. */
  readonly path: string;
  readonly value: Json;
}

const LABEL = 'x-k8s.io/cluster-manager';

/** The JSON Patch a new object needs; empty where it needs none. A patch that does not apply would be a 500. */
export function labelPatch(subject: Subject): readonly AddOperation[] {
  if (subject.dialect.concept !== 'inventory' || subject.operation !== 'CREATE' || subject.subresource !== '')
    return [];
  const { object } = subject;
  const manager = textAt(object, ['spec', 'clusterManager', 'name']);
  if (manager === undefined || !isLabelValue(manager)) return [];
  if (!isObject(at(object, ['metadata']))) return [];
  const labels = at(object, ['metadata', 'labels']);
  if (labels === undefined) return [{ op: 'add', path: '/metadata/labels', value: { [LABEL]: manager } }];
  if (!isObject(labels) || at(labels, [LABEL]) !== undefined) return [];
  return [{ op: 'add', path: `/metadata/labels/${LABEL.replaceAll('~', '~0').replaceAll('/', '~1')}`, value: manager }];
}
