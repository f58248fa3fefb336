/**
 * What `kubectl apply` makes of a stored object and a file, where it is known what was applied last: fields that were and are
 * no more in the file go, what others wrote stays. Lists are replaced, as for every kind without Go types.
 */
import { at, isObject, textAt } from '../../rules/json.ts';
import type { Json, JsonObject } from '../../rules/rule.ts';

/** Where `kubectl apply` keeps what it applied last. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Undefined: nobody says; or what is said is no object. */
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

/** The object as stored by an apply of `file`, which is said in its annotations. */
export function asApplied(object: JsonObject, file: JsonObject): JsonObject {
  const metadata = at(object, ['metadata']);
  const annotations = at(metadata, ['annotations']) ?? {};
  // Annotations that are no mapping are for a rule to judge, and not for us to mend.
  if (!isObject(metadata) || !isObject(annotations)) return object;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...annotations, [LAST_APPLIED]: JSON.stringify(file) } },
  };
}

/** Three ways: a JSON merge patch of the file onto the stored object, and what was applied last and is not given now goes. */
export function merged(stored: Json | undefined, given: JsonObject, last: Json | undefined): JsonObject {
  const result = new Map(Object.entries(isObject(stored) ? stored : {}));
  const before = isObject(last) ? last : {};
  for (const key of Object.keys(before)) if (!Object.hasOwn(given, key)) result.delete(key);
  for (const [key, value] of Object.entries(given)) {
    if (value === null) result.delete(key);
    else if (isObject(value)) result.set(key, merged(result.get(key), value, before[key]));
    else result.set(key, value);
  }
  return Object.fromEntries(result);
}
