/**
 * Finds writes of ownerReferences that can lead to a deletion. A user who adds an ownerReference can have the garbage
 * collector delete the object: an owner that does not exist is enough. The same holds for removing one of several, if
 * the owners of those that stay do not exist. muster does not refuse deletions by the collector (engine/verdict.ts), so
 * the rules that guard a DELETE also guard such a write (`checksOwnerReferences`).
 */
import { at, canonical, type Json, type JsonObject, listOf, type Path, same } from '../base/json.ts';
import type { Context } from './rule.ts';

/** The path of the owners. */
export const OWNERS: Path = ['metadata', 'ownerReferences'];

/**
 * Whether an UPDATE of the main resource changes the owners. Removing all of them does not count: without owners the
 * garbage collector leaves the object alone.
 */
export function changesOwners({ operation, subresource, object, oldObject }: Context): boolean {
  if (operation !== 'UPDATE' || subresource !== '') return false;
  // Compared as texts: comparing each pair would take too long for thousands of owners.
  const now = new Set(ownersOf(object).map(canonical));
  if (now.size === 0) return false;
  const before = new Set(ownersOf(oldObject).map(canonical));
  return now.size !== before.size || [...now].some((owner) => !before.has(owner));
}

/** A part of an object that only some users may change, and the value that counts as equal to its absence. */
export type GuardedPart = readonly [path: Path, absent?: Json];

/**
 * Returns what a write changes: the first of these parts, or the owners; undefined if an UPDATE changes none of them.
 * @param whole the path for a CREATE and a DELETE
 */
export function guardedChange(context: Context, whole: Path, parts: readonly GuardedPart[]): Path | undefined {
  const { operation, object, oldObject } = context;
  if (operation !== 'UPDATE') return whole;
  const changed = parts.find(([path, absent]) => !same(at(object, path) ?? absent, at(oldObject, path) ?? absent));
  return changed?.[0] ?? (changesOwners(context) ? OWNERS : undefined);
}

/** Returns the owners. A value that is not a list, which the API server refuses, counts as one owner. */
function ownersOf(object: JsonObject | undefined): readonly Json[] {
  const owners = at(object, OWNERS);
  return owners === undefined || Array.isArray(owners) ? listOf(owners) : [owners];
}
