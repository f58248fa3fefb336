/**
 * Merges a file into a stored object as `kubectl apply` does if it is known what was applied last: fields that were applied
 * and are gone from the file are removed, fields of others stay. Lists are replaced, as for every kind without Go types.
 */
import { at, isObject, textAt } from '../../rules/json.ts';
import type { Json, JsonObject } from '../../rules/rule.ts';

/** The annotation in which `kubectl apply` keeps what it applied last. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns what was applied last; undefined without the annotation, or if its text is no object. */
export function lastApplied(stored: JsonObject): JsonObject | undefined {
  const text = textAt(stored, ['metadata', 'annotations', LAST_APPLIED]);
  if (text === undefined) return undefined;
  try {
    const last: Json = JSON.parse(text);
    return isObject(last) ? last : undefined;
  } catch {
    return undefined;
  }
}

/** Returns an object as an apply of `file` stores it: with the annotation. */
export function asApplied(object: JsonObject, file: JsonObject): JsonObject {
  const metadata = at(object, ['metadata']);
  const annotations = at(metadata, ['annotations']) ?? {};
  // Annotations that are no mapping are for a rule to find.
  if (!isObject(metadata) || !isObject(annotations)) return object;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...annotations, [LAST_APPLIED]: JSON.stringify(file) } },
  };
}

/** Merges three ways: a JSON merge patch of the file, and what was applied last and is not in the file is removed. */
export function merged(stored: Json | undefined, file: JsonObject, last: Json | undefined): JsonObject {
  const result = new Map(Object.entries(isObject(stored) ? stored : {}));
  const applied = isObject(last) ? last : {};
  for (const key of Object.keys(applied)) if (!Object.hasOwn(file, key)) result.delete(key);
  for (const [key, value] of Object.entries(file)) {
    if (value === null) result.delete(key);
    else if (isObject(value)) result.set(key, merged(result.get(key), value, applied[key]));
    else result.set(key, value);
  }
  return Object.fromEntries(result);
}
