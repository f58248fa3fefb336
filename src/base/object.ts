/**
 * The parts that all Kubernetes objects have. A literal key is read several times faster than a path (`at`), and no
 * prototype has these keys.
 */
import { asObject, isObject, type Json, type JsonObject, same } from './json.ts';

/** Returns `metadata`; undefined where it is no object. */
export function metadataOf(object: JsonObject | undefined): JsonObject | undefined {
  return asObject(object?.['metadata']);
}

/** Returns `spec`; undefined where it is no object. */
export function specOf(object: JsonObject | undefined): JsonObject | undefined {
  return asObject(object?.['spec']);
}

/** Returns `status`; undefined where it is no object. */
export function statusOf(object: JsonObject | undefined): JsonObject | undefined {
  return asObject(object?.['status']);
}

/**
 * Whether anything is written into `status`. Typed clients in Go put one without any value into every manifest: that of
 * a ClusterProfile is `{conditions: null, version: {}}`, that of a Feature has `state: ""` beside others.
 */
export function isStatusWritten(object: JsonObject | undefined): boolean {
  return hasValue(object?.['status']);
}

/** Whether a value is anything but null, an empty text, and objects of these alone. An empty list is a value. */
function hasValue(value: Json | undefined): boolean {
  if (isObject(value)) return Object.values(value).some((member) => hasValue(member));
  return value !== undefined && value !== null && value !== '';
}

/** Whether an object is being deleted: it still exists because of its finalizers. */
export function isTerminating(object: JsonObject | undefined): boolean {
  return (metadataOf(object)?.['deletionTimestamp'] ?? undefined) !== undefined;
}

/** The object before and after a write. */
interface Update {
  readonly object: JsonObject;
  readonly oldObject?: JsonObject | undefined;
}

/** Whether an update changes nothing outside of `metadata`: no spec, no status, no other top-level field. */
export function changesMetadataOnly({ object, oldObject }: Update): boolean {
  return same(contentOf(object), contentOf(oldObject ?? {}));
}

function contentOf({ apiVersion: _, kind: __, metadata: ___, ...content }: JsonObject): JsonObject {
  return content;
}
