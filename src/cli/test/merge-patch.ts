/** JSON merge patches (RFC 7396): how a test says what it changes, and how a recorded one is kept short. */
import { isObject } from '../../rules/json.ts';
import type { Json, JsonObject } from '../../rules/rule.ts';

/** The value with the patch merged in: null takes a member away, a list stands for itself. */
export function patched(value: Json | undefined, patch: JsonObject): JsonObject {
  const members = new Map(Object.entries(isObject(value) ? value : {}));
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) members.delete(key);
    else members.set(key, isObject(change) ? patched(members.get(key), change) : change);
  }
  return Object.fromEntries(members);
}

/** The least patch from one object to another. Not for members that are null: a patch has no word for them. */
export function patchBetween(before: JsonObject, after: JsonObject): JsonObject {
  const changes: [string, Json][] = [];
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) changes.push([key, null]);
  for (const [key, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (!isObject(value) || !isObject(old)) {
      if (JSON.stringify(value) !== JSON.stringify(old)) changes.push([key, value]);
      continue;
    }
    const inner = patchBetween(old, value);
    if (Object.keys(inner).length > 0) changes.push([key, inner]);
  }
  return Object.fromEntries(changes);
}
