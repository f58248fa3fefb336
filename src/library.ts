/** What the library adds to the engine, so that a plain object can be evaluated in a line or two. Nothing of Node. */

import { type Dialect, dialects } from './api/dialects.ts';
import { isObject, type JsonObject, textAt } from './base/json.ts';
import { subjectOf as writeOf } from './engine/review.ts';
import { dialectOfObject, inNamespace, referenceOfObject } from './input/objects.ts';
import { createRunView } from './input/view.ts';
import {
  type ClusterView,
  type Identity,
  OPERATIONS,
  type Operation,
  type Subject,
  type Subresource,
} from './rules/rule.ts';

/** What is known of a write besides its object. */
export interface SubjectOptions {
  /** The stored object: then it is an UPDATE. */
  readonly oldObject?: object;
  /** Default: UPDATE with an `oldObject` or of the status, else CREATE. What a DELETE takes away is `object`. */
  readonly operation?: Operation;
  /** Default: the main write. */
  readonly subresource?: Subresource;
  /** The user. Unset, rules on identity that the configuration enables are indeterminate. */
  readonly identity?: Identity;
  readonly dryRun?: boolean;
}

/**
 * Returns the write of an object, ready to be evaluated; undefined for a kind that no rule applies to. The object is
 * complete, as admission would see it, and is copied.
 * @throws TypeError if it is no JSON object, if `oldObject` is of another kind, or for an operation or a subresource
 *   that no rule knows
 */
export function subjectOf(object: object, options: SubjectOptions = {}): Subject | undefined {
  const input = copied(object);
  const dialect = dialectOfObject(input);
  if (dialect === undefined) return undefined;
  const { oldObject, subresource = '' } = options;
  const { operation = oldObject || subresource === 'status' ? 'UPDATE' : 'CREATE' } = options;
  if (!OPERATIONS.includes(operation)) throw new TypeError(`operation: give one of ${OPERATIONS.join(', ')}`);
  if (!['', 'status'].includes(subresource)) throw new TypeError("subresource: give '' or 'status'");
  const stored = operation === 'DELETE' ? input : oldObject && copied(oldObject);
  if (stored && dialectOfObject(stored) !== dialect) throw new TypeError('oldObject: give one of the same kind');
  const reference = referenceOfObject(dialect, input);
  return writeOf(reference, {
    ...options,
    version: textAt(input, ['apiVersion'])?.split('/')[1] ?? '',
    operation,
    object: inNamespace(reference, input),
    oldObject: stored && inNamespace(reference, stored),
  });
}

/** Returns a view of exactly these objects, copied: what is not among them does not exist. */
export function viewOf(objects: Iterable<object>): ClusterView {
  const { get, list } = createRunView({ state: [...objects].map(copied), known: dialects });
  return { get, list };
}

/** A view in which nothing is known: a rule that needs another object is indeterminate. */
export const unknownView: ClusterView = {
  get: async ({ dialect }) => unknown(dialect),
  list: async (dialect) => unknown(dialect),
};

function unknown({ kind, group }: Dialect): { readonly known: false; readonly reason: string } {
  return { known: false, reason: `nothing is known of other ${kind} objects (${group})` };
}

/** By way of text: `structuredClone` is no part of the language, and what is no JSON has no place in an object. */
function copied(object: object): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(object) ?? 'null');
  if (!isObject(copy)) throw new TypeError('a Kubernetes object is a JSON object');
  return copy;
}
