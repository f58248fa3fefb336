/** What is judged: one write of one object, decoded once, and never changed: frozen in `check` and `scan`, in `serve` left as it is. */

import type { Dialect } from '../api/dialects.ts';
import type { Identity, JsonObject, Operation, Subresource } from '../rules/rule.ts';

export interface Subject {
  readonly dialect: Dialect;
  /** As the request has it; a version newer than any we know is judged all the same. */
  readonly version: string;
  readonly operation: Operation;
  readonly subresource: Subresource;
  /** The new object; on DELETE the stored one. */
  readonly object: JsonObject;
  readonly oldObject: JsonObject | undefined;
  /** The object's own name: `request.name` is empty on deletecollection. */
  readonly name: string;
  readonly namespace: string | undefined;
  /** Undefined: not said (a file in CI). */
  readonly identity: Identity | undefined;
  readonly dryRun: boolean;
}

/** Freezes a JSON value and all within it. The decoder bounds its depth. */
export function freeze<T>(value: T): T {
  // Texts, numbers, booleans and null count as frozen.
  if (Object.isFrozen(value)) return value;
  for (const member of Object.values(value as object)) freeze(member);
  return Object.freeze(value);
}
