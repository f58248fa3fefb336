/**
 * Functions of the library beside the engine, for evaluating a plain object in a line or two. They use no module of
 * Node.
 */

import { type Dialect, dialects } from './api/dialects.ts';
import { isObject, type JsonObject, textAt } from './base/json.ts';
import { subjectOf as writeOf } from './engine/review.ts';
import { inNamespace, keyOf, referenceOf, withNamespace } from './input/objects.ts';
import { createRunView } from './input/view.ts';
import {
  type ClusterView,
  type Identity,
  OPERATIONS,
  type Operation,
  type Subject,
  type Subresource,
} from './rules/rule.ts';

/** Options of `subjectOf`: what is known of a write besides its object. */
export interface SubjectOptions {
  /** The stored object, for an UPDATE. */
  readonly oldObject?: object;
  /**
   * Default: UPDATE if there is an `oldObject`, or for the status; else CREATE. For a DELETE, `object` is the stored
   * object.
   */
  readonly operation?: Operation;
  /** Default: the main resource. */
  readonly subresource?: Subresource;
  /** The user. Without it, rules on the user that the configuration enables are indeterminate. */
  readonly identity?: Identity;
  readonly dryRun?: boolean;
}

/**
 * Returns the write of an object, ready to be evaluated; undefined for a kind to which no rule applies. The object has
 * to be complete, as an admission webhook gets it. It is copied.
 * @throws TypeError if it is not a JSON object, if `oldObject` is of another kind, namespace or name, if an UPDATE of
 * the main resource lacks it, if the identity lacks a part, or for an unknown operation or subresource
 */
export function subjectOf(object: object, options: SubjectOptions = {}): Subject | undefined {
  const input = copied(object);
  const reference = referenceOf(input);
  if (reference === undefined) return undefined;
  const { oldObject, identity, subresource = '' } = options;
  const { operation = oldObject || subresource === 'status' ? 'UPDATE' : 'CREATE' } = options;
  if (!OPERATIONS.includes(operation)) throw new TypeError(`operation: give one of ${OPERATIONS.join(', ')}`);
  if (!['', 'status'].includes(subresource)) throw new TypeError("subresource: give '' or 'status'");
  const stored = operation === 'DELETE' ? input : oldObject && withNamespace(reference.namespace, copied(oldObject));
  const other = stored && referenceOf(stored);
  if (stored && (other === undefined || keyOf(other) !== keyOf(reference)))
    throw new TypeError('oldObject: give one of the same kind, namespace and name');
  // A rule on a change would take each value for a new one.
  if (operation === 'UPDATE' && subresource === '' && !stored)
    throw new TypeError('oldObject: an UPDATE needs the stored object');
  return writeOf(reference, {
    ...options,
    version: textAt(input, ['apiVersion'])?.split('/')[1] ?? '',
    operation,
    object: inNamespace(reference, input),
    oldObject: stored && inNamespace(reference, stored),
    identity: identity === undefined ? undefined : copiedIdentity(identity),
  });
}

/** Returns a view with copies of these objects. Any other object does not exist in it. */
export function viewOf(objects: Iterable<object>): ClusterView {
  const { get, list } = createRunView({ state: [...objects].map(copied), known: dialects });
  return { get, list };
}

/** A view in which nothing is known, so that rules that need another object are indeterminate. */
export const unknownView: ClusterView = {
  get: async ({ dialect }) => unknown(dialect),
  list: async (dialect) => unknown(dialect),
};

function unknown({ kind, group }: Dialect): { readonly known: false; readonly reason: string } {
  return { known: false, reason: `nothing is known of other ${kind} objects (${group})` };
}

/** Copies the user, since a subject is frozen. */
function copiedIdentity(identity: Identity | null): Identity {
  if (typeof identity?.username !== 'string' || !Array.isArray(identity.groups))
    throw new TypeError('identity: give a username and a list of groups, which may be empty');
  return { username: identity.username, groups: [...identity.groups] };
}

/**
 * Copies an object by JSON text, which leaves out all that is not JSON. (`structuredClone` is not part of JavaScript.)
 */
function copied(object: object): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(object) ?? 'null');
  if (!isObject(copy)) throw new TypeError('a Kubernetes object is a JSON object');
  return copy;
}
