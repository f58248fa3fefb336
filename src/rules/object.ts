/**
 * Reads what every stored object has, whatever its kind. A literal key is read several times faster than one of a path, and
 * no prototype has these.
 */
import { isObject } from './json.ts';
import type { Json, JsonObject } from './rule.ts';

/** What tells the entries of a list apart, by the list's name: the keys that the API server merges them by. */
export const LIST_KEYS: Readonly<Record<string, readonly string[]>> = {
  conditions: ['type'],
  properties: ['name'],
  accessProviders: ['name'],
  credentialProviders: ['name'],
  extensions: ['name'],
  uses: ['version', 'enabled'],
};

/** The parts of an object, each undefined where it is no object itself. */
export function metadataOf(object: JsonObject | undefined): JsonObject | undefined {
  return asObject(object?.['metadata']);
}

export function specOf(object: JsonObject | undefined): JsonObject | undefined {
  return asObject(object?.['spec']);
}

export function statusOf(object: JsonObject | undefined): JsonObject | undefined {
  return asObject(object?.['status']);
}

/** Whether an object is on its way out: deleted, and held back by its finalizers. */
export function isTerminating(object: JsonObject | undefined): boolean {
  return (metadataOf(object)?.['deletionTimestamp'] ?? undefined) !== undefined;
}

function asObject(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}
