/** The JSON Patch between two objects, within a bound: a link carries whatever its writer likes. */
import { createPatch, type Operation } from 'rfc6902';
import type { Json, JsonObject } from '../../../src/base/json.ts';

/**
 * Two lists are compared entry by entry, which takes time and memory by the product of their sizes. Above this product
 * the patch replaces the whole list: at the bound it takes some 50 ms.
 */
const MOST_COMPARISONS = 40_000;

/** Returns the JSON Patch (RFC 6902) from one object to another. */
export function changeOf(from: JsonObject, to: JsonObject): Json {
  return createPatch(from, to, replaceLongLists) as unknown as Json;
}

function replaceLongLists(from: unknown, to: unknown, pointer: { toString(): string }): Operation[] | undefined {
  if (!Array.isArray(from) || !Array.isArray(to)) return undefined;
  if (sizeOf(from) * sizeOf(to) <= MOST_COMPARISONS) return undefined;
  return [{ op: 'replace', path: pointer.toString(), value: to }];
}

/** The number of values within a value, itself included. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, one) => sum + sizeOf(one), 1);
}
